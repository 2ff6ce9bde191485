/** The processes that the bench has started, as Linux tells of them (proc(5)). */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';

/** USER_HZ: the unit of the times in `stat` on every architecture that Node.js runs on. */
const TICKS_PER_SECOND = 100;

export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Processor time: its own, and that of its children that have ended. */
  readonly seconds: number;
  /** Its arguments, with a NUL after each. */
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

/** A process and everything below it. */
function family(root: number, processes: readonly Process[]): Process[] {
  const members = new Set([root]);
  // A child's number may be below its parent's.
  for (let before = 0; before < members.size;) {
    before = members.size;
    for (const { pid, parent } of processes) if (members.has(parent)) members.add(pid);
  }
  return processes.filter(({ pid }) => members.has(pid));
}

/** The bench's own process and all that it has started. */
export function benchProcesses(): Process[] {
  const every = readdirSync('/proc').flatMap((name) =>
    /^\d+$/u.test(name) ? (read(Number(name)) ?? []) : [],
  );
  return family(process.pid, every);
}

/** The process whose arguments hold `part`, and what it has started. @throws when the bench has started none */
export function familyOf(part: string): Process[] {
  const ours = benchProcesses();
  const found = ours.find(({ command }) => command.includes(part));
  if (found === undefined) throw new Error(`no process of the bench is ${part}`);
  return family(found.pid, ours);
}

/** The most memory that the processes have held (VmHWM), in MB, summed. */
export function peakMegabytes(processes: readonly Process[]): number {
  return processes.reduce((sum, { pid }) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return sum + Number(/^VmHWM:\s+(\d+) kB$/mu.exec(status)?.[1]) / 1_024;
  }, 0);
}

/** The memory that a process holds now, in kB. */
export function residentKilobytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** The memory in MB that a process holds now and shares with none (RssAnon); 0 when it has ended. */
export function privateMegabytes({ pid }: Process): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^RssAnon:\s+(\d+) kB$/mu.exec(status)?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

/** From now on the peak is that of what comes (proc_pid_clear_refs(5)). */
export function forgetPeak(processes: readonly Process[]): void {
  for (const { pid } of processes) writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
