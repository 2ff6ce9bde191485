/** A comparison of two large runs would be wrong, or exhaust the memory of the API. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../../../src/platform/access/caller.ts';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import { MAX_OUTPUTS_BYTES } from '../../../../src/engine/runs/ledger/read/compared-steps.ts';
import { MAX_STEP_VALUE_BYTES } from '../../../../src/engine/runs/ledger/read/run-record.ts';
import { compareRuns } from '../../../../src/engine/runs/rerun/compare.ts';
import { openTestDatabase, type TestDb } from '../../../support/database.ts';
import { accept } from '../../../support/runs.ts';

let db: TestDb;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

interface Made {
  readonly organizationId: string;
  readonly runPk: string;
}

/** A run whose nodes `n1`, `n2`, … have ended with these outputs, as JSON texts. */
async function runWith(outputs: readonly string[], organizationId: string = randomUUID()): Promise<Made> {
  const { runPk } = await accept(db, { organizationId });
  await db.query(
    `INSERT INTO run_steps (step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, depth, position, status, effect,
                            output, outcome, started_at, completed_at)
     SELECT gen_random_uuid(), $1, $1, 'n' || place, 'llm', 'Node ' || place, 1, 1, place, 'succeeded', 'pure', output::json,
            '{"taken": [], "failed": false}', now(), now()
     FROM unnest($2::text[]) WITH ORDINALITY AS given(output, place)`,
    [runPk, outputs],
  );
  return { organizationId, runPk };
}

async function compared(a: Made, b: Made): Promise<readonly JsonObject[]> {
  const scope = { organizationId: a.organizationId, role: 'owner', caller: { userId: randomUUID() } };
  const { nodes } = await compareRuns({ db }, scope as unknown as Scope, [a.runPk, b.runPk]);
  return nodes as JsonObject[];
}

/** An output of so many bytes. */
const sized = (bytes: number, letter: string): string => JSON.stringify(letter.repeat(bytes - 2));
const sidesOf = (sizes: readonly number[]) =>
  ['a', 'b'].map((letter) => sizes.map((bytes) => sized(bytes, letter)));

test('SEC-H06: outputs are compared up to 4 MiB together, of the others it is told that they differ', async () => {
  const pairs = MAX_OUTPUTS_BYTES / MAX_STEP_VALUE_BYTES / 2;
  const placesOf = async (sizes: readonly number[]): Promise<number> => {
    const [left = [], right = []] = sidesOf(sizes);
    const a = await runWith(left);
    const nodes = await compared(a, await runWith(right, a.organizationId));
    expect(nodes.every((node) => node['output_differs'])).toBe(true);
    return nodes.filter(({ differences }) => differences !== null).length;
  };
  const whole = Array.from({ length: pairs }, () => MAX_STEP_VALUE_BYTES);
  expect(await placesOf(whole)).toBe(pairs);
  expect(await placesOf([3, ...whole])).toBe(pairs);
  expect(await placesOf(whole.with(0, MAX_STEP_VALUE_BYTES + 1))).toBe(pairs - 1);
});

test('SEC-H06: at most fifty places of an output are named, none by more than 512 characters', async () => {
  const members = (count: number, value: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value])));
  const deep = (length: number, value: number): string =>
    JSON.stringify({ outside: { ['x'.repeat(length)]: value, ['y'.repeat(length)]: value } });
  const room = 512 - '/outside/'.length;
  const sides = [1, 2].map((value) => [
    members(50, value),
    members(51, value),
    deep(room, value),
    deep(room + 1, value),
    JSON.stringify({ ['x'.repeat(600)]: value }),
  ]);
  const a = await runWith(sides[0] ?? []);
  const nodes = await compared(a, await runWith(sides[1] ?? [], a.organizationId));
  const places = nodes.map(({ differences }) => differences as string[]);
  expect(places.slice(0, 2).map(({ length }) => length)).toEqual([50, 50]);
  expect(places[2]).toEqual([`/outside/${'x'.repeat(room)}`, `/outside/${'y'.repeat(room)}`]);
  expect(places.slice(3)).toEqual([['/outside'], ['']]);
});

test('outputs that differ in the order of their keys are the same', async () => {
  const a = await runWith(['{"a": 1, "b": [2]}', 'null']);
  const nodes = await compared(a, await runWith(['{"b": [2], "a": 1}', '{"a": 1}'], a.organizationId));
  expect(nodes.map(({ output_differs: differs, differences }) => [differs, differences])).toEqual([
    [false, []],
    [true, ['']],
  ]);
});
