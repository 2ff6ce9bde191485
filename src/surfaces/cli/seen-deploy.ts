/** Nothing goes live unseen: each command that deploys, or sets a version live, tells its effects before and asks about new ones. */
import { WorkflowApiError, type Reply } from '../client/client.ts';
import { compareSheets } from '../client/compare-sheets.ts';
import { CommandError, EXIT } from './exit.ts';
import type { Session } from './session.ts';
import { listRefusals, listSheetDifferences, listUntrusted, readSheets } from './sheet-differences.ts';

/** Times that a draft may change between its sheet and its deployment. A guess. */
const MAX_LOOKS = 3;

export const CHANGED = 'The draft has changed since it was tried. Deploy again';

interface Going {
  readonly workflowId: string;
  /** Null: the draft. */
  readonly deploymentId: string | null;
  /** Skips the question. */
  readonly isConfirmed: boolean;
}

/**
 * Tells what goes live. At a terminal new effects are confirmed; a script goes on as it always did.
 * @returns the hash of the definition that was looked at; undefined where nobody looked, or the service does not tell
 * @throws CommandError when a rule refuses an effect, or the person does
 */
async function look({ client, screen, isJson }: Session, going: Going): Promise<string | undefined> {
  const { workflowId, deploymentId, isConfirmed } = going;
  const pair = isJson ? null : await readSheets(client, workflowId, deploymentId);
  if (pair === null) return undefined;
  const { live, next } = pair;
  for (const line of listSheetDifferences(live, next)) screen.note(`  ${line}`);
  for (const line of listUntrusted(next)) screen.note(`  ${line}`);
  const refusals = listRefusals(next);
  for (const line of refusals) screen.note(`  ${line}`);
  if (refusals.length > 0)
    throw new CommandError('A rule of the organization refuses what it would do, so it does not go live');
  if (compareSheets(live, next).added.length === 0) screen.note('No new effects');
  else if (!(await screen.confirm('Deploy with the new effects?', isConfirmed || !screen.canAsk)))
    throw new CommandError('Deployment cancelled', EXIT.stopped);
  return next.definition_hash;
}

const isChanged = (error: unknown): boolean =>
  error instanceof WorkflowApiError && error.code === 'draft_changed';

/**
 * Deploys the draft that was looked at; one that a colleague changes meanwhile is looked at again.
 * @param going `triedHash`: of the draft that was rehearsed, which alone may go live; null: none was
 * @throws CommandError as `look`, and when the draft is no longer the rehearsed one; WorkflowApiError
 */
export async function deploySeen(
  session: Session,
  {
    workflowId,
    note,
    isConfirmed,
    triedHash = null,
  }: Omit<Going, 'deploymentId'> & { readonly note: string | null; readonly triedHash?: string | null },
): Promise<Reply<'deployWorkflow'>> {
  for (let looks = 1; ; looks += 1) {
    const seen = await look(session, { workflowId, deploymentId: null, isConfirmed });
    const expected = triedHash ?? seen;
    if (expected !== (seen ?? expected)) throw new CommandError(CHANGED);
    try {
      return await session.client.workflows.deploy(workflowId, {
        ...(note === null ? {} : { deployment_note: note }),
        ...(expected === undefined ? {} : { expected_definition_hash: expected }),
      });
    } catch (error) {
      if (!isChanged(error) || looks === MAX_LOOKS) throw error;
      if (triedHash !== null) throw new CommandError(CHANGED);
      session.screen.note('The draft has changed since. Its effects now:');
    }
  }
}

/** Sets a version live. @throws CommandError as `look`; WorkflowApiError */
export async function activateSeen(
  session: Session,
  { deploymentId, ...going }: Going & { readonly deploymentId: string },
): Promise<Reply<'activateDeployment'>> {
  await look(session, { ...going, deploymentId });
  return session.client.workflows.activate({ workflowId: going.workflowId, deploymentId });
}
