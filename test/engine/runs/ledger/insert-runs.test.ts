/** A run of some origin would be stored without its first event, its cursor or its start. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertFailedRecord } from '../../../../src/engine/runs/accept/failed-record.ts';
import { buildRow, insertRuns, type NewRun } from '../../../../src/engine/runs/ledger/write/insert-runs.ts';
import { openSegment } from '../../../../src/engine/runs/ledger/questions/interrupts.ts';
import { openTestDatabase, type TestDb } from '../../../support/database.ts';
import { ask } from '../../../support/questions.ts';
import { newRun } from '../../../support/runs.ts';

let db: TestDb;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

async function insert(more: Partial<NewRun> = {}) {
  const row = buildRow(await newRun(db, more));
  const [inserted] = await insertRuns(db, [row]);
  return { ...row, inserted };
}

/** The rows that belong to a run from its beginning. */
async function originOf(runPk: string) {
  const [row] = await db.query(
    `SELECT e.payload->>'reason' AS reason, e.payload->>'rerun_of' AS rerun_of,
            e.payload->>'resumed_from_run_id' AS resumed_from, e.payload->>'chat_id' IS NOT DISTINCT FROM r.chat_id::text AS has_its_chat,
            ARRAY(SELECT kind FROM outbox o WHERE o.subject_id = r.id) AS outbox,
            (SELECT count(*) FROM run_cursors c WHERE c.root_run_pk = r.id) AS cursors,
            (SELECT count(*) FROM chats c WHERE c.organization_id = r.organization_id) AS chats
     FROM runs r JOIN run_events e ON e.run_pk = r.id AND e.seq = 1 AND e.type = 'run_started' WHERE r.id = $1`,
    [runPk],
  );
  return row;
}

const ORIGIN = {
  reason: 'initial',
  rerun_of: null,
  resumed_from: null,
  has_its_chat: true,
  outbox: ['start'],
  cursors: 1,
  chats: 1,
};

describe('a run', () => {
  test.each(['api', 'chat'])('of trigger %s is started by its outbox entry', async (triggerType) => {
    const { runPk } = await insert({ triggerType });
    expect(await originOf(runPk)).toEqual(ORIGIN);
  });

  test('that is ephemeral has no thread, and so no chat', async () => {
    const { runPk, threadId } = await insert({ ephemeral: true });
    expect(threadId).toBeNull();
    expect(await originOf(runPk)).toEqual({ ...ORIGIN, chats: 0 });
  });

  test('that runs another again names it', async () => {
    const rerunOf = randomUUID();
    const { runPk } = await insert({ rerunOf });
    expect(await originOf(runPk)).toEqual({ ...ORIGIN, reason: 'rerun', rerun_of: rerunOf });
  });

  test('of a schedule has no outbox entry: the execution of its schedule starts it', async () => {
    const { runPk } = await insert({ triggerType: 'schedule' });
    expect(await originOf(runPk)).toEqual({ ...ORIGIN, outbox: [] });
  });

  test('of a sub-workflow has neither outbox entry nor chat: its caller starts it, and its messages are the caller’s', async () => {
    const parent = await insert();
    const { runPk, chatId } = await insert({
      organizationId: parent.organizationId,
      triggerType: 'workflow',
      parentRunPk: parent.runPk,
      parentStepId: randomUUID(),
      threadId: parent.threadId,
      chatId: parent.inserted?.chat_id ?? null,
      chatKind: null,
    });
    expect(chatId).toBe(parent.inserted?.chat_id);
    expect(await originOf(runPk)).toEqual({ ...ORIGIN, outbox: [] });
  });

  test('that could not be started leaves its two frames, and nothing to start or walk', async () => {
    const { organizationId } = await newRun(db);
    const { runPk } = await insertFailedRecord(db, {
      organizationId,
      createdBy: null,
      workflowId: randomUUID(),
      workflowName: 'Test',
      workflowVersion: '1.0.0',
      triggerType: 'schedule',
      input: {},
      error: { code: 'workflow_not_deployed', message: 'Deploy it first' },
    });
    expect(await originOf(runPk)).toEqual({ ...ORIGIN, outbox: [], cursors: 0, chats: 0 });
    const events = await db.query('SELECT type FROM run_events WHERE run_pk = $1 ORDER BY seq', [runPk]);
    expect(events).toEqual([{ type: 'run_started' }, { type: 'run_failed' }]);
  });

  test('with the run_pk of one that is there is not inserted, and leaves nothing', async () => {
    const { runPk, organizationId } = await insert();
    const again = await insert({ runPk, organizationId });
    expect(again.inserted?.created_at).toBeNull();
    const rows = await db.query('SELECT run_id FROM runs WHERE id = $1 AND last_seq = 1', [runPk]);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.['run_id']).not.toBe(again.runId);
  });
});

test('the segment that resumes a run takes over all but the outcome, to the last digit and character', async () => {
  const rerunOf = randomUUID();
  const first = await insert({
    rerunOf,
    isPrivate: true,
    childDepth: 3,
    workflowInput: { escaped: '\u0000\ud800' },
  });
  await db.query(
    `UPDATE runs SET input = '{"exact": 12345678901234567890.10, "escaped": "\\u0000\\ud800"}', handled_error_count = 2 WHERE id = $1`,
    [first.runPk],
  );
  await ask(db, first.runId, {});
  const opened = await openSegment(db, first.runPk, false);
  expect(await originOf(opened.runPk)).toEqual({
    ...ORIGIN,
    reason: 'resume',
    rerun_of: rerunOf,
    resumed_from: first.runId,
    outbox: [],
    cursors: 0,
  });
  const columnsOf = async (runPk: string) => {
    const [row] = await db.query(
      'SELECT *, config::text AS config_text, input::text AS input_text FROM runs WHERE id = $1',
      [runPk],
    );
    const own = ['id', 'run_id', 'created_at', 'last_event_at', 'started_at', 'completed_at'];
    return Object.fromEntries(Object.entries(row ?? {}).filter(([name]) => !own.includes(name)));
  };
  expect(await columnsOf(opened.runPk)).toEqual({
    ...(await columnsOf(first.runPk)),
    status: 'running',
    stream: false,
    last_seq: 1,
    resumed_from_run_pk: first.runPk,
    traceparent: null,
  });
});
