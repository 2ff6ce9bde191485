/** A worker that is killed around a request would send it twice, or lose it from the inbox (SPEC REL-G3, REL-G12). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '../../src/base/db/client.ts';
import { chain, http } from '../support/definitions.ts';
import { unendedSteps } from '../support/unended-steps.ts';
import { eventually } from '../support/waiting.ts';
import { PatientClient } from './support/client.ts';
import { settled } from './support/promises.ts';
import { startSituation, type Situation } from './support/situation.ts';

/** The moments at which the worker is killed: the id of the node that is there then. */
type Window = 'before_mark' | 'after_sending' | 'while_asking' | 'while_settling' | 'sending_again';

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
    FOR EACH ROW WHEN (NEW.status = 'consumed') EXECUTE FUNCTION wait_at_gate('while_settling')`;

let situation: Situation;
let client: PatientClient;
beforeAll(async () => {
  situation = await startSituation();
  client = new PatientClient(situation.service);
  await situation.db.query(GATES);
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

test('killed at any moment, the request was sent once or is in the inbox, and only a person sends it again', async () => {
  const { service, recorder, db } = situation;
  const [first, second] = service.workers;
  await second.kill();
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => (close = resolve));
  const gate = db.transaction(async (tx: Tx) => {
    await tx.query('SELECT pg_advisory_xact_lock(4711)');
    close();
    await opened;
  });
  await closed;
  const [beforeMark, afterSending, whileAsking, whileSettling, sendingAgain] = await Promise.all([
    start('before_mark'),
    start('after_sending', { hold: 1 }),
    start('while_asking', { drop: 1 }),
    startAndSend('while_settling', {}),
    startAndSend('sending_again', { hold: 2 }),
  ]);
  await Promise.all([
    recorder.waitFor(afterSending.tag, 1),
    recorder.waitFor(whileAsking.tag, 1),
    recorder.waitFor(sendingAgain.tag, 2),
    eventually('three statements at the gates', 60_000, async () =>
      (await countWaiting()) === 3 ? true : null,
    ),
  ]);
  await first.kill();
  open();
  await gate;
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

  recorder.release();
  await settled(situation);
  expect(await unendedSteps(db)).toEqual([]);
});
