/** Edits that can be counted: each leaves a mark of its own in the definition, so what is lost or never was shows. */
import { expect } from 'vitest';
import { expectHistoryOf } from '../../features/canvas/support/history.ts';
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

interface MarkedWorkflow {
  readonly situation: CanvasSituation;
  readonly tenant: Tenant;
  readonly workflowId: string;
  /** The marks that its editors have made. */
  readonly made: readonly string[];
}

/** Waits until all edits are saved, and closes the editors: nothing is lost, and all of them have the stored definition. */
export async function expectAllSaved(
  editors: readonly Editor[],
  { situation, tenant, workflowId, made }: MarkedWorkflow,
  withinMs = 60_000,
): Promise<void> {
  await eventually(
    'everything to be saved',
    withinMs,
    () => editors.every(({ canvas }) => canvas.unsent === 0 && canvas.unsaved === 0) || null,
  );
  expect(editors.flatMap(({ dropped }) => dropped)).toEqual([]);
  const { body } = await tenant.call('GET', `/workflows/${workflowId}`);
  expect(Object.keys(body.workflow_schema.config.marks).toSorted()).toEqual([...made].toSorted());
  for (const { canvas } of editors) expect(canvas.confirmed.document).toEqual(body.workflow_schema);
  await expectHistoryOf(situation.api.deps.db, workflowId);
  for (const editor of editors) editor.close();
}
