/**
 * Figures of a test at full size, for whoever asks for them with TEST_FIGURES=1: how long, how much. Nothing is asserted
 * of them, because they depend on the machine.
 */
import { readFileSync } from 'node:fs';
import { percentile } from '../bench/statistics.ts';

/** Prints one line for the subject. */
export function noteFigures(subject: string, figures: Readonly<Record<string, number | string>>): void {
  if (process.env['TEST_FIGURES'] === undefined) return;
  const shown = Object.entries(figures).map(
    ([name, value]) => `${name} ${typeof value === 'number' ? Number(value.toPrecision(3)) : value}`,
  );
  process.stdout.write(`figures: ${subject}: ${shown.join(', ')}\n`);
}

/** The value below which 95 of 100 lie; NaN when nothing was measured. */
export const p95 = (values: readonly number[]): number =>
  values.length === 0 ? Number.NaN : percentile(values, 0.95);

const MIB = 1_048_576;

/** Resident memory of a process in MiB; NaN where the system does not tell (it is no Linux). */
function residentMib(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (Number(kilobytes) * 1024) / MIB;
  } catch {
    return Number.NaN;
  }
}

/** Looks at a process's memory until it is asked. @returns tells by how many MiB it has been above its beginning */
export function watchMemory(pid: number): () => number {
  const first = residentMib(pid);
  let peak = first;
  const timer = setInterval(() => (peak = Math.max(peak, residentMib(pid))), 50);
  return () => {
    clearInterval(timer);
    return Math.max(peak, residentMib(pid)) - first;
  };
}
