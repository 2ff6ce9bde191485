/** The bars of a run would show steps at other times than they ran, or days of waiting would squeeze the work out of sight. */
import { expect, test } from 'vitest';
import type { Run, RunStep } from '../../../../src/surfaces/client/openapi.ts';
import { listWaits } from '../../../../src/surfaces/web/runs/joined-run.ts';
import { buildScale, chooseMarks } from '../../../../src/surfaces/web/runs/time-scale.ts';
import { buildTimeline } from '../../../../src/surfaces/web/runs/timeline.ts';

const at = (ms: number): string => new Date(ms).toISOString();
const step = (id: string, [from, to]: readonly [number | null, number | null], parent?: string): RunStep =>
  ({
    step_id: id,
    parent_step_id: parent ?? null,
    started_at: from === null ? null : at(from),
    completed_at: to === null ? null : at(to),
  }) as RunStep;

test('bars are parts of the time of the run, in the order of their starts, items below their map', () => {
  const { bars, scale } = buildTimeline(
    [
      step('item', [2_000, 3_000], 'map'),
      step('map', [1_500, 4_000]),
      step('first', [1_000, 1_500]),
      step('skipped', [null, null]),
      step('running', [4_000, null]),
    ],
    5_000,
  );
  expect(bars.map(({ step: { step_id: id }, from, length }) => [id, from, length])).toEqual([
    ['first', 0, 0.125],
    ['map', 0.125, 0.625],
    ['running', 0.75, 0.25],
  ]);
  expect([scale.place(1_000), scale.place(5_000), scale.breaks]).toEqual([0, 1, []]);
  expect(bars[1]?.inside.map(({ step: { step_id: id }, afterMs }) => [id, afterMs])).toEqual([
    ['item', 1_000],
  ]);
});

test('a run without a step that began has no bars, and one of an instant has no division by zero', () => {
  expect(buildTimeline([step('skipped', [null, null])], 5_000).bars).toEqual([]);
  expect(buildTimeline([step('only', [5_000, 5_000])], 5_000).bars[0]).toMatchObject({ from: 0, length: 0 });
});

test('the axis has few marks, at lengths that people count in', () => {
  expect(chooseMarks(0)).toEqual([0]);
  expect(chooseMarks(4_000)).toEqual([0, 1_000, 2_000, 3_000, 4_000]);
  expect(chooseMarks(125_000)).toEqual([0, 30_000, 60_000, 90_000, 120_000]);
  expect(chooseMarks(40 * 86_400_000)).toHaveLength(6);
});

const DAY = 86_400_000;

test('two days of waiting are a break on the axis, and the work before and after it keeps its room', () => {
  const segment = (from: number, to: number, more: Partial<Run>): Run =>
    ({
      status: 'succeeded',
      started_at: at(from),
      completed_at: at(to),
      resumed_by_run_ids: [],
      ...more,
    }) as unknown as Run;
  const segments = [
    segment(0, 4_000, { status: 'interrupted', resumed_by_run_ids: ['run-2'] }),
    segment(2 * DAY, 2 * DAY + 4_000, {}),
  ];
  const waits = listWaits({ segments }, 3 * DAY);
  expect(waits).toEqual([{ from: 4_000, to: 2 * DAY }]);
  const { bars, scale } = buildTimeline(
    [step('before', [0, 3_000]), step('ask', [3_000, 2 * DAY]), step('after', [2 * DAY, 2 * DAY + 4_000])],
    3 * DAY,
    waits,
  );
  const [gap] = scale.breaks;
  expect(scale.breaks).toHaveLength(1);
  expect(gap?.ms).toBe(2 * DAY - 4_000);
  expect(gap?.length).toBeLessThan(0.1);
  const [before, asks, after] = bars;
  // A second is as long before the break as after it; the bar of the question goes through it.
  expect((after?.length ?? 0) / (before?.length ?? 1)).toBeCloseTo(4 / 3);
  expect((asks?.from ?? 0) + (asks?.length ?? 0)).toBeCloseTo((gap?.from ?? 0) + (gap?.length ?? 0));
  expect((after?.from ?? 0) + (after?.length ?? 0)).toBeCloseTo(1);
  expect(after?.afterMs).toBe(2 * DAY);
  // Marks count the time at work, and none is written over the break.
  expect(scale.marks.map(({ ms }) => ms)).toEqual([0, 2_000, 6_000, 8_000]);
  expect(scale.marks.at(-1)?.place).toBeCloseTo(1);
});

test('a run that waits now has its break to this moment; a wait that is short beside the work has none', () => {
  const open = { status: 'interrupted', started_at: at(0), completed_at: at(1_000), resumed_by_run_ids: [] };
  expect(listWaits({ segments: [open as unknown as Run] }, DAY)).toEqual([{ from: 1_000, to: DAY }]);
  const hour = 3_600_000;
  const scale = buildScale({ from: 0, to: hour }, [{ from: 10_000, to: 20_000 }]);
  expect(scale.breaks).toEqual([]);
  expect(scale.place(hour / 2)).toBeCloseTo(0.5);
});

test('however often a run waited, its work has half of the axis', () => {
  const waits = Array.from({ length: 40 }, (_, index) => ({
    from: index * DAY + 1_000,
    to: (index + 1) * DAY,
  }));
  const scale = buildScale({ from: 0, to: 40 * DAY + 1_000 }, waits);
  expect(scale.breaks).toHaveLength(40);
  expect(scale.breaks.reduce((sum, { length }) => sum + length, 0)).toBeCloseTo(0.5);
  expect(scale.place(40 * DAY + 1_000)).toBeCloseTo(1);
});
