/**
 * Figures of a test at full size, for whoever asks for them with TEST_FIGURES=1: how long, how much. Nothing is asserted
 * of them, because they depend on the machine.
 */
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
