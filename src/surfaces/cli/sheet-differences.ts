/** The difference of two sheets, in words: what a version may do that another may not. */
import { WorkflowApiError } from '../client/client.ts';
import type { Session } from './session.ts';

type Client = Session['client'];

type Sheet = Awaited<ReturnType<Client['workflows']['getSheet']>>;
type Row = Sheet['rows'][number];

/** Reads the sheet of a deployment; null for a definition that is no longer valid, and from a service that has no sheets yet. */
export async function readSheet(
  client: Client,
  deployment: { readonly workflowId: string; readonly deploymentId: string },
): Promise<Sheet | null> {
  try {
    return await client.workflows.getSheet(deployment);
  } catch (error) {
    if (error instanceof WorkflowApiError && (error.status === 404 || error.code === 'workflow_invalid'))
      return null;
    throw error;
  }
}

/** Reads the sheet of the live deployment; null when there is none. */
export async function readLiveSheet(client: Client, workflowId: string): Promise<Sheet | null> {
  for await (const { id, is_live: isLive } of client.workflows.deployments(workflowId))
    if (isLive) return readSheet(client, { workflowId, deploymentId: id });
  return null;
}

/** Writes a part of a target: what it is, or what decides it in a run. */
function describePart(part: unknown): string {
  if (typeof part !== 'object' || part === null) return String(part);
  if (Array.isArray(part)) return part.map(describePart).join(', ');
  const { from } = part as { readonly from?: unknown };
  return Array.isArray(from) ? `<decided by ${from.join(', ')}>` : JSON.stringify(part);
}

function describeRow({ door, target, credential_id: credential, nodes }: Row): string {
  const parts = Object.values(target).map(describePart);
  const account = credential === null ? '' : ` with credential ${credential}`;
  return `${[door, ...parts].join(' ')}${account} (${nodes.join(', ')})`;
}

/** Names an effect apart from the nodes that send it, with its keys in one order. */
const nameEffect = ({ door, target, effect, credential_id: credential }: Row): string =>
  JSON.stringify([door, effect, credential, Object.entries(target).toSorted(([a], [b]) => (a < b ? -1 : 1))]);

/** Lists what is new and what is no more. @param before null: nothing was deployed */
export function listSheetDifferences(before: Sheet | null, after: Sheet): string[] {
  const [old, now] = [before?.rows ?? [], after.rows].map(
    (rows) => new Map(rows.map((row) => [nameEffect(row), describeRow(row)])),
  );
  const without = (rows = new Map<string, string>(), others = new Map<string, string>()): string[] =>
    [...rows].flatMap(([key, text]) => (others.has(key) ? [] : [text]));
  return [
    ...without(now, old).map((text) => `new: ${text}`),
    ...without(old, now).map((text) => `no more: ${text}`),
  ];
}
