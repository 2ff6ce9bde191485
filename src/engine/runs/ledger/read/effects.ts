/** Reads the ledger of effects as an organization sees it: effects of private runs as the history shows these runs. */
import {
  composeBounded,
  fromBounded,
  NEXT_ROWS,
  readBounded,
  STOP_COLUMNS,
  type BoundedRows,
  type Statement,
} from '../../../../base/db/bounded-page.ts';
import type { Db } from '../../../../base/db/client.ts';
import { composePage, type PageRead } from '../../../../base/db/keyset.ts';
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

const ORDER = ['e.created_at', 'e.id'] as const;
const REST_OF_ROW = 'LEFT JOIN runs r ON r.id = e.run_pk LEFT JOIN run_steps s ON s.step_id = e.step_id';

type EffectPage = EffectFilter & { readonly page: PageRead };

/** The parameters of a statement, and the conditions of each filter that is set. */
function bindFilters(reader: Reader, { page, ...filter }: EffectPage) {
  const params = readerParams(reader);
  const bind = (value: unknown): string => `$${params.push(value)}`;
  const isEqual = (column: string, value: string | undefined, common?: string): string[] => {
    if (value === undefined) return [];
    const condition = `e.${column} = ${bind(value)}`;
    // The condition of the index, which leaves the most common value out.
    return common === undefined || value === common ? [condition] : [condition, `e.${column} <> '${common}'`];
  };
  // Each has an index in the order of the list, but a run, which has few effects, and the most common values. The rarest come first.
  const byIndex = [
    isEqual('run_pk', filter.run_pk),
    isEqual('credential_id', filter.credential_id),
    isEqual('created_by', filter.created_by),
    ...(filter.outcome === 'done' ? [] : [isEqual('outcome', filter.outcome, 'done')]),
    ...(filter.door === 'http' ? [] : [isEqual('door', filter.door, 'http')]),
    isEqual('host', filter.host),
    isEqual('workflow_id', filter.workflow_id),
    isEqual('effect', filter.effect),
  ].filter((conditions) => conditions.length > 0);
  const common = [
    ...(filter.outcome === 'done' ? isEqual('outcome', 'done') : []),
    ...(filter.door === 'http' ? isEqual('door', 'http') : []),
  ];
  // A cursor is within these bounds, and an index would be read from the bound to the cursor.
  const isBounded = page.from !== null;
  const times = [
    ...(filter.from === undefined || (isBounded && page.isBackward)
      ? []
      : [`e.created_at >= ${bind(new Date(filter.from))}`]),
    ...(filter.to === undefined || (isBounded && !page.isBackward)
      ? []
      : [`e.created_at < ${bind(new Date(filter.to))}`]),
  ];
  // A sub-select for each row, not a join: the rows come from an index in the order of the list, whatever the server thinks of the runs.
  const visible = `(SELECT ${VISIBLE} FROM runs r WHERE r.id = e.run_pk)`;
  return { params, byIndex, common, times, visible };
}

const orderRows = ({ isBackward }: PageRead): string => {
  const direction = isBackward ? 'ASC' : 'DESC';
  return `ORDER BY e.created_at ${direction}, e.id ${direction}`;
};

/** Composes the search for a page in all effects. The server chooses the index. */
function composeWhole(reader: Reader, read: EffectPage): Statement {
  const { params, byIndex, common, times, visible } = bindFilters(reader, read);
  const { condition, tail } = composePage(params, read.page, ORDER);
  const conditions = ['e.organization_id = $1', visible, ...byIndex.flat(), ...common, ...times, condition];
  return {
    text: `WITH page AS MATERIALIZED (SELECT e.* FROM run_effects e WHERE ${conditions.join(' AND ')} ${tail})
     SELECT ${COLUMNS} FROM page e ${REST_OF_ROW} ${orderRows(read.page)}`,
    params,
  };
}

/** Composes a page of the matches among the next effects, in the order of one index whatever the server thinks of the filters. */
function composeNext(reader: Reader, read: EffectPage): Statement {
  const { params, byIndex, common, times, visible } = bindFilters(reader, read);
  const [order = [], ...others] = byIndex;
  const ctes = composeBounded(params, read.page, {
    from: 'run_effects e',
    columns: ORDER,
    indexed: ['e.organization_id = $1', ...order, ...times],
    filters: [...others.flat(), ...common, visible],
    // The run of each is looked at: five pages of the server, in place of one.
    ...(reader.seesPrivate ? {} : { most: NEXT_ROWS / 2 }),
  });
  return {
    text: `WITH ${ctes} SELECT ${COLUMNS}, ${STOP_COLUMNS} FROM ${fromBounded('e')} ${REST_OF_ROW}
     ${orderRows(read.page)}`,
    params,
  };
}

/** Reads a page of effects, newest first. */
export const readEffects = (
  db: Pick<Db, 'query' | 'transaction'>,
  reader: Reader,
  read: EffectPage,
): Promise<BoundedRows<LedgerRow>> =>
  readBounded(db, read.page, {
    whole: composeWhole(reader, read),
    bounded: () => composeNext(reader, read),
  });
