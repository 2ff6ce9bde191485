/** The scale of a timeline: times to places, with long waits cut out of it, so that two days for an answer are no empty stretch. */

/** A stretch of time, in ms since the epoch. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

interface Break {
  /** Parts of the axis: 0 to 1. */
  readonly from: number;
  readonly length: number;
  /** The time that is cut out. */
  readonly ms: number;
}

interface AxisMark {
  /** Part of the axis: 0 to 1. */
  readonly place: number;
  /** Time since the start, without the breaks. */
  readonly ms: number;
}

export interface TimeScale {
  /** Returns the part of the axis of a time: 0 to 1. */
  place(timeMs: number): number;
  readonly breaks: readonly Break[];
  readonly marks: readonly AxisMark[];
}

/** A wait is cut out from this length on, when it is also this part of the time at work: a shorter one fits the axis. */
const MIN_BREAK_MS = 2_000;
const MIN_BREAK_PART = 0.25;
const BREAK_WIDTH = 0.06;
/** Many breaks leave at least half of the axis to the work. */
const MAX_BREAKS_WIDTH = 0.5;
/** A mark this near a break would be written over the length of the break. */
const MARK_MARGIN = 0.04;

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

/** Builds the scale of a run. @param waits periods in which nothing worked, in order and apart */
export function buildScale({ from, to }: Period, waits: readonly Period[]): TimeScale {
  const within = waits
    .map((wait) => ({ from: Math.max(from, wait.from), to: Math.min(to, wait.to) }))
    .filter((wait) => wait.to > wait.from);
  const workMs = to - from - within.reduce((sum, wait) => sum + wait.to - wait.from, 0);
  const cut = within.filter((wait) => wait.to - wait.from >= Math.max(MIN_BREAK_MS, workMs * MIN_BREAK_PART));
  const shownMs = Math.max(1, to - from - cut.reduce((sum, wait) => sum + wait.to - wait.from, 0));
  const width = Math.min(BREAK_WIDTH, MAX_BREAKS_WIDTH / Math.max(1, cut.length));
  const part = (1 - width * cut.length) / shownMs;
  const place = (timeMs: number): number => {
    let at = Math.min(to, Math.max(from, timeMs)) - from;
    let breaks = 0;
    for (const wait of cut) {
      if (timeMs <= wait.from) break;
      const passed = Math.min(timeMs, wait.to) - wait.from;
      at -= passed;
      breaks += passed / (wait.to - wait.from);
    }
    return at * part + breaks * width;
  };
  const breaks = cut.map((wait) => ({ from: place(wait.from), length: width, ms: wait.to - wait.from }));
  const marks = chooseMarks(to - from === 0 ? 0 : shownMs).map((ms) => {
    const time = cut.reduce((at, wait) => (at > wait.from ? at + wait.to - wait.from : at), from + ms);
    return { ms, place: place(time) };
  });
  const isFree = (mark: AxisMark): boolean =>
    mark.ms === 0 ||
    breaks.every(
      (one) => mark.place < one.from - MARK_MARGIN || mark.place > one.from + one.length + MARK_MARGIN,
    );
  return { place, breaks, marks: marks.filter(isFree) };
}
