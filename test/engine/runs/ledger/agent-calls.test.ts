/** Each turn of an agent would have the database parse the results of all earlier ones over and over. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sql } from '../../../../src/base/db/client.ts';
import type { Json } from '../../../../src/language/graph/values/value.ts';
import {
  endTurn,
  insertTurn,
  MAX_RESULT_BYTES,
  readCalls,
} from '../../../../src/engine/runs/ledger/write/agent-records.ts';
import type { StepKey } from '../../../../src/engine/runs/ledger/write/steps.ts';
import { newStep } from '../../../../src/engine/runs/walk/step.ts';
import { writeSteps } from '../../../../src/engine/runs/ledger/write/write-steps.ts';
import { openTestDatabase, type TestDb } from '../../../support/database.ts';
import { accept } from '../../../support/runs.ts';

let db: TestDb;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

/** Stores an agent with a turn for each list of results. */
async function storeAgent(turns: readonly (readonly Json[])[]): Promise<StepKey> {
  const { organizationId, runPk } = await accept(db);
  const segment = { organizationId, runPk, rootRunPk: runPk };
  const agentStepId = randomUUID();
  const place = {
    run_pk: runPk,
    root_run_pk: runPk,
    node_id: 'agent',
    node_type: 'agent',
    node_name: 'Agent',
    visit: 1,
    item_index: -1,
    turn: 0,
    call: 0,
    parent_step_id: null,
    iteration: null,
    depth: 0,
    position: 0,
    effect: 'pure',
    held_by: null,
  };
  const now = new Date().toISOString();
  const steps = [newStep({ ...place, step_id: agentStepId }, now)];
  for (const [index, results] of turns.entries())
    for (const [call, data] of results.entries()) {
      const step = newStep(
        { ...place, step_id: randomUUID(), turn: index + 1, call, parent_step_id: agentStepId },
        now,
      );
      steps.push({
        ...step,
        status: 'succeeded',
        output: { data },
        outcome: { taken: [], failed: false },
        completed_at: now,
      });
    }
  await db.transaction(async (tx) => {
    await writeSteps(tx, segment, { steps });
    for (const [index, results] of turns.entries()) {
      const calls = results.map((_, call) => ({
        id: `${call}`,
        name: 'tool',
        text: '{}',
        arguments: {},
        refusal: null,
      }));
      await insertTurn(tx, agentStepId, { turn: index + 1, attempt: 1 });
      const reply = { content: '', correction: null, calls };
      await endTurn(tx, agentStepId, { turn: index + 1, opening: null, reply, usage: USAGE });
    }
  });
  return { runPk, nodeId: 'agent', visit: 1, itemIndex: -1 };
}

/** The text of a result that has `bytes` as JSON. */
const textOf = (bytes: number): string => 'a'.repeat(bytes - 2);

describe('the result of a call', () => {
  test('is whole up to the limit', async () => {
    const whole = textOf(MAX_RESULT_BYTES);
    const [call] = await readCalls(db, await storeAgent([[whole]]));
    expect(call).toMatchObject({ result: whole, beginning: null, bytes: null });
  });

  test('has its beginning and its length beyond', async () => {
    const [call] = await readCalls(db, await storeAgent([[textOf(MAX_RESULT_BYTES + 1)]]));
    const beginning = textOf(MAX_RESULT_BYTES + 1);
    expect(call).toMatchObject({ result: null, beginning, bytes: MAX_RESULT_BYTES - 1 });
  });

  test('that is no text has the beginning of its JSON', async () => {
    const list = Array.from({ length: MAX_RESULT_BYTES }, () => 1);
    const [call] = await readCalls(db, await storeAgent([[list]]));
    const text = JSON.stringify(list);
    expect(call).toMatchObject({
      result: null,
      beginning: text.slice(0, MAX_RESULT_BYTES),
      bytes: text.length,
    });
  });

  test.each(['null', '{"a": [1]}', '7'])('may be %s', async (text) => {
    const [call] = await readCalls(db, await storeAgent([[JSON.parse(text)]]));
    expect(call).toMatchObject({ result: JSON.parse(text), beginning: null, bytes: null });
  });
});

test('the calls of a turn are read without those of others, and one call alone', async () => {
  const key = await storeAgent([['a'], ['b', 'c'], ['d']]);
  const read = async (more: object) => (await readCalls(db, { ...key, ...more })).map(({ result }) => result);
  expect(await read({})).toEqual(['a', 'b', 'c', 'd']);
  // A turn alone names the step of its agent.
  expect(await read({ turn: 2 })).toEqual(['a', 'b', 'c', 'd']);
  expect(await read({ turn: 2, ofTurn: true })).toEqual(['b', 'c']);
  expect(await read({ turn: 2, call: 1 })).toEqual(['c']);
});

test('the plan takes a result out of its output once', async () => {
  const plans: string[] = [];
  const explaining: Sql = {
    async query(text, params) {
      const rows = await db.query<{ 'QUERY PLAN': string }>(`EXPLAIN (VERBOSE, COSTS OFF) ${text}`, params);
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      return [];
    },
  };
  await readCalls(explaining, { runPk: randomUUID(), nodeId: 'agent', visit: 1, itemIndex: -1 });
  expect(plans.join('\n').match(/output -> 'data'/g)).toHaveLength(1);
});
