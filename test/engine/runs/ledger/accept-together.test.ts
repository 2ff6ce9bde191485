/** Of runs that are accepted at the same moment, one would pass a limit or be refused for another's reason. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RunAcceptor } from '../../../../src/engine/runs/accept/accept.ts';
import { storeDefinition } from '../../../../src/engine/runs/ledger/write/definitions.ts';
import { openTestDatabase, type TestDb } from '../../../support/database.ts';
import { accept, EMPTY } from '../../../support/runs.ts';

let db: TestDb;
let acceptor: RunAcceptor;
beforeAll(async () => {
  db = await openTestDatabase();
  acceptor = new RunAcceptor(db);
});
afterAll(() => db.close());

/** The transactions that made these runs. */
async function transactionsOf(runPks: readonly string[]): Promise<Set<unknown>> {
  const rows = await db.query<{ made: string }>(
    'SELECT xmin::text AS made FROM runs WHERE id = ANY($1::uuid[])',
    [runPks],
  );
  expect(rows).toHaveLength(runPks.length);
  return new Set(rows.map(({ made }) => made));
}

test('each run gets its own rows, whoever shares its statement', async () => {
  const organizationId = randomUUID();
  const definitionHash = await storeDefinition(db, organizationId, EMPTY);
  const inputs = Array.from({ length: 30 }, (_, at) => ({ at, said: `"quoted" ünï ${at}` }));
  const runs = await Promise.all(
    inputs.map((runInput) =>
      accept(db, { organizationId, definitionHash, runInput, messagePreview: runInput.said }, acceptor),
    ),
  );
  expect((await transactionsOf(runs.map(({ runPk }) => runPk))).size).toBeLessThan(runs.length / 3);
  for (const [at, run] of runs.entries()) {
    const rows = await db.query(
      `SELECT r.run_id, r.thread_id, r.chat_id, r.input, c.title, e.payload->>'chat_id' AS told, o.kind,
              (SELECT count(*) FROM run_cursors k WHERE k.root_run_pk = r.id) AS cursors
       FROM runs r JOIN chats c ON c.id = r.chat_id AND c.thread_id = r.thread_id
       JOIN run_events e ON e.run_pk = r.id AND e.seq = 1 JOIN outbox o ON o.subject_id = r.id
       WHERE r.id = $1 AND r.organization_id = $2`,
      [run.runPk, organizationId],
    );
    const { runId, threadId, chatId } = run;
    expect(rows).toEqual([
      {
        run_id: runId,
        thread_id: threadId,
        chat_id: chatId,
        input: inputs[at],
        title: inputs[at]?.said,
        told: chatId,
        kind: 'start',
        cursors: 1,
      },
    ]);
  }
});

test('organizations do not share a transaction', async () => {
  const runs = await Promise.all(Array.from({ length: 4 }, () => accept(db)));
  expect((await transactionsOf(runs.map(({ runPk }) => runPk))).size).toBe(4);
});

test('a run that cannot be stored is refused alone', async () => {
  const organizationId = randomUUID();
  await accept(db, { organizationId });
  const attempts = await Promise.allSettled(
    Array.from({ length: 8 }, (_, at) =>
      accept(
        db,
        { organizationId, createdBy: at === 3 ? 'nobody' : null, messagePreview: String(at) },
        acceptor,
      ),
    ),
  );
  expect(attempts.map(({ status }) => status)).toEqual(
    Array.from({ length: 8 }, (_, at) => (at === 3 ? 'rejected' : 'fulfilled')),
  );
});

test('the gate lets in as many of them as the account has room for, and no more', async () => {
  const [organization] = await db.query<{ id: string }>(
    `INSERT INTO organizations (name, slug) VALUES ('Gate', 'gate') RETURNING id`,
  );
  const organizationId = organization?.id ?? '';
  const admission = { organizationId, amountMc: 1_000, monthlyMc: 5_500, isPaid: false, runRate: null };
  const attempts = await Promise.allSettled(
    Array.from({ length: 12 }, () => accept(db, { organizationId, admission })),
  );
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  const [account] = await db.query(
    `SELECT a.reserved_mc, (SELECT count(*) FROM runs r WHERE r.organization_id = $1) AS runs
     FROM credit_accounts a WHERE a.organization_id = $1`,
    [organizationId],
  );
  expect(account).toEqual({ reserved_mc: 5_000, runs: 5 });
});
