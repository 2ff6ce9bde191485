/** Processor time of the processes that the bench has started, as Linux counts it (proc_pid_stat(5)). */
import { readFileSync, readdirSync } from 'node:fs';

/** USER_HZ: the unit of the times in `stat` on every architecture that Node.js runs on. */
const TICKS_PER_SECOND = 100;

export const GROUPS = ['api', 'worker', 'postgres', 'temporal'] as const;
export type Group = (typeof GROUPS)[number];

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Its own, and that of its children that have ended. */
  readonly seconds: number;
  readonly command: string;
}

/** @returns null when the process has ended */
function read(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything; what follows it are numbers from field 3 on.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return { pid, parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND, command };
  } catch {
    return null;
  }
}

function groupOf({ command }: Process): Group | null {
  if (command.includes('serve-api.js')) return 'api';
  if (command.includes('serve-worker.js')) return 'worker';
  if (command.includes('postgres')) return 'postgres';
  return /temporal\0server/u.test(command) ? 'temporal' : null;
}

/** Processor time in seconds that the service and its servers have used so far; of what is compared with it, none. */
export function cpuSeconds(): Record<Group, number> {
  const processes = readdirSync('/proc').flatMap((name) =>
    /^\d+$/u.test(name) ? (read(Number(name)) ?? []) : [],
  );
  const ours = new Set([process.pid]);
  const sums: Record<Group, number> = { api: 0, worker: 0, postgres: 0, temporal: 0 };
  // A child's number may be below its parent's.
  for (let before = 0; before < ours.size;) {
    before = ours.size;
    for (const { pid, parent } of processes) if (ours.has(parent)) ours.add(pid);
  }
  for (const one of processes) {
    const group = ours.has(one.pid) ? groupOf(one) : null;
    if (group !== null) sums[group] += one.seconds;
  }
  return sums;
}
