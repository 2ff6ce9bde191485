/** Builds SQL from metadata conditions: every key and value is a bound parameter, only operators become SQL text. */
import type { FilterCondition, FilterOp } from '../../language/graph/template/metadata-filter.ts';
import { compareValues } from '../../language/graph/values/order.ts';
import type { Json } from '../../language/graph/values/value.ts';

/** A condition is met if either column meets it. */
const COLUMNS = ['d.doc_metadata', 'c.chunk_metadata'] as const;

const COMPARISON = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/**
 * Numbers and timestamps compare as in `compareValues` (graph/values/order.ts), by functions of the database that are null for anything
 * else. Other texts compare by character; CASE, because AND guarantees no order and the field may be of any type.
 */
function buildComparison(
  field: string,
  value: string,
  { sign, given }: { sign: string; given: Json },
): string {
  const compare = (read: string): string => `${read}(${field}) ${sign} ${read}(${value})`;
  if (compareValues(given, given) !== null)
    return `coalesce(${compare('metadata_number')}, ${compare('metadata_moment')})`;
  const text = (json: string): string => `(${json} #>> '{}')`;
  return `CASE jsonb_typeof(${field}) WHEN 'string' THEN ${text(field)} COLLATE "C" ${sign} ${text(value)} END`;
}

function buildContains(field: string, value: string, isText: boolean): string {
  const inText = isText ? `WHEN 'string' THEN position((${value} #>> '{}') IN (${field} #>> '{}')) > 0` : '';
  return `CASE jsonb_typeof(${field}) WHEN 'array' THEN ${field} @> jsonb_build_array(${value}) ${inText} END`;
}

function buildTest(field: string, value: string, condition: FilterCondition): string {
  const { op } = condition;
  switch (op) {
    case 'eq':
    case 'neq':
      return `${field} = ${value}`;
    case 'in':
    case 'not_in':
      return `${field} = ANY (ARRAY(SELECT jsonb_array_elements(${value})))`;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return buildComparison(field, value, { sign: COMPARISON[op], given: condition.value });
    case 'contains':
      return buildContains(field, value, typeof condition.value === 'string');
    case 'exists':
      return `${field} IS NOT NULL`;
  }
}

const isNegative = (condition: FilterCondition): boolean => {
  const negative: readonly FilterOp[] = ['neq', 'not_in'];
  return negative.includes(condition.op) || (condition.op === 'exists' && condition.value === false);
};

/**
 * Builds a WHERE clause over `d` (documents) and `c` (chunks) that starts with AND; empty without conditions.
 * @param params the values are appended to it
 */
export function filterSql(conditions: readonly FilterCondition[], params: unknown[]): string {
  return conditions
    .map((condition) => {
      params.push(condition.key);
      const key = `$${params.length}::text`;
      let value = '';
      if (condition.op !== 'exists') {
        params.push(JSON.stringify(condition.value));
        value = `$${params.length}::jsonb`;
      }
      const anywhere = COLUMNS.map((column) => buildTest(`(${column} -> ${key})`, value, condition)).join(
        ' OR ',
      );
      return ` AND ${isNegative(condition) ? 'NOT ' : ''}coalesce(${anywhere}, false)`;
    })
    .join('');
}
