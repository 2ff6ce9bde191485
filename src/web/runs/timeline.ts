/** Steps as bars over time: the start and the length of each in parts of the run, each below what it is part of. */
import type { RunStep } from '../../client/openapi.ts';

export interface Bar {
  readonly step: RunStep;
  /** Parts of the time from the first start to the last end: 0 to 1. */
  readonly from: number;
  readonly length: number;
  /** From the first start, in ms. */
  readonly afterMs: number;
  readonly inside: readonly Bar[];
}

interface Timeline {
  /** The outermost bars by their start; steps that never began are left out. */
  readonly bars: readonly Bar[];
  /** From the first start to the last end. */
  readonly totalMs: number;
}

type Timed = Pick<RunStep, 'step_id' | 'parent_step_id' | 'started_at' | 'completed_at'>;

/** Lays out the steps of a run. @param nowMs the end of steps that have not ended */
export function buildTimeline(steps: readonly RunStep[], nowMs: number): Timeline {
  const begun = steps.filter(({ started_at: at }) => at !== null);
  const readStart = ({ started_at: at }: Timed): number => Date.parse(at ?? '');
  const readEnd = ({ completed_at: at }: Timed): number => (at === null ? nowMs : Date.parse(at));
  const first = begun.reduce((least, step) => Math.min(least, readStart(step)), nowMs);
  const last = begun.reduce((most, step) => Math.max(most, readEnd(step)), first);
  const whole = Math.max(1, last - first);
  const known = new Set(begun.map(({ step_id: id }) => id));
  const parts = new Map<string | null, RunStep[]>();
  for (const step of begun) {
    const { parent_step_id: id } = step;
    const parent = id !== null && known.has(id) ? id : null;
    const siblings = parts.get(parent);
    if (siblings === undefined) parts.set(parent, [step]);
    else siblings.push(step);
  }
  const buildBars = (parent: string | null): Bar[] =>
    (parts.get(parent) ?? [])
      .map((step) => ({
        step,
        from: (readStart(step) - first) / whole,
        length: Math.max(0, readEnd(step) - readStart(step)) / whole,
        afterMs: readStart(step) - first,
        inside: buildBars(step.step_id),
      }))
      .toSorted((a, b) => a.from - b.from);
  return { bars: buildBars(null), totalMs: last - first };
}

/** Lengths between marks of an axis, in ms: those that people count in. */
const MARKS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000,
  600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000,
];
const MAX_MARKS = 6;

/** Chooses the marks of an axis, in ms from its start: at most seven, the first one 0. */
export function chooseMarks(totalMs: number): number[] {
  const day = MARKS.at(-1) ?? 1;
  const length =
    MARKS.find((mark) => totalMs / mark <= MAX_MARKS) ?? day * Math.ceil(totalMs / day / MAX_MARKS);
  return Array.from({ length: Math.floor(totalMs / length) + 1 }, (_, index) => index * length);
}
