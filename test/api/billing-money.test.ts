/**
 * An organization would be charged twice or not at all, and its ledger would not add up to its wallet (SPEC REL-G10).
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildAdmission, admit } from '../../src/platform/billing/admission.ts';
import { settle, settleLeftovers } from '../../src/platform/billing/settlement.ts';
import { recordUsage } from '../../src/platform/billing/usage.ts';
import type { Db } from '../../src/base/db/client.ts';
import { cancelRun } from '../../src/engine/runs/ledger/write/cancel.ts';
import { closeRun, type TerminalStatus } from '../../src/engine/runs/ledger/write/events.ts';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { booksOf, setTerms, type Terms } from '../support/money.ts';
import { ask } from '../support/questions.ts';

let api: ApiServer;
let db: Db;
let tenant: Tenant;
beforeAll(async () => {
  api = await startApi();
  db = api.deps.db;
});
beforeEach(async () => {
  tenant = await api.tenant();
});
afterAll(() => api.close());

interface Begun {
  readonly runId: string;
  readonly runPk: string;
  readonly organizationId: string;
  readonly rootRunPk: string;
}

async function begin(): Promise<Begun> {
  const { status, body } = await tenant.call('POST', '/workflows/run', { body: { workflow: hello() } });
  expect(status).toBe(200);
  return begunOf(body.run_id);
}

async function begunOf(runId: string): Promise<Begun> {
  const [row] = await db.query<Begun>(
    `SELECT run_id AS "runId", id AS "runPk", organization_id AS "organizationId", root_run_pk AS "rootRunPk"
     FROM runs WHERE run_id = $1`,
    [runId],
  );
  if (row === undefined) throw new Error(`there is no run ${runId}`);
  return row;
}

const use = (
  run: Begun,
  creditsMc: number,
  more: { isByok?: boolean; stepId?: string } = {},
): Promise<void> =>
  recordUsage(
    db,
    { organizationId: run.organizationId, subjectId: run.runPk, stepId: more.stepId ?? randomUUID() },
    [
      {
        kind: 'llm',
        model: 'test-model',
        isByok: more.isByok ?? false,
        inputTokens: 10,
        outputTokens: 5,
        creditsMc,
      },
    ],
  );

const end = (run: Begun, status: TerminalStatus = 'completed'): Promise<boolean> =>
  closeRun(db, { runPk: run.runPk, from: ['running'], status, payload: {} });

/** What is said of the books, and what holds always. */
async function expectBooks(wanted: object): Promise<void> {
  const books = await booksOf(db, tenant.org);
  expect(books).toMatchObject(wanted);
  expect([books.ledger, books.reservations]).toEqual([books.wallet, books.reserved]);
}

describe('the end of a run', () => {
  const pro: Terms = { plan: 'pro', overage: true, wallet: 10 };
  test.each<[string, Terms, number, object]>([
    ['costs nothing when nothing was used', pro, 0, { used: 0, wallet: 10_000 }],
    ['is paid by the allowance', pro, 2_500, { used: 2_500, wallet: 10_000 }],
    [
      'is paid by the allowance as far as it goes, then by the wallet',
      { ...pro, used: 4_998 },
      5_000,
      { used: 5_000_000, wallet: 7_000 },
    ],
    [
      'never makes the wallet negative: the rest is used beyond the allowance',
      { ...pro, used: 4_999 },
      21_000,
      { used: 5_010_000, wallet: 0 },
    ],
    [
      'leaves the wallet alone when overage is off',
      { ...pro, overage: false, used: 4_999 },
      3_000,
      { used: 5_002_000, wallet: 10_000 },
    ],
    [
      'leaves the wallet alone on the free plan',
      { ...pro, plan: 'free', used: 499 },
      3_000,
      { used: 502_000, wallet: 10_000 },
    ],
    [
      'counts on an unlimited plan, too',
      { ...pro, plan: 'enterprise', used: 9_999 },
      3_000,
      { used: 10_002_000, wallet: 10_000 },
    ],
    [
      'keeps to an allowance that the operator has set',
      { ...pro, used: 7, entitlements: { monthly_credits: 8 } },
      3_000,
      { used: 8_000, wallet: 8_000 },
    ],
  ])('%s', async (_, terms, usedMc, wanted) => {
    await setTerms(db, tenant.org, terms);
    const run = await begin();
    if (usedMc > 0) await use(run, usedMc);
    expect(await end(run)).toBe(true);
    await expectBooks({ reserved: 0, ...wanted });
    await settle(db, [run.runPk]);
    await expectBooks({ reserved: 0, ...wanted });
  });

  test.each<[string, (run: Begun) => Promise<unknown>]>([
    ['completes', (run) => end(run)],
    ['fails', (run) => end(run, 'failed')],
    ['pauses', (run) => ask(db, run.runId, {})],
    ['is cancelled', (run) => cancelRun(db, run, null)],
  ])('releases and charges once when it %s', async (_, finish) => {
    await setTerms(db, tenant.org, { plan: 'pro' });
    const run = await begin();
    await expectBooks({ reserved: 1_000, used: 0 });
    await use(run, 300);
    await finish(run);
    await cancelRun(db, run, null);
    await expectBooks({ reserved: 0, used: 300 });
  });

  test('a newer run on the thread ends the waiting one, and only it is reserved for', async () => {
    await setTerms(db, tenant.org, { plan: 'pro' });
    const first = await begin();
    const [row] = await db.query<{ thread_id: string }>('SELECT thread_id FROM runs WHERE id = $1', [
      first.runPk,
    ]);
    await ask(db, first.runId, {});
    const body = { workflow: hello(), config: { thread_id: row?.thread_id } };
    expect((await tenant.call('POST', '/workflows/run', { body })).status).toBe(200);
    await expectBooks({ reserved: 1_000 });
  });

  test('usage of the own account is shown and free; attempts of a step add up', async () => {
    await setTerms(db, tenant.org, { plan: 'pro' });
    const run = await begin();
    const stepId = randomUUID();
    await use(run, 1_200, { stepId });
    await use(run, 34, { stepId });
    await use(run, 0, { isByok: true });
    await end(run);
    await expectBooks({ used: 1_234 });
    const { body } = await tenant.call('GET', `/workflow-runs/${run.runPk}`);
    expect(body.credits.charged).toBe(1.234);
    expect(body.credits.items).toHaveLength(2);
    expect(body.credits.items).toEqual(
      expect.arrayContaining([
        { step_id: stepId, kind: 'llm', model: 'test-model', credits: 1.234, byok: false },
        { step_id: expect.any(String), kind: 'llm', model: 'test-model', credits: 0, byok: true },
      ]),
    );
    await expect(use(run, 1, { isByok: true })).rejects.toThrow('credit_usage_byok_is_free');
  });

  test('last month is forgotten with the first charge of this one', async () => {
    await setTerms(db, tenant.org, { plan: 'pro', used: 4_000 });
    const run = await begin();
    await db.query(
      `UPDATE credit_accounts SET period = period - interval '1 month' WHERE organization_id = $1`,
      [tenant.org],
    );
    await use(run, 700);
    await end(run);
    await expectBooks({ used: 700 });
  });

  test('of forty at once: what was charged is what the allowance and the wallet have lost', async () => {
    await setTerms(db, tenant.org, { plan: 'pro', used: 4_990, overage: true, wallet: 60 });
    const runs: Begun[] = [];
    for (let count = 0; count < 40; count += 1) {
      await db.query('DELETE FROM rate_windows');
      runs.push(await begin());
    }
    await Promise.all(runs.map((run) => use(run, 1_000)));
    // Each is ended by several at once, as after lost answers.
    await Promise.all(runs.flatMap((run) => [end(run), cancelRun(db, run, null), settle(db, [run.runPk])]));
    await expectBooks({ used: 5_000_000, wallet: 30_000, reserved: 0 });
  });
});

describe('what is left behind', () => {
  const leave = async (leaseSeconds: number | null): Promise<string> => {
    const subjectId = randomUUID();
    const scope = {
      organizationId: tenant.org,
      subscription: { plan: 'pro', overrides: {}, isSuspended: false },
    };
    await admit(db, buildAdmission(scope), { subjectId, leaseSeconds });
    return subjectId;
  };

  test('a reservation without its run, and a lease that ran out, are released; what is alive is not', async () => {
    await setTerms(db, tenant.org, { plan: 'pro' });
    const running = await begin();
    await use(running, 500);
    await db.query(`UPDATE credit_usage SET created_at = now() - interval '1 hour'`);
    await leave(null);
    await leave(-1);
    await leave(60);
    await expectBooks({ reserved: 4_000 });
    expect(await settleLeftovers(db)).toBe(2);
    await expectBooks({ reserved: 2_000, used: 0 });
    expect(await settleLeftovers(db)).toBe(0);
  });

  test('a run whose end forgot its money', async () => {
    await setTerms(db, tenant.org, { plan: 'pro' });
    const run = await begin();
    await use(run, 500);
    await db.query(`UPDATE runs SET status = 'failed' WHERE id = $1`, [run.runPk]);
    expect(await settleLeftovers(db)).toBe(1);
    await expectBooks({ reserved: 0, used: 500 });
  });
});

describe('POST /workflows/resume/{run_id}', () => {
  test('passes the gate last; refused, the question stays open', async () => {
    await setTerms(db, tenant.org, { plan: 'pro' });
    const run = await begin();
    const [interruptId] = await ask(db, run.runId, {});
    const resume = (action: string): Promise<Answer> =>
      tenant.call('POST', `/workflows/resume/${run.runId}`, { body: { interrupt_id: interruptId, action } });
    for (const terms of [
      { plan: 'pro', used: 5_000 },
      { plan: 'pro', suspended: true },
      { plan: 'pro', entitlements: { sync_exec: 0 } },
    ]) {
      await setTerms(db, tenant.org, terms);
      expect((await resume('nonsense')).status).toBe(422);
      const { status, body } = await resume('approve');
      expect([402, 429]).toContain(status);
      expect(Object.keys(body).sort()).toEqual(['code', 'current', 'key', 'layer', 'limit', 'reason']);
    }
    const left = await db.query(
      `SELECT i.status, (SELECT count(*) FROM runs WHERE root_run_pk = i.root_run_pk) AS segments,
              (SELECT count(*) FROM outbox WHERE subject_id = i.root_run_pk AND kind = 'resume') AS told
       FROM run_interrupts i WHERE id = $1`,
      [interruptId],
    );
    expect(left).toEqual([{ status: 'pending', segments: 1, told: 0 }]);
    await expectBooks({ reserved: 0 });
    await setTerms(db, tenant.org, { plan: 'pro' });
    const { body } = await resume('approve');
    await expectBooks({ reserved: 1_000 });
    await end(await begunOf(body.run_id));
    await expectBooks({ reserved: 0 });
  });
});

describe('the ledger', () => {
  test('cannot be changed, and its balance is its sum', async () => {
    await setTerms(db, tenant.org, { plan: 'pro', wallet: 10 });
    for (const change of [
      'UPDATE wallet_ledger SET amount_mc = 1',
      'DELETE FROM wallet_ledger',
      'TRUNCATE wallet_ledger',
    ]) {
      await expect(db.query(change)).rejects.toThrow('append-only');
    }
    const overdraft = `INSERT INTO wallet_ledger (organization_id, kind, amount_mc) VALUES ($1, 'usage', -10001)`;
    await expect(db.query(overdraft, [tenant.org])).rejects.toThrow('credit_accounts_not_negative');
    await expectBooks({ wallet: 10_000 });
  });

  test('takes a payment once', async () => {
    const pay = (): Promise<unknown> =>
      db.query(
        `INSERT INTO wallet_ledger (organization_id, kind, amount_mc, reference) VALUES ($1, 'topup', 5000, $2)`,
        [tenant.org, `payment of ${tenant.org}`],
      );
    const ends = await Promise.allSettled([pay(), pay(), pay()]);
    expect(ends.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    await expectBooks({ wallet: 5_000 });
  });
});
