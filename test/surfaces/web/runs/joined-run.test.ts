/** A run of several segments as one: if this fails, an answered run shows steps twice, or values of another segment. */
import { expect, test } from 'vitest';
import type { Run, RunStep } from '../../../../src/surfaces/client/openapi.ts';
import { isUnattended, joinSegments, readSegments } from '../../../../src/surfaces/web/runs/joined-run.ts';
import { listRows } from '../../../../src/surfaces/web/runs/step-tree.ts';
import { searchValue } from '../../../../src/surfaces/web/runs/value-search.ts';
import { findRows } from '../../../../src/surfaces/web/runs/table-rows.ts';

const step = (id: string, node: string, more: Partial<RunStep> = {}): RunStep =>
  ({
    step_id: id,
    node_id: node,
    node_name: node,
    status: 'succeeded',
    visit: 1,
    item_index: null,
    iteration: null,
    parent_step_id: null,
    started_at: null,
    completed_at: null,
    duration_ms: null,
    ...more,
  }) as RunStep;
const segment = (id: string, steps: readonly RunStep[], more: Partial<Run> = {}): Run =>
  ({
    id,
    run_id: `run-${id}`,
    steps,
    credits: { charged: 0.1 },
    resumed_from_run_id: null,
    resumed_by_run_ids: [],
    ...more,
  }) as unknown as Run;

test('a run that no worker begins is not called running for longer than a worker takes', () => {
  const accepted = { status: 'running', started_at: '2026-01-01T00:00:00.000Z' } as const;
  const at = (seconds: number): number => Date.parse(accepted.started_at) + seconds * 1_000;
  const none = joinSegments([segment('1', [], accepted)]);
  expect([4, 5, 600].map((seconds) => isUnattended(none, at(seconds)))).toEqual([false, true, true]);
  expect(isUnattended(joinSegments([segment('1', [step('a', 'read')], accepted)]), at(600))).toBe(false);
  expect(isUnattended(joinSegments([segment('1', [], { ...accepted, status: 'failed' })]), at(600))).toBe(
    false,
  );
});

test('a step that waited and was answered is one step, from the time when it asked', () => {
  const joined = joinSegments([
    segment('1', [
      step('a', 'read'),
      step('b', 'ask', { status: 'interrupted', started_at: '2026-01-01T00:00:00.000Z' }),
      step('c', 'tool', { parent_step_id: 'b' }),
    ]),
    segment('2', [
      step('d', 'ask', { completed_at: '2026-01-01T01:00:00.000Z', duration_ms: 1 }),
      step('e', 'send'),
    ]),
  ]);
  expect(joined.steps.map(({ step_id: id, run_pk, parent_step_id: parent }) => [id, run_pk, parent])).toEqual(
    [
      ['a', '1', null],
      ['d', '2', null],
      ['c', '1', 'd'],
      ['e', '2', null],
    ],
  );
  expect(joined.steps[1]).toMatchObject({ started_at: '2026-01-01T00:00:00.000Z', duration_ms: 3_600_000 });
  expect(joined.credits).toBe(0.2);
  expect([joined.first.id, joined.newest.id]).toEqual(['1', '2']);
});

test('an outline has the fields that it leaves out, and no values', () => {
  const outline = [
    {
      step_id: 'a',
      node_id: 'ask',
      node_name: 'Ask',
      status: 'interrupted',
      visit: 1,
      started_at: '2026-01-01T00:00:00.000Z',
    },
  ];
  const answered = [
    {
      step_id: 'b',
      node_id: 'ask',
      node_name: 'Ask',
      status: 'succeeded',
      visit: 1,
      started_at: '2026-01-01T01:00:00.000Z',
      duration_ms: 500,
    },
  ];
  const joined = joinSegments([segment('1', [], { outline }), segment('2', [], { outline: answered })]);
  expect(joined.steps).toEqual([
    {
      step_id: 'b',
      node_id: 'ask',
      node_name: 'Ask',
      status: 'succeeded',
      visit: 1,
      parent_step_id: null,
      item_index: null,
      iteration: null,
      selected_handle: null,
      started_at: '2026-01-01T00:00:00.000Z',
      completed_at: '2026-01-01T01:00:00.500Z',
      duration_ms: 3_600_500,
      run_pk: '2',
      whole: null,
    },
  ]);
});

test('any segment leads to the whole run, and only its newest segment is read again', async () => {
  const runs = new Map(
    [
      segment('1', [], { resumed_by_run_ids: ['run-2'] }),
      segment('2', [], { resumed_from_run_id: 'run-1', resumed_by_run_ids: ['run-3'] }),
      segment('3', [], { resumed_from_run_id: 'run-2' }),
    ].map((run) => [run.id, run] as const),
  );
  const read: string[] = [];
  const client = {
    request: (
      _method: string,
      _path: string,
      { path: { run_pk: id } }: { readonly path: { run_pk: string } },
    ) => {
      read.push(id);
      return Promise.resolve(runs.get(id));
    },
    runs: {
      list: ({ run_id: runId }: { readonly run_id: string }) => ({
        page: () => {
          const id = runId.slice(4);
          const earlier = [...runs.keys()].filter((other) => other < id).map((other) => ({ id: other }));
          return Promise.resolve({ runs: [{ id, earlier_segments: earlier }] });
        },
      }),
    },
  } as never;
  for (const id of ['1', '2', '3'])
    expect((await readSegments(client, id, [])).map((run) => run.id)).toEqual(['1', '2', '3']);
  read.length = 0;
  expect(await readSegments(client, '1', [...runs.values()])).toHaveLength(3);
  expect(read).toEqual(['3']);
});

test('steps inside others fold when they are many, and a search lists them without a tree', () => {
  const items = Array.from({ length: 30 }, (_, index) =>
    step(`i${index}`, 'each', { parent_step_id: 'map', item_index: index }),
  );
  const steps = [step('map', 'each'), ...items, step('end', 'end')];
  const ids = (toggled: readonly string[], text = '') =>
    listRows(steps, new Set(toggled), text).map((row) => row.step.step_id);
  expect(ids([])).toEqual(['map', 'end']);
  expect(ids(['map'])).toHaveLength(32);
  expect(ids([], 'item 29')).toEqual(['i29']);
});

test('a search in a value finds keys and texts, and the way to them', () => {
  const { paths, count } = searchValue({ order: { id: 7, items: ['apple', 'pear'] }, pears: null }, 'PEAR');
  expect(count).toBe(2);
  expect([...paths].toSorted()).toEqual(['', '\norder', '\norder\nitems', '\norder\nitems\n1', '\npears']);
  expect(searchValue({}, 'x')).toEqual({ count: 0, paths: new Set() });
});

test('a list of objects, alone or as the only list of an object, is a table', () => {
  const rows = [{ id: 1 }, { id: 2, name: 'b' }];
  expect(findRows(rows)).toBe(rows);
  expect(findRows({ status: 200, data: rows })).toBe(rows);
  for (const value of [{ a: rows, b: rows }, [1, 2], [], 'text', null, { status: 200 }, [rows]])
    expect(findRows(value)).toBeNull();
});
