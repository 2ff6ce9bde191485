/**
 * Channels and messages of NOTIFY about workflows. A notice is part of the transaction that it describes, so it is sent if
 * and only if that commits. Triggers (prisma/migrations) send the notices of deletions and changes of access.
 */
import type { Sql } from './client.ts';

/** A workflow was changed from outside its room, or deleted. */
export const WORKFLOW_CHANNEL = 'wf';
/** A membership, a user or an organization lost or changed its rights. */
export const ACCESS_CHANNEL = 'authz';
/** A deployment is about to copy a workflow's row and needs the room's unsaved edits in it. */
export const FLUSH_CHANNEL = 'flush';

/** Origin of a save from outside the workflow's room (SPEC API-canvas-events). */
export type EditSource = 'rest' | 'composer' | 'activation';

export interface EditNotice {
  readonly workflowId: string;
  /** As saved in this transaction. */
  readonly editVersion: number;
  readonly source: EditSource;
  readonly userId: string;
  /** The deployment that an activation made live. */
  readonly liveDeploymentId?: string;
}

/** Notifies the workflow's room, if one is open, of a save from outside. Call in the saving transaction. */
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

/** Notifies the workflow's room of another live deployment, or of none. Call in the transaction that sets it. */
export async function announceLive(tx: Sql, workflowId: string, deploymentId: string | null): Promise<void> {
  const message = JSON.stringify({ w: workflowId, live: deploymentId });
  await tx.query('SELECT pg_notify($1, $2)', [WORKFLOW_CHANNEL, message]);
}
