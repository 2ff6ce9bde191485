/**
 * What one process tells the others through PostgreSQL about workflows: the channels and their messages. A notice is
 * part of the transaction that makes it true, so it exists if and only if the commit does. Changes of access and
 * deletions are told by triggers (prisma/migrations), whoever makes them.
 */
import type { Sql } from './client.ts';

/** A workflow was changed from outside its room, or deleted. */
export const WORKFLOW_CHANNEL = 'wf';
/** A membership, a user or an organization lost or changed its rights. */
export const ACCESS_CHANNEL = 'authz';
/** Somebody is about to read a workflow's row and wants the room's unsaved edits in it. */
export const FLUSH_CHANNEL = 'flush';

/** Who saves a workflow from outside its room (SPEC API-canvas-events). */
export type EditSource = 'rest' | 'composer' | 'activation';

export interface EditNotice {
  readonly workflowId: string;
  /** As saved in this transaction. */
  readonly editVersion: number;
  readonly source: EditSource;
  readonly userId: string;
  /** What an activation has made live. */
  readonly liveDeploymentId?: string;
}

/** Tells the room of a workflow, if there is one, that somebody else has saved it. Call in the saving transaction. */
export async function announceEdit(tx: Sql, notice: EditNotice): Promise<void> {
  const { workflowId, editVersion, source, userId, liveDeploymentId } = notice;
  const message = JSON.stringify({
    w: workflowId,
    v: editVersion,
    s: source,
    u: userId,
    l: liveDeploymentId,
  });
  await tx.query('SELECT pg_notify($1, $2)', [WORKFLOW_CHANNEL, message]);
}
