/** Conditions over metadata as SQL: every key and value is a bound parameter, only operators become text. */
import type { FilterCondition, FilterOp } from '../graph/metadata-filter.ts';

/** Where a condition looks: one that holds in either place holds. */
const PLACES = ['d.doc_metadata', 'c.chunk_metadata'] as const;

const COMPARISON = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** CASE, because AND promises no order: a text must never meet the cast to a number. */
function comparison(field: string, value: string, given: { sign: string; isNumber: boolean }): string {
  const { sign, isNumber } = given;
  const text = (json: string): string => `(${json} #>> '{}')`;
  return isNumber
    ? `CASE jsonb_typeof(${field}) WHEN 'number' THEN ${text(field)}::numeric ${sign} ${text(value)}::numeric END`
    : `CASE jsonb_typeof(${field}) WHEN 'string' THEN ${text(field)} COLLATE "C" ${sign} ${text(value)} END`;
}

function contains(field: string, value: string, isText: boolean): string {
  const inText = isText ? `WHEN 'string' THEN position((${value} #>> '{}') IN (${field} #>> '{}')) > 0` : '';
  return `CASE jsonb_typeof(${field}) WHEN 'array' THEN ${field} @> jsonb_build_array(${value}) ${inText} END`;
}

function test(field: string, value: string, condition: FilterCondition): string {
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
      return comparison(field, value, {
        sign: COMPARISON[op],
        isNumber: typeof condition.value === 'number',
      });
    case 'contains':
      return contains(field, value, typeof condition.value === 'string');
    case 'exists':
      return `${field} IS NOT NULL`;
  }
}

const isNegative = (condition: FilterCondition): boolean => {
  const negative: readonly FilterOp[] = ['neq', 'not_in'];
  return negative.includes(condition.op) || (condition.op === 'exists' && condition.value === false);
};

/**
 * The conditions as a WHERE clause over `d` (documents) and `c` (chunks), beginning with AND; empty without any.
 * @param params gets the values behind those that are there
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
      const anywhere = PLACES.map((place) => test(`(${place} -> ${key})`, value, condition)).join(' OR ');
      return ` AND ${isNegative(condition) ? 'NOT ' : ''}coalesce(${anywhere}, false)`;
    })
    .join('');
}
