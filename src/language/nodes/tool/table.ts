/** Tool of kind `table`: reads and writes rows of the tables of the organization (SPEC DEF-2.2). */
import { z } from 'zod';
import { findTemplateProblem } from '../../graph/template/given-values.ts';
import { readList } from '../../graph/values/list-value.ts';
import type { Json, JsonObject } from '../../graph/values/value.ts';
import { defineSender, makeEffect, type PatternOf } from '../effect.ts';
import { NodeError, type PrepareCall } from '../kind.ts';
import { addProblem, anyJson, discriminator, orNull } from '../read-config.ts';
import { asText } from './http-body.ts';
import { nextTurn } from '../turn.ts';
import { isRowKey, MAX_KEY, toItemKey, type RowRequest, type UnseenRequest } from './row-request.ts';

const OPERATIONS = [
  'get',
  'query',
  'put',
  'put_if_absent',
  'compare_and_set',
  'increment',
  'delete',
  'unseen',
] as const;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
/** Items that `unseen` looks at. */
const MAX_ITEMS = 10_000;

/** A number, or a template of one. */
const numberOrTemplate = z.union([z.number(), z.string()]);
/** Longer than a key, because it may be a template. */
const text = z.string().min(1).max(2_000);

export const tableTool = z
  .object({
    kind: discriminator('table'),
    operation: z.enum(OPERATIONS).meta({
      description:
        '`get` and `query` read; `put` replaces a row, `put_if_absent` keeps one that is there, `compare_and_set` replaces the `expected_version`, `increment` adds `by`, `delete` deletes; `unseen` gives the items that no run has acted on',
    }),
    table_id: z.guid().meta({ description: 'Id of the table' }),
    key: orNull(text).meta({
      description: 'Key of the row; may be a template. Of all operations but `query` and `unseen`',
    }),
    value: anyJson
      .nullish()
      .meta({ description: 'Value of `put`, `put_if_absent` and `compare_and_set`; may have templates' }),
    expected_version: orNull(numberOrTemplate).meta({
      description: 'Version that `compare_and_set` replaces, or a template of it; 0: there is no row',
    }),
    by: numberOrTemplate
      .default(1)
      .meta({ description: 'Number that `increment` adds, or a template of it; a row that is missing is 0' }),
    field: orNull(z.string().min(1).max(255)).meta({
      description:
        'Field of the value: the one that `increment` changes (null: the value itself), or that `query` compares with `equals`',
    }),
    equals: orNull(z.string().max(2_000)).meta({
      description: 'Value of `field` in the rows of a `query`, compared as text; may be a template',
    }),
    prefix: orNull(text).meta({
      description: 'Beginning of the keys of a `query`; may be a template. Null: all rows',
    }),
    after: orNull(text).meta({
      description:
        'Key behind which a `query` begins: a template of `next` of the page before. Null: at the first row',
    }),
    limit: z
      .int()
      .min(1)
      .max(MAX_LIMIT)
      .default(DEFAULT_LIMIT)
      .meta({ description: 'Most rows of a `query`, and most items of `unseen`' }),
    items: anyJson.nullish().meta({ description: 'List of `unseen`: a template of it' }),
    item_key: text.default('{{item}}').meta({
      description:
        'Key of an item of `unseen`: a template that reads `item` alone. A key of more than 255 characters is hashed',
    }),
    mark_after: orNull(z.string().min(1).max(64)).meta({
      description:
        'Id of the node whose end marks what `unseen` gave: with `for_each` each item as it ends, else all of them',
    }),
    first: orNull(z.int().min(0).max(MAX_LIMIT)).meta({
      description:
        'Most items of the first `unseen` of a table, which marks the others; 0: none. Null: as ever, by `limit`',
    }),
  })
  .superRefine((given, ctx) => {
    const { operation, key, expected_version: expected, field, equals } = given;
    const require = (path: string, isThere: boolean): void => {
      if (!isThere)
        addProblem(ctx, { code: 'invalid_config', message: `is required by ${operation}`, path: [path] });
    };
    require('key', operation === 'query' || operation === 'unseen' || key !== null);
    if (operation === 'unseen') {
      require('items', given.items !== null && given.items !== undefined);
      require('mark_after', given.mark_after !== null);
      const message = findTemplateProblem(given.item_key, ['item']);
      if (message !== null) addProblem(ctx, { code: 'invalid_config', message, path: ['item_key'] });
    }
    require('expected_version', operation !== 'compare_and_set' || expected !== null);
    if (operation !== 'query') return;
    require('equals', field === null || equals !== null);
    require('field', equals === null || field !== null);
  });
export type TableTool = z.output<typeof tableTool>;

const isRead = (operation: TableTool['operation']): operation is 'get' | 'query' =>
  operation === 'get' || operation === 'query';

// A write commits with its step: an attempt that is lost has written nothing, so another may be made.
const describeTable = ({ table_id, operation }: TableTool): PatternOf<'table'> => ({
  door: 'table',
  target: { table_id, operation },
  effect: isRead(operation) ? 'pure' : 'idempotent',
  credential_id: null,
});

/** Renders a text. @returns null where the config has none, and for a template of null */
function renderOptional(call: PrepareCall<TableTool>, template: string | null): string | null {
  const rendered = template === null ? null : call.render(template);
  return rendered === null ? null : asText(rendered);
}

/** @throws NodeError `invalid_key` */
function renderKey(call: PrepareCall<TableTool>): string {
  const key = renderOptional(call, call.config.key) ?? '';
  if (isRowKey(key)) return key;
  throw new NodeError('invalid_key', `A key has 1 to ${MAX_KEY} characters, and is not "." or ".."`);
}

/** @throws NodeError `invalid_input` */
function renderNumber(call: PrepareCall<TableTool>, name: 'by' | 'expected_version'): number {
  const given: Json = call.config[name];
  const rendered = typeof given === 'string' ? call.render(given) : given;
  const number = typeof rendered === 'string' && rendered.trim() !== '' ? Number(rendered) : rendered;
  const isValid =
    typeof number === 'number' &&
    Number.isFinite(number) &&
    (name === 'by' || (Number.isSafeInteger(number) && number >= 0));
  if (!isValid)
    throw new NodeError(
      'invalid_input',
      name === 'by' ? 'by: must be a number' : 'expected_version: must be a version, or 0',
    );
  return number;
}

/** @throws NodeError `invalid_items`, `too_many_items`, `invalid_key` */
async function renderUnseen(call: PrepareCall<TableTool>): Promise<UnseenRequest> {
  const { items: source = null, item_key: template, first, limit } = call.config;
  const items = readList(call.render(source));
  if (items === null) throw new NodeError('invalid_items', 'items is not a list');
  if (items.length > MAX_ITEMS)
    throw new NodeError('too_many_items', `items has ${items.length} items, more than ${MAX_ITEMS}`);
  const { work } = call.patterns;
  const keys: string[] = [];
  for (const [index, item] of items.entries()) {
    const key = toItemKey(call.render(template, { item }));
    if (key === null)
      throw new NodeError('invalid_key', `Item ${index} has no key: ${template} must be a text or a number`);
    keys.push(key);
    if (work.isTurnOver) await nextTurn(work);
  }
  return { operation: 'unseen', keys, given: { items }, limit, first };
}

function renderRequest(call: PrepareCall<TableTool>): Promise<UnseenRequest> | RowRequest {
  const { operation, value = null, field, prefix, equals, after, limit } = call.config;
  switch (operation) {
    case 'query':
      return {
        operation,
        prefix: renderOptional(call, prefix),
        field,
        equals: renderOptional(call, equals),
        after: renderOptional(call, after),
        limit,
      };
    case 'unseen':
      return renderUnseen(call);
    case 'get':
      return { operation, key: renderKey(call) };
    case 'delete':
      return { operation, key: renderKey(call), given: {} };
    case 'increment': {
      const by = renderNumber(call, 'by');
      return { operation, key: renderKey(call), given: { by, ...(field === null ? {} : { field }) } };
    }
    case 'put':
    case 'put_if_absent':
      return { operation, key: renderKey(call), given: { value: call.render(value) } };
    case 'compare_and_set': {
      const expected = renderNumber(call, 'expected_version');
      const given = { value: call.render(value), expected_version: expected };
      return { operation, key: renderKey(call), given };
    }
  }
}

/** The request in the record of the step. Items are in the output, as far as they are given. */
const show = (request: RowRequest): JsonObject =>
  request.operation === 'unseen'
    ? { operation: 'unseen', items: request.keys.length, first: request.first, limit: request.limit }
    : request;

/** Reads at once; a write is the outcome `write`, which the engine makes in the transaction that ends the step. */
export const tableSender = defineSender<TableTool, 'table'>({
  describe: describeTable,
  async prepare(call) {
    const { table_id, operation } = call.config;
    const request = await renderRequest(call);
    return makeEffect(call, describeTable(call.config), {
      target: { table_id, operation },
      request,
      shown: { table_id, ...show(request) },
    });
  },
  async perform(call, { target: { table_id: tableId }, request }) {
    const table = { organizationId: call.identity.organizationId, tableId };
    switch (request.operation) {
      case 'get': {
        const row = await call.tools.tables.get(table, request.key);
        const { value, version } = row ?? { value: null, version: null };
        return { outcome: 'completed', output: { found: row !== null, key: request.key, value, version } };
      }
      case 'query': {
        const { rows, next } = await call.tools.tables.query(table, request);
        return { outcome: 'completed', output: { items: [...rows], count: rows.length, next } };
      }
      case 'put':
      case 'put_if_absent':
      case 'compare_and_set':
      case 'increment':
      case 'delete':
      case 'unseen':
        return { outcome: 'write', write: { ...request, tableId } };
    }
  },
});
