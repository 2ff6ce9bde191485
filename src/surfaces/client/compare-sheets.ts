/** The difference of two sheets: what a version may do that another may not. */
import type { WorkflowClient } from './client.ts';

export type Sheet = Awaited<ReturnType<WorkflowClient['workflows']['getSheet']>>;
export type SheetRow = Sheet['rows'][number];

/** Names an effect apart from the nodes that send it, with its keys in one order. */
const nameEffect = ({ door, target, effect, credential_id: credential }: SheetRow): string =>
  JSON.stringify([door, effect, credential, Object.entries(target).toSorted(([a], [b]) => (a < b ? -1 : 1))]);

/** Lists the rows that are new, and those that are no more. @param before null: nothing was deployed */
export function compareSheets(
  before: Sheet | null,
  after: Sheet,
): { readonly added: readonly SheetRow[]; readonly removed: readonly SheetRow[] } {
  const without = (rows: readonly SheetRow[], others: readonly SheetRow[]): SheetRow[] => {
    const names = new Set(others.map(nameEffect));
    return rows.filter((row) => !names.has(nameEffect(row)));
  };
  const old = before?.rows ?? [];
  return { added: without(after.rows, old), removed: without(old, after.rows) };
}

type SheetTrust = NonNullable<Sheet['trusted_values']>[number];

/** Lists the values that a version trusts and another does not, or for another reason. @param before null: nothing was deployed */
export function listNewTrust(before: Sheet | null, after: Sheet): readonly SheetTrust[] {
  const name = ({ node, value, reason }: SheetTrust): string => JSON.stringify([node, value, reason]);
  // A service of an earlier release does not tell.
  const old = new Set((before?.trusted_values ?? []).map(name));
  return (after.trusted_values ?? []).filter((trusted) => !old.has(name(trusted)));
}
