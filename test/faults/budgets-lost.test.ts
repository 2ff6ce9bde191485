/**
 * Runs at the same time, of two workers of which one is killed, would together use more than their organization's budget, or leave a
 * reservation. `FAULT_RUNS` makes more runs, with a budget that grows with them, `FAULT_SEED` repeats the decisions.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { releaseLostReservations } from '../../src/platform/billing/budgets.ts';
import { END, START, edge, node, workflow } from '../support/definitions.ts';
import { eventually } from '../support/waiting.ts';
import { PatientClient } from './support/client.ts';
import { expectPromisesKept, settled } from './support/promises.ts';
import { random } from './support/random.ts';
import { startSituation, type Situation } from './support/situation.ts';

const RUNS = Number(process.env['FAULT_RUNS'] ?? 100);
const MOST_CREDITS = (RUNS * 6) / 200;
const MOST_CALLS = (RUNS * 160) / 200;

let situation: Situation;
const accepted: string[] = [];
beforeAll(async () => {
  situation = await startSituation();
});
afterAll(() => situation.close());
afterEach(() => expectPromisesKept(situation, accepted));

const drawn = random();

/** One to three calls of a model, at the same time or after one another, of an answer that may be as long as this or shorter. */
function drawDefinition(): JsonObject {
  const calls = Array.from({ length: Math.ceil(drawn.between(0, 3)) }, (_, index) =>
    node(`call${index}`, 'llm', {
      provider: 'openai',
      model: 'test-model',
      messages: [{ role: 'user', content: 'Go' }],
      parameters: { max_output_tokens: Math.ceil(drawn.between(0, 40)) },
    }),
  );
  const isChain = drawn.chance(0.5);
  return workflow(
    calls,
    calls.flatMap((_, index) => [
      edge(isChain && index > 0 ? `call${index - 1}` : START, `call${index}`),
      ...(isChain && index < calls.length - 1 ? [] : [edge(`call${index}`, END)]),
    ]),
  );
}

interface Used {
  readonly used: number;
  readonly reserved: number;
  readonly calls: number;
}
async function readUsed(): Promise<Used> {
  const [row] = await situation.db.query<Used>(
    `SELECT used_mc::int AS used, reserved_mc::int AS reserved, model_calls::int AS calls FROM budget_counters WHERE period = 'month'`,
  );
  return row ?? { used: 0, reserved: 0, calls: 0 };
}

test(
  `seed ${drawn.seed}: ${RUNS} runs at once stay within the budget of their organization while a worker is killed`,
  async () => {
    const { db, model, service } = situation;
    const client = new PatientClient(service);
    const body = { period: 'month', max_credits: MOST_CREDITS, max_model_calls: MOST_CALLS };
    expect((await client.send('POST', '/budgets', { body })).status).toBe(201);
    model.scriptBy(({ max_completion_tokens: newer, max_tokens: older }) => ({
      text: ['Hello'],
      delayMs: drawn.between(0, 400),
      usage: { input: 7, output: Math.ceil(drawn.between(0, Number(newer ?? older))) },
    }));
    const starts = Array.from({ length: RUNS }, () => client.run(drawDefinition(), {}));
    const [first] = service.workers;
    await eventually('calls under way', Math.max(60_000, RUNS * 300), async () =>
      (await readUsed()).calls >= MOST_CALLS / 4 ? true : null,
    );
    await first.kill();
    accepted.push(...(await Promise.all(starts)));
    await first.start();
    let most = 0;
    await eventually('the end of all runs', Math.max(240_000, RUNS * 1_000), async () => {
      const { used, reserved } = await readUsed();
      most = Math.max(most, used + reserved);
      const [open] = await db.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM runs WHERE status = 'running'`,
      );
      return open?.count === 0 ? true : null;
    });
    await settled(situation);
    expect(most).toBeLessThanOrEqual(MOST_CREDITS * 1_000);

    const [charged] = await db.query<{ mc: number }>(
      'SELECT coalesce(sum(credits_mc), 0)::int AS mc FROM credit_usage',
    );
    const [refused] = await db.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM run_steps WHERE error->>'code' = 'budget_exceeded'`,
    );
    const now = await readUsed();
    // The killed worker has lost answers that nobody is charged for; their calls count.
    expect(charged?.mc).toBeLessThanOrEqual(now.used);
    expect(now.used).toBeLessThanOrEqual(MOST_CREDITS * 1_000);
    expect(model.requests.length).toBeLessThanOrEqual(MOST_CALLS);
    expect(now.calls).toBeLessThanOrEqual(MOST_CALLS);
    expect(refused?.count).toBeGreaterThan(0);
    // It was worth something: most of the budget is used.
    expect(now.used + now.calls * 30).toBeGreaterThan(MOST_CREDITS * 500);

    await db.query(`UPDATE budget_reservations SET created_at = created_at - interval '2 minutes'`);
    await releaseLostReservations(db);
    expect(await readUsed()).toMatchObject({ reserved: 0 });
    expect(await db.query('SELECT 1 FROM budget_reservations')).toEqual([]);
  },
  RUNS * 3_000 + 300_000,
);
