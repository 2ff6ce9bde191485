/** Writes a row of a table for a step, in the transaction that ends the step: both commit, or neither does. */
import type { Json } from '../../../../language/graph/values/value.ts';
import { NodeError, type TableWrite } from '../../../../language/nodes/kind.ts';
import { readSubscription } from '../../../../platform/billing/admission.ts';
import { claimUnseen } from '../../../../platform/tables/unseen.ts';
import { writeRow, type RowRefused } from '../../../../platform/tables/rows.ts';
import type { RunContext } from '../context.ts';

function toNodeError({ refused, current = 0, limit = 0 }: RowRefused): NodeError {
  switch (refused) {
    case 'table_not_found':
      return new NodeError(refused, 'The table does not exist');
    case 'table_full':
      return new NodeError(refused, `The plan allows ${limit} rows in a table`);
    case 'row_too_large':
      return new NodeError(refused, `The value has ${current} bytes; the plan allows ${limit}`);
    case 'not_a_number':
      return new NodeError(refused, 'Only a number can be incremented');
    case 'not_an_object':
      return new NodeError(refused, 'The value of the row is not an object, so it has no fields');
  }
}

/** @returns the output of the node. @throws NodeError of a refused write */
export async function writeRowOfStep(
  { sql, segment: { organizationId, runPk, rootRunPk } }: Pick<RunContext, 'segment' | 'sql'>,
  stepId: string,
  { tableId, ...request }: TableWrite,
): Promise<Json> {
  const subscription = await readSubscription(sql, organizationId);
  if (request.operation === 'unseen') {
    const { given, ...poll } = request;
    const by = { ...poll, run: { rootRunPk, runPk, stepId }, subscription };
    const claimed = await claimUnseen(sql, { organizationId, tableId }, by);
    if ('refused' in claimed) throw toNodeError(claimed);
    const { offered, seen, busy, left } = claimed;
    const items = offered.map((place) => given.items[place - 1] ?? null);
    return { items, count: items.length, seen, busy, left };
  }
  const by = { subscription, writer: { runPk, stepId } };
  const answer = await writeRow(sql, { organizationId, tableId }, { ...request, ...by });
  if ('refused' in answer) throw toNodeError(answer);
  const { written, version, value = null } = answer;
  const { key, operation } = request;
  return { key, written, version, ...(operation === 'increment' ? { value } : {}) };
}
