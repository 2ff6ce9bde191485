/** The difference of two sheets, in words: what a version may do that another may not. */
import { WorkflowApiError } from '../client/client.ts';
import { compareSheets, listNewTrust, type Sheet, type SheetRow } from '../client/compare-sheets.ts';
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

/** Writes a part of a target: what it is, or what decides it in a run. */
function describePart(part: unknown): string {
  if (typeof part !== 'object' || part === null) return String(part);
  if (Array.isArray(part)) return part.map(describePart).join(', ');
  const { from } = part as { readonly from?: unknown };
  return Array.isArray(from) ? `<decided by ${from.join(', ')}>` : JSON.stringify(part);
}

/** Writes an effect with its nodes. */
export function describeRow({
  door,
  target,
  credential_id: credential,
  nodes,
}: Pick<SheetRow, 'door' | 'target' | 'credential_id' | 'nodes'>): string {
  const parts = Object.values(target).map(describePart);
  const account = credential === null ? '' : ` with credential ${credential}`;
  return `${[door, ...parts].join(' ')}${account} (${nodes.join(', ')})`;
}

/** Reasons why nobody can be asked. */
export const UNASKED = {
  item: 'an item of a list cannot wait for people',
  message: 'a link to a person cannot wait for people',
  unshown: 'it cannot be shown before it leaves',
} as const;

/** Says after a row which rule asks people before it leaves, and where nobody can be asked. A service of an earlier release does not tell. */
function describeAsking({ asked_by: rule, unasked }: SheetRow): string {
  if ((rule ?? null) === null) return '';
  const asks = `: asks first (rule ${JSON.stringify(rule)})`;
  return (unasked ?? null) === null
    ? asks
    : `${asks}, so it fails when it runs: ${UNASKED[unasked ?? 'unshown']}`;
}

/** Lists what is new and what is no more. @param before null: nothing was deployed */
export function listSheetDifferences(before: Sheet | null, after: Sheet): string[] {
  const { added, removed } = compareSheets(before, after);
  return [
    ...added.map((row) => `new: ${describeRow(row)}${describeAsking(row)}`),
    ...removed.map((row) => `no more: ${describeRow(row)}`),
    ...listNewTrust(before, after).map(
      ({ node, value, reason }) => `trusts ${value} at ${node}: ${JSON.stringify(reason)}`,
    ),
  ];
}

/** Lists the effects that a rule of the organization refuses, so that the version cannot go live. */
export const listRefusals = ({ rows }: Sheet): string[] =>
  rows.flatMap((row) =>
    // A service of an earlier release does not tell.
    (row.refused_by ?? null) === null
      ? []
      : [`refused by ${JSON.stringify(row.refused_by)}: ${describeRow(row)}`],
  );

/** Lists where a text of others decides more than what is said. A service of an earlier release does not tell. */
export const listUntrusted = ({ untrusted }: Sheet): string[] =>
  (untrusted ?? []).map((message) => `warning: ${message}`);

interface SheetPair {
  readonly live: Sheet | null;
  readonly next: Sheet;
}

/**
 * Reads the sheet of the live deployment, and that of the draft or of a deployment that is to be live.
 * @returns null when the latter has none: it is invalid, or the service has no sheets
 */
export async function readSheets(
  { workflows }: Client,
  workflowId: string,
  deploymentId: string | null,
): Promise<SheetPair | null> {
  const next = await readSheet(
    deploymentId === null
      ? workflows.getDraftSheet(workflowId)
      : workflows.getSheet({ workflowId, deploymentId }),
  );
  if (next === null) return null;
  const { live_deployment_id: liveId } = await workflows.get(workflowId);
  const live =
    liveId === null ? null : await readSheet(workflows.getSheet({ workflowId, deploymentId: liveId }));
  return { live, next };
}
