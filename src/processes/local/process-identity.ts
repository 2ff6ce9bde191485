/** Identifies processes by pid and start time: pids are reused, so a recorded pid alone must not be signalled. */
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

/** @returns the start time of a process as text to compare; null when it does not exist or is a zombie */
export function readStartTime(pid: number): string | null {
  if (process.platform !== 'linux') return ps('lstart', pid);
  try {
    // proc(5): the name in parentheses may contain spaces; state is field 3, starttime field 22.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return null;
  }
}

/** @returns the command line of a process with spaces between arguments; null when it does not exist */
export function readCommandLine(pid: number): string | null {
  if (process.platform !== 'linux') return ps('command', pid);
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return null;
  }
}
