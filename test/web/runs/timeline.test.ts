/** Steps as bars over time. */
import { expect, test } from 'vitest';
import type { RunStep } from '../../../src/client/openapi.ts';
import { buildTimeline, chooseMarks } from '../../../src/web/runs/timeline.ts';

const at = (ms: number): string => new Date(ms).toISOString();
const step = (id: string, [from, to]: readonly [number | null, number | null], parent?: string): RunStep =>
  ({
    step_id: id,
    parent_step_id: parent ?? null,
    started_at: from === null ? null : at(from),
    completed_at: to === null ? null : at(to),
  }) as RunStep;

test('bars are parts of the time of the run, in the order of their starts, items below their map', () => {
  const { bars, totalMs } = buildTimeline(
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
  expect(totalMs).toBe(4_000);
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
