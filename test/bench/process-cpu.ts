/** Processor time and memory of the processes that the bench has started, by what they are. */
import { benchProcesses, privateMegabytes, type Process } from './processes.ts';

export const GROUPS = ['api', 'worker', 'postgres', 'temporal'] as const;
export type Group = (typeof GROUPS)[number];

function groupOf({ command }: Process): Group | null {
  if (command.includes('serve-api.js')) return 'api';
  if (command.includes('serve-worker.js')) return 'worker';
  if (command.includes('postgres')) return 'postgres';
  // The command line's development server, or the server by itself.
  return /temporal(?:\0server|-server)/u.test(command) ? 'temporal' : null;
}

function sumByGroup(measure: (one: Process) => number): Record<Group, number> {
  const sums: Record<Group, number> = { api: 0, worker: 0, postgres: 0, temporal: 0 };
  for (const one of benchProcesses()) {
    const group = groupOf(one);
    if (group !== null) sums[group] += measure(one);
  }
  return sums;
}

/** Processor time in seconds that the service and its servers have used so far; of what is compared with it, none. */
export const cpuSeconds = (): Record<Group, number> => sumByGroup(({ seconds }) => seconds);

/** The memory in MB that the service and its servers hold now. */
export const megabytes = (): Record<Group, number> => sumByGroup(privateMegabytes);
