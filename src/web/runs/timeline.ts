/** Steps as bars over time: where each begins and how long it is, in parts of the run, each below what it is part of. */
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

type Timed = Pick<RunStep, 'step_id' | 'parent_step_id' | 'started_at' | 'completed_at'>;

/** @param nowMs the end of what has not ended. @returns the outermost bars by their start; steps that never began are left out */
export function buildTimeline(steps: readonly RunStep[], nowMs: number): Bar[] {
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
  return buildBars(null);
}
