/** The difference of two sheets, in words: what a version may do that another may not. */
import { WorkflowApiError } from '../client/client.ts';
import { compareSheets, type Sheet, type SheetRow } from '../client/compare-sheets.ts';
import type { Session } from './session.ts';

type Client = Session['client'];

/** Reads a sheet; null for a definition that is no longer valid, and from a service that has no sheets yet. */
async function readSheet(reading: Promise<Sheet>): Promise<Sheet | null> {
  try {
    return await reading;
  } catch (error) {
    if (
      error instanceof WorkflowApiError &&
      ([404, 405].includes(error.status) || error.code === 'workflow_invalid')
    )
      return null;
    throw error;
  }
}

/** Reads the sheet of the live deployment; null when there is none. */
async function readLiveSheet({ workflows }: Client, workflowId: string): Promise<Sheet | null> {
  const { live_deployment_id: deploymentId } = await workflows.get(workflowId);
  return deploymentId === null ? null : readSheet(workflows.getSheet({ workflowId, deploymentId }));
}

/** Writes a part of a target: what it is, or what decides it in a run. */
function describePart(part: unknown): string {
  if (typeof part !== 'object' || part === null) return String(part);
  if (Array.isArray(part)) return part.map(describePart).join(', ');
  const { from } = part as { readonly from?: unknown };
  return Array.isArray(from) ? `<decided by ${from.join(', ')}>` : JSON.stringify(part);
}

function describeRow({ door, target, credential_id: credential, nodes }: SheetRow): string {
  const parts = Object.values(target).map(describePart);
  const account = credential === null ? '' : ` with credential ${credential}`;
  return `${[door, ...parts].join(' ')}${account} (${nodes.join(', ')})`;
}

/** Lists what is new and what is no more. @param before null: nothing was deployed */
export function listSheetDifferences(before: Sheet | null, after: Sheet): string[] {
  const { added, removed } = compareSheets(before, after);
  return [
    ...added.map((row) => `new: ${describeRow(row)}`),
    ...removed.map((row) => `no more: ${describeRow(row)}`),
  ];
}

interface DraftDifferences {
  readonly lines: readonly string[];
  readonly hasNew: boolean;
  /** Of the draft that was compared; undefined from a service that does not tell. */
  readonly definitionHash: string | undefined;
}

/**
 * Lists what the draft of a workflow may do that its live deployment may not, and the other way round, in words.
 * @returns null when the draft has no sheet: the deployment is refused then, or the service has none
 */
export async function compareDraft(client: Client, workflowId: string): Promise<DraftDifferences | null> {
  const draft = await readSheet(client.workflows.getDraftSheet(workflowId));
  if (draft === null) return null;
  const live = await readLiveSheet(client, workflowId);
  const hasNew = compareSheets(live, draft).added.length > 0;
  const { definition_hash: definitionHash } = draft;
  return { lines: listSheetDifferences(live, draft), hasNew, definitionHash };
}
