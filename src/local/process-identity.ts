/**
 * Which process a pid is: pids are used again, so a recorded pid alone is never reason enough to end a process.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

function ps(column: string, pid: number): string | null {
  try {
    const text = execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
    return text === '' ? null : text;
  } catch {
    return null;
  }
}

/** When a process began, as a text to compare; null when there is no such process (or only its zombie). */
export function bornAt(pid: number): string | null {
  if (process.platform !== 'linux') return ps('lstart', pid);
  try {
    // proc(5): the name in parentheses may hold spaces; state is field 3 and starttime field 22.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return null;
  }
}

/** The command line of a process, arguments separated by spaces; null when there is no such process. */
export function commandLine(pid: number): string | null {
  if (process.platform !== 'linux') return ps('command', pid);
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return null;
  }
}
