/** What people do to runs while they are under way, as the API does it: answer, cancel, deploy, look again. */
import { randomUUID } from 'node:crypto';
import type { Scope } from '../../src/platform/access/caller.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import type { AcceptedRun } from '../../src/engine/runs/accept/accept.ts';
import { cancelTree } from '../../src/engine/runs/ledger/write/cancel.ts';
import { storeDefinition } from '../../src/engine/runs/ledger/write/definitions.ts';
import { readCurrentSegment } from '../../src/engine/runs/ledger/write/segments.ts';
import { TemporalUnavailable } from '../../src/base/errors.ts';
import type { ExecutionState, RunRef } from '../../src/engine/runs/engine.ts';
import { cancelByRunId } from '../../src/engine/runs/accept/cancel.ts';
import { resumeRun } from '../../src/engine/runs/accept/resume.ts';
import { toRunWorkflowId } from '../../temporal/contract.ts';
import type { Played, TestEngine } from './engine.ts';

/** Somebody who may do everything in the organization of the tests. */
export function owner(engine: TestEngine): Scope {
  const caller = {
    userId: randomUUID(),
    subject: 'test',
    email: 'owner@example.com',
    role: 'USER',
    via: { kind: 'jwt', sessionId: null, isEmailVerified: true },
  } as const;
  const subscription = { plan: 'enterprise', overrides: {}, isSuspended: false };
  return { caller, organizationId: engine.organizationId, role: 'owner', subscription };
}

/** A run by its run_id, or by its run_pk. */
export async function runBy(
  engine: TestEngine,
  column: 'run_id' | 'id',
  value: string,
): Promise<AcceptedRun> {
  const [row] = await engine.db.query<AcceptedRun>(
    `SELECT id AS "runPk", run_id AS "runId", thread_id AS "threadId", chat_id AS "chatId", created_at AS "createdAt",
            '' AS "messagePreview"
     FROM runs WHERE ${column} = $1`,
    [value],
  );
  if (row === undefined) throw new Error(`There is no run ${value}`);
  return row;
}

/** The ids of the questions that an interrupted run asks, by node. */
export function questionsOf(played: Played): Record<string, string> {
  return Object.fromEntries(
    played.of('interrupt').map((frame) => [String(frame['node_id']), String(frame['interrupt_id'])]),
  );
}

/** Answers a run; the new run that the answer begins. */
export async function answer(
  engine: TestEngine,
  played: Played,
  body: JsonObject,
  who = owner(engine),
): Promise<AcceptedRun> {
  const reply = await resumeRun(engine, who, { runId: played.accepted.runId, body: body as never });
  return runBy(engine, 'run_id', String(reply['run_id']));
}

/** Answers a run and follows the new one to its end. */
export async function resume(engine: TestEngine, played: Played, body: JsonObject): Promise<Played> {
  return engine.follow(await answer(engine, played, body));
}

/** Cancels a run; what the API would answer. */
export function cancel(engine: TestEngine, run: AcceptedRun): Promise<JsonObject> {
  return cancelByRunId(engine, owner(engine), { runId: run.runId, reason: 'test' });
}

/** Cancels a run in its row, and loses what Temporal was to be told of it. */
export async function cancelUntold(engine: TestEngine, run: AcceptedRun): Promise<void> {
  const ref = { organizationId: engine.organizationId, rootRunPk: run.runPk };
  await engine.db.transaction(async (tx) => {
    const segment = await readCurrentSegment(tx, ref, true);
    if (segment === null) throw new Error('The run no longer exists');
    await cancelTree(tx, segment, 'test');
    await tx.query('DELETE FROM outbox WHERE subject_id = $1', [run.runPk]);
  });
}

/** Looks every 50 ms until `look` finds something; vitest's own timeout is the bound. */
export async function eventually<T>(look: () => Promise<T | null | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The segment that an expired question opened after an interrupted run. */
export function nextSegment(engine: TestEngine, played: Played): Promise<AcceptedRun> {
  return eventually(async () => {
    const [row] = await engine.db.query<{ id: string }>(
      'SELECT id FROM runs WHERE resumed_from_run_pk = $1',
      [played.accepted.runPk],
    );
    return row === undefined ? null : runBy(engine, 'id', row.id);
  });
}

/** The run of a sub-workflow that a run has called. */
export function childOf(engine: TestEngine, run: AcceptedRun): Promise<AcceptedRun> {
  return eventually(async () => {
    const [row] = await engine.db.query<{ id: string }>('SELECT id FROM runs WHERE parent_run_pk = $1', [
      run.runPk,
    ]);
    return row === undefined ? null : runBy(engine, 'id', row.id);
  });
}

/** A saved workflow with a live deployment of this definition. @returns its workflow_id */
export async function deploy(
  engine: TestEngine,
  definition: JsonObject | ((workflowId: string) => JsonObject),
  input: JsonObject = {},
): Promise<string> {
  const { db, organizationId } = engine;
  const workflowId = randomUUID();
  const schema = typeof definition === 'function' ? definition(workflowId) : definition;
  const hash = await storeDefinition(db, organizationId, schema);
  await db.query(
    `INSERT INTO workflows (id, organization_id, name, workflow_schema, input) VALUES ($1, $2, 'Sub', $3::json, $4::json)`,
    [workflowId, organizationId, JSON.stringify(schema), JSON.stringify(input)],
  );
  await db.query(
    `INSERT INTO deployments (organization_id, workflow_id, name, version, ordinal, is_live, definition_hash,
                              workflow_schema, input, config)
     VALUES ($1, $2, 'Sub', '1.0.0', 1, true, $3, $4::json, $5::json, '{}')`,
    [organizationId, workflowId, hash, JSON.stringify(schema), JSON.stringify(input)],
  );
  return workflowId;
}

/** Waits until Temporal says something of an execution; a busy server may not answer within a call's deadline, and is asked again. */
export function seenInTemporal<Found>(
  { engine }: TestEngine,
  run: RunRef,
  find: (execution: ExecutionState) => Found | null | undefined,
): Promise<Found> {
  return eventually(async () => {
    const execution = await engine.describe(run).catch((error: unknown) => {
      if (error instanceof TemporalUnavailable) return null;
      throw error;
    });
    return execution === null ? null : find(execution);
  });
}

/** Waits for Temporal's own word on how the execution of a run ended; it may start when the run's row has ended. */
export function closedAs(engine: TestEngine, run: AcceptedRun): Promise<string> {
  const ref = { organizationId: engine.organizationId, rootRunPk: run.runPk };
  return seenInTemporal(engine, ref, ({ status }) =>
    ['RUNNING', 'NOT_FOUND'].includes(status) ? null : status,
  );
}

/** Temporal's workflow id of a run's execution. */
export function workflowIdOf(engine: TestEngine, run: AcceptedRun): string {
  return toRunWorkflowId(engine.organizationId, run.runPk);
}
