/** Reads the ledger of effects as an organization sees it: effects of private runs as the history shows these runs. */
import { composePage, type PageRead } from '../../../../base/db/keyset.ts';
import type { Sql } from '../../../../base/db/client.ts';
import type { JsonObject } from '../../../../language/graph/values/value.ts';
import { readerParams, VISIBLE, type Reader } from './run-reads.ts';

export interface LedgerRow {
  readonly id: string;
  readonly created_at: Date;
  readonly door: string;
  readonly target: JsonObject;
  readonly host: string | null;
  readonly effect: string;
  readonly credential_id: string | null;
  readonly outcome: string;
  readonly error_code: string | null;
  readonly digest: string | null;
  readonly approved_by_interrupt: string | null;
  readonly run_pk: string;
  readonly run_id: string;
  readonly workflow_id: string | null;
  readonly workflow_name: string;
  readonly created_by: string | null;
  readonly step_id: string;
  readonly node_id: string;
  readonly node_name: string | null;
  readonly attempt: number;
}

export interface EffectFilter {
  readonly host?: string | undefined;
  readonly door?: string | undefined;
  readonly credential_id?: string | undefined;
  readonly workflow_id?: string | undefined;
  readonly run_pk?: string | undefined;
  /** The user who started the run. */
  readonly created_by?: string | undefined;
  readonly effect?: string | undefined;
  readonly outcome?: string | undefined;
  /** Inclusive, and exclusive: times in ISO 8601. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const COLUMNS = `
  e.id, e.created_at, e.door, e.target, e.host, e.effect, e.credential_id, e.outcome, e.error_code, e.digest, e.approved_by_interrupt,
  e.run_pk, r.run_id, e.workflow_id, r.workflow_name, r.created_by, e.step_id, e.node_id, s.node_name, e.attempt`;

/** Reads a page of effects, newest first. */
export function readEffects(
  sql: Sql,
  reader: Reader,
  { page, ...filter }: EffectFilter & { readonly page: PageRead },
): Promise<LedgerRow[]> {
  const params = readerParams(reader);
  const bind = (value: unknown): string => `$${params.push(value)}`;
  // A sub-select for each row, not a join: the rows come from an index in the order of the list, whatever the server thinks of the runs.
  const conditions = ['e.organization_id = $1', `(SELECT ${VISIBLE} FROM runs r WHERE r.id = e.run_pk)`];
  const isEqual = (column: string, value: string | undefined, common?: string): void => {
    if (value === undefined) return;
    conditions.push(`e.${column} = ${bind(value)}`);
    // The condition of the index, which leaves the most common value out.
    if (common !== undefined && value !== common) conditions.push(`e.${column} <> '${common}'`);
  };
  isEqual('host', filter.host);
  isEqual('door', filter.door, 'http');
  isEqual('credential_id', filter.credential_id);
  isEqual('workflow_id', filter.workflow_id);
  isEqual('run_pk', filter.run_pk);
  isEqual('created_by', filter.created_by);
  isEqual('effect', filter.effect);
  isEqual('outcome', filter.outcome, 'done');
  // A cursor is within these bounds, and an index would be read from the bound to the cursor.
  const isBounded = page.from !== null;
  if (filter.from !== undefined && !(isBounded && page.isBackward))
    conditions.push(`e.created_at >= ${bind(new Date(filter.from))}`);
  if (filter.to !== undefined && !(isBounded && !page.isBackward))
    conditions.push(`e.created_at < ${bind(new Date(filter.to))}`);
  const { condition, tail } = composePage(params, page, ['e.created_at', 'e.id']);
  const direction = page.isBackward ? 'ASC' : 'DESC';
  return sql.query<LedgerRow>(
    `WITH page AS MATERIALIZED (
       SELECT e.* FROM run_effects e WHERE ${[...conditions, condition].join(' AND ')} ${tail})
     SELECT ${COLUMNS} FROM page e JOIN runs r ON r.id = e.run_pk LEFT JOIN run_steps s ON s.step_id = e.step_id
     ORDER BY e.created_at ${direction}, e.id ${direction}`,
    params,
  );
}
