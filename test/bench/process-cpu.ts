/** Processor time of the processes that the bench has started, by what they are. */
import { benchProcesses, type Process } from './processes.ts';

export const GROUPS = ['api', 'worker', 'postgres', 'temporal'] as const;
export type Group = (typeof GROUPS)[number];

function groupOf({ command }: Process): Group | null {
  if (command.includes('serve-api.js')) return 'api';
  if (command.includes('serve-worker.js')) return 'worker';
  if (command.includes('postgres')) return 'postgres';
  return /temporal\0server/u.test(command) ? 'temporal' : null;
}

/** Processor time in seconds that the service and its servers have used so far; of what is compared with it, none. */
export function cpuSeconds(): Record<Group, number> {
  const sums: Record<Group, number> = { api: 0, worker: 0, postgres: 0, temporal: 0 };
  for (const one of benchProcesses()) {
    const group = groupOf(one);
    if (group !== null) sums[group] += one.seconds;
  }
  return sums;
}
