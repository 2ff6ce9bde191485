/** Delivers the outbox entries of runs: starts, resumes, cancellations, updates for parent runs that wait, error workflows. */
import type { Db } from '../../../base/db/client.ts';
import type {
  OutboxHandler,
  OutboxHandlers,
  StartHandler,
  OutboxEntry,
} from '../../../platform/outbox/outbox.ts';
import { acceptErrorRun } from '../accept/error-run.ts';
import type { RunEngine, RunRef } from '../engine.ts';
import { cancelOpenWork } from '../ledger/write/cancel.ts';
import { notifyCallers } from '../ledger/write/child-runs.ts';
import { closeRun } from '../ledger/write/events.ts';
import type { NamespaceGuard } from './namespace-guard.ts';
import { addOutbox, linkStartTrace } from '../ledger/write/outbox-entry.ts';
import { readCurrentSegment } from '../ledger/write/segments.ts';
import { findStarted, readAcceptedStart } from '../ledger/write/starts.ts';

/** A run that could not be started in Temporal for 15 minutes fails: nobody waits for it any more. A guess. */
export const START_TIMEOUT_SECONDS = 15 * 60;

interface RunHandlerDeps {
  readonly db: Db;
  readonly engine: RunEngine;
  readonly guard: NamespaceGuard;
}

const toRunRef = ({ organizationId, subjectId }: OutboxEntry): RunRef => ({
  organizationId,
  rootRunPk: subjectId,
});

/** Creates the handlers of the entries of runs. */
export function runHandlers(
  deps: RunHandlerDeps,
): Pick<OutboxHandlers, 'start' | 'resume' | 'cancel' | 'waits' | 'error_run'> {
  return {
    start: startHandler(deps),
    resume: resumeHandler(deps),
    cancel: cancelHandler(deps),
    waits: { deliver: (entry) => notifyCallers(deps.db, toRunRef(entry)) },
    error_run: {
      deliver: ({ organizationId, subjectId: runPk }) => acceptErrorRun(deps.db, { organizationId, runPk }),
    },
  };
}

function startHandler({ db, engine, guard }: RunHandlerDeps): StartHandler {
  return {
    async deliver(entry) {
      const run = await readAcceptedStart(db, toRunRef(entry));
      // The run was deleted or cancelled before its start, or it was started and the removal of the entry was lost.
      if (run === null || run.status !== 'running' || run.hasStarted) return;
      // An entry that only waited for its turn gets one try, however late.
      if (entry.tries > 1 && entry.ageSeconds > START_TIMEOUT_SECONDS)
        await failStart(db, run.start, {
          code: 'start_timeout',
          message: 'The run could not be started within 15 minutes',
        });
      else {
        await guard.require();
        await engine.start(run.start);
      }
    },
    reject: (entry) =>
      failStart(db, toRunRef(entry), { code: 'start_refused', message: 'The run could not be started' }),
    findStarted: (runPks) => findStarted(db, runPks),
  };
}

/** Fails a run that never started. The `cancel` entry ends an execution whose start succeeded without an answer. */
async function failStart(
  db: Db,
  { organizationId, rootRunPk }: RunRef,
  reason: { readonly code: string; readonly message: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const error = { ...reason, node_id: null };
    const closed = await closeRun(tx, {
      runPk: rootRunPk,
      from: ['running'],
      status: 'failed',
      payload: { error },
      error,
    });
    if (closed) await addOutbox(tx, { kind: 'cancel', organizationId, rootRunPk });
  });
}

function resumeHandler({ db, engine, guard }: RunHandlerDeps): OutboxHandler {
  return {
    async deliver(entry) {
      const run = toRunRef(entry);
      await linkStartTrace(db, run);
      await guard.require();
      if (await engine.resume(run)) return;
      await guard.requireNow();
      await cancelLostRun(db, run);
    },
  };
}

/** Cancels a run whose execution ended or was removed before the answer reached it. */
async function cancelLostRun(db: Db, run: RunRef): Promise<void> {
  const reason = 'The execution that waited for the answer no longer exists';
  await db.transaction(async (tx) => {
    const current = await readCurrentSegment(tx, run, true);
    if (current === null) return;
    const closed = await closeRun(tx, {
      runPk: current.runPk,
      from: ['running'],
      status: 'cancelled',
      payload: { reason },
      reason,
    });
    if (closed) await cancelOpenWork(tx, [run.rootRunPk], 'cancelled');
  });
}

function cancelHandler({ db, engine, guard }: RunHandlerDeps): OutboxHandler {
  return {
    async deliver(entry) {
      const run = toRunRef(entry);
      await linkStartTrace(db, run);
      await guard.require();
      await engine.cancel(run);
      // Its parent may have listed its open question.
      await notifyCallers(db, run);
    },
  };
}
