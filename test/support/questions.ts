/** Puts a run to waiting, as the interpreter's activities do: the questions, and the terminal frame of the segment. */
import { randomUUID } from 'node:crypto';
import type { Db } from '../../src/base/db/client.ts';
import { closeRun } from '../../src/engine/runs/ledger/write/events.ts';
import type { Question } from '../../src/language/nodes/kind.ts';

export const approval: Question = {
  kind: 'approval',
  title: 'Go on?',
  message: 'Please answer',
  payload: null,
  form: null,
  actions: [
    { id: 'approve', label: 'Approve' },
    { id: 'reject', label: 'Reject' },
  ],
  assignees: { roles: [], user_ids: [] },
  timeoutSeconds: null,
  onTimeout: 'fail',
  defaultResponse: null,
};

/** The run (by run_id) asks these questions and becomes interrupted. @returns their interrupt ids, in order */
export async function ask(db: Db, runId: string, ...questions: Partial<Question>[]): Promise<string[]> {
  const [run] = await db.query<{ id: string; root_run_pk: string; organization_id: string }>(
    'SELECT id, root_run_pk, organization_id FROM runs WHERE run_id = $1',
    [runId],
  );
  if (run === undefined) throw new Error(`there is no run ${runId}`);
  return db.transaction(async (tx) => {
    const ids: string[] = [];
    for (const question of questions) {
      const interruptId = `int_${randomUUID()}`;
      await tx.query(
        `INSERT INTO run_interrupts (id, organization_id, root_run_pk, run_pk, node_id, visit, step_id, question)
         VALUES ($1, $2, $3, $4, $5, 1, gen_random_uuid(), $6::json)`,
        [
          interruptId,
          run.organization_id,
          run.root_run_pk,
          run.id,
          interruptId,
          JSON.stringify({ ...approval, ...question }),
        ],
      );
      ids.push(interruptId);
    }
    await interrupt(tx, run.id, ids);
    return ids;
  });
}

/** Ends a running segment because questions are open. */
export async function interrupt(
  sql: Pick<Db, 'query' | 'notifyAfterCommit'>,
  runPk: string,
  interruptIds: readonly string[],
): Promise<void> {
  await closeRun(sql, {
    runPk,
    from: ['running'],
    status: 'interrupted',
    payload: { interrupts: interruptIds.map((id) => ({ interrupt_id: id })) },
  });
}
