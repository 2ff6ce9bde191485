/** Lays out steps as bars over time: start and length are fractions of the axis, and each bar is inside that of its parent step. */
import type { ListedStep } from './listed-step.ts';
import { groupByParent } from './group-steps.ts';
import { buildScale, type Period, type TimeScale } from './time-scale.ts';

export interface Bar {
  readonly step: ListedStep;
  /** Fractions of the axis: 0 to 1. */
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
  readonly scale: TimeScale;
}

type Timed = Pick<ListedStep, 'step_id' | 'parent_step_id' | 'started_at' | 'completed_at'>;

/**
 * Lays out the steps of a run.
 * @param nowMs the end of steps that have not ended
 * @param waits periods in which the run waited for an answer
 */
export function buildTimeline(
  steps: readonly ListedStep[],
  nowMs: number,
  waits: readonly Period[] = [],
): Timeline {
  const started = steps.filter(({ started_at: at }) => at !== null);
  const readStart = ({ started_at: at }: Timed): number => Date.parse(at ?? '');
  const readEnd = ({ completed_at: at }: Timed): number => (at === null ? nowMs : Date.parse(at));
  const first = started.reduce((least, step) => Math.min(least, readStart(step)), nowMs);
  const last = started.reduce((most, step) => Math.max(most, readEnd(step)), first);
  const scale = buildScale({ from: first, to: last }, waits);
  const children = groupByParent(started);
  const buildBars = (parent: string | null): Bar[] =>
    (children.get(parent) ?? [])
      .map((step) => ({
        step,
        from: scale.place(readStart(step)),
        length: Math.max(0, scale.place(readEnd(step)) - scale.place(readStart(step))),
        afterMs: readStart(step) - first,
        inside: buildBars(step.step_id),
      }))
      .toSorted((a, b) => a.from - b.from);
  return { bars: buildBars(null), scale };
}
