/** Checks the edit history of a workflow against its stored document. */
import jsonPatch, { type Operation } from 'fast-json-patch';
import { expect } from 'vitest';
import type { Sql } from '../../../../src/base/db/client.ts';
import { definition } from './canvas.ts';

const AUTOMATIC = { type: 'Any', reducer: 'none' };

/** Definition, the columns that mirror it, and what is live, of a workflow that `Canvas.workflow` has made. */
const created = (): object => ({
  workflow_schema: { ...definition(), state_schema: { fields: { a: AUTOMATIC, b: AUTOMATIC } } },
  name: 'Canvas',
  description: '',
  version: '1.0.0',
  tags: [],
  live_deployment_id: null,
});

/**
 * Every save has one entry, numbered without gaps from 1, and all of them together lead from the workflow as it was
 * made to the row as it is: nothing was saved that the history does not tell, and nothing is told twice.
 */
export async function expectHistoryOf(sql: Sql, workflowId: string): Promise<void> {
  const [row] = await sql.query<{ edit_version: number }>(
    `SELECT workflow_schema, name, description, version, tags, live_deployment_id, edit_version
     FROM workflows WHERE id = $1`,
    [workflowId],
  );
  const history = await sql.query<{ edit_version: number; patches: Operation[] }>(
    'SELECT edit_version, patches FROM workflow_edits WHERE workflow_id = $1 ORDER BY edit_version',
    [workflowId],
  );
  expect(history.map((entry) => entry.edit_version)).toEqual(
    Array.from({ length: row?.edit_version ?? -1 }, (_, index) => index + 1),
  );
  const folded = history.reduce<object>(
    (state, { patches }) => jsonPatch.applyPatch(state, patches, true, false).newDocument,
    created(),
  );
  expect({ ...folded, edit_version: history.length }).toEqual(row);
}
