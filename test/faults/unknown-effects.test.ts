/** A process that is killed around a request, its approval or its settlement would send it twice, or lose it from the inbox (SPEC REL-G3, REL-G12). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '../../src/base/db/client.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import type { StreamFrame } from '../support/event-stream.ts';
import { chain, http, node } from '../support/definitions.ts';
import { unendedSteps } from '../support/unended-steps.ts';
import { eventually } from '../support/waiting.ts';
import { PatientClient } from './support/client.ts';
import { settled } from './support/promises.ts';
import { startSituation, type Situation } from './support/situation.ts';

/** The moments at which the worker is killed: the id of the node that is there then. */
type Window = 'before_mark' | 'after_sending' | 'while_asking' | 'while_settling' | 'sending_again';

/** The same around an approval, and around the settlement of a failed run's outcome. */
type LaterWindow = 'asked' | 'approving' | 'approved' | 'sent' | 'settling' | 'settled';

/** Statements that wait for the test, by the window of their row. */
const GATES = `
  CREATE FUNCTION wait_at_gate() RETURNS TRIGGER LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.node_id = TG_ARGV[0] THEN PERFORM pg_advisory_xact_lock_shared(4711); END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER gate_of_sending BEFORE UPDATE OF sent_at ON run_steps
    FOR EACH ROW EXECUTE FUNCTION wait_at_gate('before_mark');
  CREATE TRIGGER gate_of_asking BEFORE INSERT ON run_interrupts
    FOR EACH ROW EXECUTE FUNCTION wait_at_gate('while_asking');
  CREATE TRIGGER gate_of_settling BEFORE UPDATE OF status ON run_interrupts
    FOR EACH ROW WHEN (NEW.status = 'consumed') EXECUTE FUNCTION wait_at_gate('while_settling');
  CREATE TRIGGER gate_of_approved BEFORE UPDATE OF sent_at ON run_steps
    FOR EACH ROW EXECUTE FUNCTION wait_at_gate('approved');
  CREATE TRIGGER gate_of_settled BEFORE UPDATE OF sent_at ON run_steps
    FOR EACH ROW WHEN (NEW.sent_at IS NOT NULL) EXECUTE FUNCTION wait_at_gate('settled');
  CREATE FUNCTION wait_at_gate_of_run() RETURNS TRIGGER LANGUAGE plpgsql AS $$
  DECLARE found TEXT;
  BEGIN
    IF TG_TABLE_NAME = 'runs' THEN SELECT node_id INTO found FROM run_interrupts WHERE run_pk = NEW.id LIMIT 1;
    ELSIF TG_TABLE_NAME = 'held_effects' THEN SELECT node_id INTO found FROM run_interrupts WHERE id = NEW.interrupt_id;
    ELSE SELECT node_id INTO found FROM run_steps WHERE step_id = NEW.step_id; END IF;
    IF found = TG_ARGV[0] THEN PERFORM pg_advisory_xact_lock_shared(4711); END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER gate_of_pausing BEFORE UPDATE OF status ON runs
    FOR EACH ROW WHEN (NEW.status = 'interrupted') EXECUTE FUNCTION wait_at_gate_of_run('asked');
  CREATE TRIGGER gate_of_approving BEFORE UPDATE OF approved_at ON held_effects
    FOR EACH ROW EXECUTE FUNCTION wait_at_gate_of_run('approving');
  CREATE TRIGGER gate_of_deciding BEFORE INSERT ON settled_outcomes
    FOR EACH ROW EXECUTE FUNCTION wait_at_gate_of_run('settling');
  CREATE TRIGGER gate_of_ending BEFORE INSERT OR UPDATE OF outcome ON run_steps
    FOR EACH ROW WHEN (NEW.outcome IS NOT NULL) EXECUTE FUNCTION wait_at_gate('row_written');
  CREATE FUNCTION wait_before_row() RETURNS TRIGGER LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.key = 'before' THEN PERFORM pg_advisory_xact_lock_shared(4711); END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER gate_of_rows BEFORE INSERT OR UPDATE ON data_rows FOR EACH ROW EXECUTE FUNCTION wait_before_row();
  CREATE TRIGGER gate_of_claims BEFORE INSERT ON data_claims FOR EACH ROW EXECUTE FUNCTION wait_before_row()`;

/** Tables of the organization. One would do for one writer alone: a new row waits until the number of rows is known. */
const TABLES = { before: randomUUID(), after: randomUUID() };
/** Of polls: the items that were seen, and how often each was acted on. */
const POLLS = { claimed: randomUUID(), marked: randomUUID(), done: randomUUID() };

let situation: Situation;
let client: PatientClient;
beforeAll(async () => {
  const ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;
  situation = await startSituation({ environment: { ENCRYPTION_KEYS } });
  client = new PatientClient(situation.service);
  await situation.db.query(GATES);
  await situation.db.query(
    `INSERT INTO data_tables (id, organization_id, name)
     SELECT t.id, o.id, t.id::text FROM (SELECT id FROM organizations LIMIT 1) o, unnest($1::uuid[]) AS t (id)`,
    [[...Object.values(TABLES), ...Object.values(POLLS)]],
  );
});
afterAll(() => situation.close());

interface Started {
  readonly tag: string;
  readonly runId: string;
}

async function start(window: Window, query: Readonly<Record<string, number>> = {}): Promise<Started> {
  const tag = randomUUID();
  const url = situation.recorder.url(tag, query);
  const node = http(window, url, {}, { on_unknown: 'ask', timeout_ms: 600_000 });
  return { tag, runId: await client.run(chain(node), {}) };
}

/** Starts a run that counts in a row of a table. @param nodeId `row_written`: it waits between the write and the end of its step */
async function startCounting(nodeId: string, key: keyof typeof TABLES): Promise<string> {
  const config = { kind: 'table', operation: 'increment', table_id: TABLES[key], key };
  return client.run(chain(node(nodeId, 'tool', config)), {});
}

/**
 * Starts a run that counts each new item.
 * @param nodeId `row_written`: it waits before an item, and its mark, are written
 * @param items with `before` it waits before they are claimed
 */
async function startPolling(
  nodeId: string,
  table: keyof typeof POLLS,
  items: readonly string[],
): Promise<string> {
  const table_id = POLLS[table];
  const config = { kind: 'table', operation: 'unseen', table_id, items: [...items], mark_after: nodeId };
  const count = { kind: 'table', operation: 'increment', table_id: POLLS.done, key: `${table} {{item}}` };
  const each = { for_each: { items: '{{fresh.items}}' } };
  return client.run(chain(node('fresh', 'tool', config), node(nodeId, 'tool', count, each)), {});
}

const callsOf = ({ tag }: Started): number => situation.recorder.calls(tag).length;

/** Starts a run whose request gets no answer, and says that it did not happen. @returns the run that sends it */
async function startAndSend(window: Window, query: Readonly<Record<string, number>>): Promise<Started> {
  const asked = await start(window, { drop: 1, ...query });
  const { end } = await client.read(asked.runId);
  expect(end.type).toBe('run_interrupted');
  return { tag: asked.tag, runId: String(await client.answer(end, 'send')) };
}

/** Statements that wait at a gate. */
async function countWaiting(): Promise<number> {
  const [row] = await situation.db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted`,
  );
  return row?.count ?? 0;
}

async function listQuestions(runId: string): Promise<string[]> {
  const rows = await situation.db.query<{ status: string }>(
    `SELECT i.status FROM run_interrupts i JOIN runs r ON r.root_run_pk = i.root_run_pk WHERE r.run_id = $1
     ORDER BY i.call`,
    [runId],
  );
  return rows.map(({ status }) => status);
}

/** Holds what comes to the gates. @returns how they are opened */
async function closeGates(): Promise<() => Promise<void>> {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => (close = resolve));
  const gate = situation.db.transaction(async (tx: Tx) => {
    await tx.query('SELECT pg_advisory_xact_lock(4711)');
    close();
    await opened;
  });
  await closed;
  return async () => {
    open();
    await gate;
  };
}

const awaitGates = (count: number): Promise<unknown> =>
  eventually(`${count} statements at the gates`, 60_000, async () =>
    (await countWaiting()) === count ? true : null,
  );

test('killed at any moment, the request was sent once or is in the inbox, only a person sends it again, and a row of a table is written once', async () => {
  const { service, recorder, db } = situation;
  const [first, second] = service.workers;
  await second.kill();
  const openGates = await closeGates();
  const [beforeMark, afterSending, whileAsking, whileSettling, sendingAgain, ...counting] = await Promise.all(
    [
      start('before_mark'),
      start('after_sending', { hold: 1 }),
      start('while_asking', { drop: 1 }),
      startAndSend('while_settling', {}),
      startAndSend('sending_again', { hold: 2 }),
      startCounting('count', 'before'),
      startCounting('row_written', 'after'),
      startPolling('count', 'claimed', ['before', 'b']),
      startPolling('row_written', 'marked', ['a', 'b']),
    ],
  );
  await Promise.all([
    recorder.waitFor(afterSending.tag, 1),
    recorder.waitFor(whileAsking.tag, 1),
    recorder.waitFor(sendingAgain.tag, 2),
    awaitGates(7),
  ]);
  await first.kill();
  await openGates();
  await second.start();

  const marked = await client.read(beforeMark.runId);
  // PostgreSQL may have taken the mark of the dead worker: then nobody knows.
  const isAsked = marked.end.type === 'run_interrupted';
  expect(callsOf(beforeMark)).toBe(isAsked ? 0 : 1);
  if (isAsked) expect(await listQuestions(beforeMark.runId)).toEqual(['pending']);

  for (const lost of [afterSending, whileAsking]) {
    expect((await client.read(lost.runId)).end.type).toBe('run_interrupted');
    expect(callsOf(lost)).toBe(1);
    expect(await listQuestions(lost.runId)).toEqual(['pending']);
  }

  expect((await client.read(whileSettling.runId)).end.type).toBe('run_completed');
  expect(callsOf(whileSettling)).toBe(2);
  expect(await listQuestions(whileSettling.runId)).toEqual(['consumed']);

  const again = await client.read(sendingAgain.runId);
  expect(again.end.type).toBe('run_interrupted');
  expect(callsOf(sendingAgain)).toBe(2);
  expect(await listQuestions(sendingAgain.runId)).toEqual(['consumed', 'pending']);
  const last = await client.answer(again.end, 'give_up');
  expect((await client.read(String(last))).end).toMatchObject({
    type: 'run_failed',
    error: { code: 'outcome_unknown' },
  });
  expect(callsOf(sendingAgain)).toBe(2);

  for (const runId of counting) expect((await client.read(runId)).end.type).toBe('run_completed');
  const readRows = (...tables: string[]): Promise<unknown[]> =>
    db.query('SELECT key, value, version FROM data_rows WHERE table_id = ANY ($1) ORDER BY key', [tables]);
  const counted = (key: string): object => ({ key, value: 1, version: 1 });
  expect(await readRows(TABLES.before, TABLES.after)).toEqual(['after', 'before'].map(counted));
  const acted = ['claimed b', 'claimed before', 'marked a', 'marked b'];
  expect(await readRows(POLLS.done)).toEqual(acted.map(counted));
  const seen = ['a', 'b', 'b', 'before'].map((key) => ({ key, value: { seen: 'done' }, version: 1 }));
  expect(await readRows(POLLS.claimed, POLLS.marked)).toEqual(seen);

  recorder.release();
  await settled(situation);
  expect(await unendedSteps(db)).toEqual([]);
});

interface Asked extends Started {
  readonly end: StreamFrame;
}

/** Starts a run whose request waits for an approval. */
async function startConfirmed(
  window: LaterWindow,
  query: Readonly<Record<string, number>> = {},
): Promise<Started> {
  const tag = randomUUID();
  const more = { on_unknown: 'ask', timeout_ms: 600_000, confirm: {} };
  const node = http(window, situation.recorder.url(tag, query), { body: { tag } }, more);
  return { tag, runId: await client.run(chain(node), {}) };
}

async function ask(window: LaterWindow, query: Readonly<Record<string, number>> = {}): Promise<Asked> {
  const started = await startConfirmed(window, query);
  return { ...started, end: (await client.read(started.runId)).end };
}

/** The request that approves what a run asks about. */
function toApproval(end: StreamFrame): { readonly path: string; readonly body: JsonObject } {
  const [question] = end['interrupts'] as { interrupt_id: string; payload: { digest: string } }[];
  const { interrupt_id = '', payload } = question ?? {};
  const body = { interrupt_id, action: 'approve', data: { digest: payload?.digest ?? '' } };
  return { path: `/workflows/resume/${String(end['run_id'])}`, body };
}

/** Approves at the API that lives. @returns the run that sends */
async function approve(asked: Asked): Promise<Started> {
  const { path, body } = toApproval(asked.end);
  const { body: next } = await client.send('POST', path, { body });
  return { tag: asked.tag, runId: String(next.run_id) };
}

interface Failed extends Started {
  readonly runPk: string;
  readonly stepId: string;
}

/** Starts a run that fails, because its request got no answer. */
async function fail(window: LaterWindow): Promise<Failed> {
  const tag = randomUUID();
  const runId = await client.run(chain(http(window, situation.recorder.url(tag, { drop: 1 }))), {});
  expect((await client.read(runId)).end).toMatchObject({ error: { code: 'outcome_unknown' } });
  const [step] = await situation.db.query<{ runPk: string; stepId: string }>(
    `SELECT s.root_run_pk AS "runPk", s.step_id AS "stepId" FROM run_steps s JOIN runs r ON r.id = s.run_pk WHERE r.run_id = $1`,
    [runId],
  );
  return { tag, runId, runPk: '', stepId: '', ...step };
}

const toSettlement = ({ stepId }: Failed): string => `/unknown-outcomes/${stepId}/settle`;
const SEND = { body: { action: 'send' } };

/** Reruns a failed run from where it failed. */
async function rerun({ tag, runPk }: Failed): Promise<Started> {
  const headers = { 'Idempotency-Key': randomUUID() };
  const body = { from: 'failed' };
  const answer = await client.send('POST', `/workflow-runs/${runPk}/rerun`, { body, headers });
  return { tag, runId: String(answer.body.run_id) };
}

test('REL-approved-effects: killed around its approval, the request that was shown is sent once or is in the inbox; an outcome is settled once', async () => {
  const { service, recorder, db } = situation;
  const [next, worker] = service.workers;
  const [api] = service.apis;
  const [toApprove, toBeApproved, toBeSent] = await Promise.all([
    ask('approving'),
    ask('approved'),
    ask('sent', { hold: 1 }),
  ]);
  const [toSettle, toRerun] = await Promise.all([fail('settling'), fail('settled')]);
  expect((await client.send('POST', toSettlement(toRerun), SEND)).status).toBe(200);
  const openGates = await closeGates();
  // The answer of an API that is killed never comes.
  const { path, body } = toApproval(toApprove.end);
  const broken = [
    service.call(api, 'POST', path, { body }),
    service.call(api, 'POST', toSettlement(toSettle), SEND),
  ].map((answer) => answer.then(() => 'answered').catch(() => 'broken'));
  const [asked, approved, sent, settledRun] = await Promise.all([
    startConfirmed('asked'),
    approve(toBeApproved),
    approve(toBeSent),
    rerun(toRerun),
  ]);
  await Promise.all([recorder.waitFor(sent.tag, 1), awaitGates(5)]);
  await Promise.all([worker.kill(), api.kill()]);
  await openGates();
  expect(await Promise.all(broken)).toEqual(['broken', 'broken']);
  await Promise.all([next.start(), api.start()]);

  // Asked, and not told: one question, which is approved once.
  const { end } = await client.read(asked.runId);
  expect([end.type, callsOf(asked)]).toEqual(['run_interrupted', 0]);
  expect(await listQuestions(asked.runId)).toEqual(['pending']);
  const answered = await approve({ ...asked, end });
  expect((await client.read(answered.runId)).end.type).toBe('run_completed');

  const retried = await approve(toApprove);
  expect((await client.read(retried.runId)).end.type).toBe('run_completed');
  expect([callsOf(asked), callsOf(toApprove)]).toEqual([1, 1]);

  // PostgreSQL may have taken the marks of the dead worker: then nobody knows.
  const isKnown = (await client.read(approved.runId)).end.type === 'run_completed';
  expect(callsOf(approved)).toBe(isKnown ? 1 : 0);
  const isSettled = (await client.read(settledRun.runId)).end.type === 'run_completed';
  expect(callsOf(settledRun)).toBe(isSettled ? 2 : 1);

  const lost = await client.read(sent.runId);
  expect([lost.end.type, callsOf(sent)]).toEqual(['run_interrupted', 1]);
  expect(await listQuestions(sent.runId)).toEqual(['consumed', 'pending']);
  const again = await client.answer(lost.end, 'send');
  expect((await client.read(String(again))).end.type).toBe('run_completed');
  expect(recorder.calls(sent.tag).map(({ body: one }) => one)).toEqual([
    { tag: sent.tag },
    { tag: sent.tag },
  ]);

  expect((await client.send('POST', toSettlement(toSettle), SEND)).status).toBe(200);
  expect((await client.send('POST', toSettlement(toSettle), SEND)).status).toBe(410);
  const last = await rerun(toSettle);
  expect((await client.read(last.runId)).end.type).toBe('run_completed');
  expect(callsOf(toSettle)).toBe(2);

  recorder.release();
  await settled(situation);
  expect(await unendedSteps(db)).toEqual([]);
});
