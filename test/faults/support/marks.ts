/** Edits that can be counted: each leaves a mark of its own in the definition, so what is lost or never was shows. */
import { expect } from 'vitest';
import type { Tenant } from '../../support/api-server.ts';
import { eventually } from '../../support/waiting.ts';
import type { CanvasNode, CanvasSituation, Editor } from './canvas-situation.ts';

/** A workflow whose definition has a place for marks. @param node the process that owns its room from then on */
export async function workflowWithMarks(
  situation: CanvasSituation,
  tenant: Tenant,
  node?: CanvasNode,
): Promise<string> {
  const workflowId = await situation.workflow(tenant);
  const peer = await situation.peer(tenant, node === undefined ? {} : { node });
  await peer.join(workflowId);
  expect(await peer.op('config:update', workflowId, { set: { '/marks': {} } })).toMatchObject({ ok: true });
  expect(await peer.flush(workflowId)).toMatchObject({ ok: true });
  peer.close();
  return workflowId;
}

/** The marks in the stored definition. */
export async function marks(tenant: Tenant, workflowId: string): Promise<Record<string, number>> {
  const { body } = await tenant.call('GET', `/workflows/${workflowId}`);
  return body.workflow_schema.config.marks ?? {};
}

/** Waits until everybody is in. */
export const live = (editors: readonly Editor[]): Promise<true> =>
  eventually(
    'everybody to be in',
    60_000,
    () => editors.every(({ canvas }) => canvas.status === 'live') || null,
  );
