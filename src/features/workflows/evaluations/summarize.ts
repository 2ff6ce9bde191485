/** Summarizes the trials of an evaluation by definition. */
import { MILLICREDITS } from '../../../platform/billing/plans.ts';
import { computeVariance, computeWilson } from './statistics.ts';
import type { EvaluationRow, MeasureRow, RepetitionRow } from './store.ts';

/** How one definition does. */
export interface DefinitionResult {
  readonly definition: string;
  readonly definition_hash: string;
  readonly done: number;
  readonly passed: number;
  readonly failed: number;
  readonly cannot_tell: number;
  /** Null: no trial is done. */
  readonly pass_rate: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly trial_variance: number | null;
  readonly credits: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  readonly marked: number;
  readonly judge_agreement: number | null;
}

/** Builds the result of each definition, in the order in which they were given. */
export function summarize(
  { definitions, total, trials }: Pick<EvaluationRow, 'definitions' | 'total' | 'trials'>,
  repetitions: readonly RepetitionRow[],
  measures: readonly MeasureRow[],
): DefinitionResult[] {
  const cases = total / (definitions.length * trials);
  return definitions.map(({ source, hash }, index) => {
    const own = repetitions.filter(({ definition }) => definition === index);
    const sum = (read: (row: RepetitionRow) => number): number =>
      own.reduce((sofar, row) => sofar + read(row), 0);
    const done = sum((row) => row.done);
    const passed = sum((row) => row.passed);
    const rate = done === 0 ? null : passed / done;
    const begun = own.filter((row) => row.done > 0);
    const measure = measures.find(({ definition }) => definition === index);
    const { p50_ms = null, p95_ms = null, marked = 0, agreed = 0 } = measure ?? {};
    return {
      definition: source,
      definition_hash: hash,
      done,
      passed,
      failed: sum((row) => row.failed),
      cannot_tell: sum((row) => row.cannot_tell),
      pass_rate: rate,
      // Before the end, the cases that were tried so far are the most that there can be.
      interval: rate === null ? null : computeWilson(rate, Math.min(cases, done)),
      trial_variance: computeVariance(begun.map((row) => row.passed / row.done)),
      credits: sum((row) => row.used_mc) / MILLICREDITS,
      p50_ms,
      p95_ms,
      marked,
      judge_agreement: marked === 0 ? null : agreed / marked,
    };
  });
}
