/** Runs in the database without an API in front, and a Temporal whose answers the test decides. */
import { randomUUID } from 'node:crypto';
import type { Db, Sql } from '../../src/base/db/client.ts';
import { RunAcceptor, acceptIn, type AcceptedRun } from '../../src/engine/runs/accept/accept.ts';
import { storeDefinition } from '../../src/engine/runs/ledger/write/definitions.ts';
import type { RunEngine } from '../../src/engine/runs/engine.ts';
import type { NewRun } from '../../src/engine/runs/ledger/write/insert-runs.ts';

/** A definition without anything to do. */
export const EMPTY = { nodes: [], edges: [] };

/** A run of an organization that need not exist. */
export async function newRun(db: Db, more: Partial<NewRun> = {}): Promise<NewRun> {
  const organizationId = more.organizationId ?? randomUUID();
  return {
    organizationId,
    createdBy: null,
    workflowId: null,
    deploymentId: null,
    deploymentVersion: null,
    // Not read where it is known: of runs that are to be accepted together, some would come late.
    definitionHash: more.definitionHash ?? (await storeDefinition(db, organizationId, EMPTY)),
    definitionText: null,
    admission: null,
    workflowName: 'Test',
    workflowVersion: '1.0.0',
    workflowSource: 'request',
    triggerType: 'api',
    isAdHoc: true,
    redactedPaths: [],
    isPrivate: false,
    ephemeral: false,
    stream: true,
    threadId: null,
    chatKind: 'workflow',
    messagePreview: '',
    recursionLimit: 100,
    batchIntervalMs: 50,
    workflowInput: {},
    runInput: {},
    ...more,
  };
}

/** Accepts a run of an organization that need not exist. @param acceptor of those that are accepted together */
export async function accept(
  db: Db,
  more: Partial<NewRun> = {},
  acceptor = new RunAcceptor(db),
): Promise<AcceptedRun & { organizationId: string }> {
  const run = await newRun(db, more);
  return { ...(await acceptor.accept(run)), organizationId: run.organizationId };
}

/** Accepts a run that is never delivered to Temporal, whichever dispatcher looks: its outbox entry is gone before it is seen. */
export async function acceptUndelivered(db: Db): Promise<AcceptedRun & { organizationId: string }> {
  const run = await newRun(db);
  return db.transaction(async (tx) => {
    const accepted = await acceptIn(tx, run);
    await tx.query('DELETE FROM outbox WHERE subject_id = $1', [accepted.runPk]);
    return { ...accepted, organizationId: run.organizationId };
  });
}

/** Every call succeeds and says so in `calls` (`start <root_run_pk>`), unless the test puts another answer in place. */
export function fakeEngine(answers: Partial<RunEngine> = {}): RunEngine & { readonly calls: string[] } {
  const calls: string[] = [];
  const noted =
    <Args extends [{ readonly rootRunPk: string }, ...unknown[]], Result>(
      name: string,
      answer: (...args: Args) => Promise<Result>,
    ) =>
    (...args: Args): Promise<Result> => {
      calls.push(`${name} ${args[0].rootRunPk}`);
      return answer(...args);
    };
  return {
    calls,
    start: noted('start', answers.start ?? (async () => 'started' as const)),
    resume: noted('resume', answers.resume ?? (async () => true)),
    cancel: noted('cancel', answers.cancel ?? (async () => undefined)),
    readTaskFailures: noted(
      'readTaskFailures',
      answers.readTaskFailures ?? (async () => ({ byCode: 0, isMissingKey: false, isUnrecorded: false })),
    ),
    readNamespace: answers.readNamespace ?? (async () => null),
    terminate: noted('terminate', answers.terminate ?? (async () => undefined)),
    describe: noted(
      'describe',
      answers.describe ?? (async () => ({ status: 'RUNNING', heartbeats: [], workflowTaskAttempt: 0 })),
    ),
    close: async () => undefined,
  };
}

/** Repeats a look until it is satisfied; the test's own timeout ends it otherwise. */
export async function until(look: () => Promise<boolean>): Promise<void> {
  while (!(await look())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Waits until a statement waits for a lock: what the test does now comes between its read and its write. */
export const untilOneWaits = (db: Sql): Promise<void> =>
  until(async () => {
    const rows = await db.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  });
