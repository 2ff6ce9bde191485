/** The transformer: maps, filters, renders and merges values (SPEC DEF-2.7). */
import { z } from 'zod';
import { readJsonTemplate } from '../../graph/template/json-template.ts';
import { readList } from '../../graph/values/list-value.ts';
import { compareOrdinals, readOrdinal, type Ordinal } from '../../graph/values/order.ts';
import { isOneTemplate } from '../../graph/template/template-scanner.ts';
import type { ExactJson } from '../../graph/values/exact-json.ts';
import { parseUntrustedExactJson } from '../../graph/values/storable.ts';
import type { Json } from '../../graph/values/value.ts';
import { isObject, ownValue } from '../../graph/values/value.ts';
import type { WorkBudget } from '../../graph/values/work-budget.ts';
import { deepMerge } from './deep-merge.ts';
import type { NodeCall, NodeResult, NodeWarning } from '../kind.ts';
import { NodeError, defineNode } from '../kind.ts';
import { createNumberWarnings } from '../number-warning.ts';
import { renderJson } from '../render-json.ts';
import { discriminator, anyJson, jsonObject, orNull, readConfig, ruleGroup } from '../read-config.ts';
import { presentResponse, renderRespond, respondField } from './respond.ts';
import { nextTurn } from '../turn.ts';

const MAX_ITEMS = 100_000;
/** Steps to find a sort key in an item, to read a text as a number or a time, and to compare two items. */
const STEPS_PER_SORT_KEY = 8;
const STEPS_PER_TEXT = 16;
const STEPS_PER_COMPARISON = 2;
/** Characters per step when texts are read or compared. */
const CHARS_PER_STEP = 32;

const config = z.discriminatedUnion('mode', [
  z.object({
    mode: discriminator('map'),
    fields: jsonObject.meta({ description: 'The fields of the output; values may be templates' }),
    ...respondField,
  }),
  z.object({
    mode: discriminator('list'),
    source: anyJson.meta({ description: 'The array, or a template of it' }),
    filter: ruleGroup
      .nullish()
      .meta({ description: 'Condition on each item, as `item` and `index`; null: keeps all items' }),
    sort: z
      .array(
        z.object({
          by: z.string().default('').meta({ description: 'Path into the item; empty: the item itself' }),
          order: z
            .enum(['asc', 'desc'])
            .default('asc')
            .meta({ description: 'Sort order; null comes last in both' }),
        }),
      )
      .nullish()
      .transform((sort) => sort ?? [])
      .meta({ description: 'Sort keys, the most significant first; null: keeps the order' }),
    limit: z.int().min(0).nullish().meta({ description: 'Maximum number of items; null: unlimited' }),
    select: orNull(anyJson).meta({
      description: 'Template of each output item, with `item` and `index`; null: the item itself',
    }),
    ...respondField,
  }),
  z.object({
    mode: discriminator('template'),
    template: z.string().meta({ description: 'A text with templates' }),
    parse_as: z.enum(['text', 'json']).default('text').meta({
      description:
        'Whether the output is the rendered text or its parsed JSON. In JSON, inserted values are escaped',
    }),
    ...respondField,
  }),
  z.object({
    mode: discriminator('merge'),
    sources: z.array(anyJson).meta({ description: 'The values to merge, in order; values may be templates' }),
    strategy: z.enum(['first_non_null', 'concat', 'deep_merge']).default('first_non_null').meta({
      description:
        'Takes the first value that is not null, concatenates arrays, or merges objects, where later ones win',
    }),
    ...respondField,
  }),
]);
type Config = z.output<typeof config>;
interface Transformed {
  readonly output: Json;
  readonly warnings: readonly NodeWarning[];
}
type ListConfig = Extract<Config, { mode: 'list' }>;

const createInvalidJson = (): NodeError => new NodeError('invalid_json', 'The rendered template is not JSON');

/** Renders a template to JSON. If it is exactly one template, its text is the JSON. */
function renderAsJson(call: NodeCall<Config>, template: string): ExactJson {
  const pieces = isOneTemplate(template) ? 'whole' : readJsonTemplate(template, false);
  if (pieces === null) throw createInvalidJson();
  const text = pieces === 'whole' ? call.renderText(template) : renderJson(call, pieces);
  try {
    return parseUntrustedExactJson(text);
  } catch {
    throw createInvalidJson();
  }
}

function getAt(item: Json, path: readonly string[]): Json {
  let at: Json | undefined = item;
  for (const key of path) {
    at = ownValue(at, Array.isArray(at) ? Number(key) : key);
    if (at === undefined) return null;
  }
  return at;
}

type Entry = { readonly item: Json; readonly index: number };
type SortKey = ListConfig['sort'][number];

const splitKey = ({ by }: SortKey): readonly string[] => (by === '' ? [] : by.split('.'));

/** Reads a value of an item for the sort; null when it is missing, which is last in both directions. */
function readSortValue(item: Json, path: readonly string[], work: WorkBudget): Ordinal | null {
  const value = getAt(item, path);
  work.spend(
    STEPS_PER_SORT_KEY + (typeof value === 'string' ? STEPS_PER_TEXT + value.length / CHARS_PER_STEP : 0),
  );
  return value === null ? null : readOrdinal(value);
}

function compareSortValues(
  [left, right]: readonly [Ordinal | null, Ordinal | null],
  order: SortKey['order'],
  work: WorkBudget,
): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  if (left.kind === 'text' && right.kind === 'text')
    work.spend(Math.min(left.text.length, right.text.length) / CHARS_PER_STEP);
  return compareOrdinals(left, right) * (order === 'desc' ? -1 : 1);
}

/** Sorts by several keys, in the one order of values (graph/values/order.ts). @returns also the keys that no item has */
function sortEntries(
  entries: readonly Entry[],
  sort: ListConfig['sort'],
  work: WorkBudget,
): { readonly entries: readonly Entry[]; readonly missing: readonly string[] } {
  if (sort.length === 0 || entries.length === 0) return { entries, missing: [] };
  const rows = entries.map((entry) => ({
    entry,
    values: sort.map((key) => readSortValue(entry.item, splitKey(key), work)),
  }));
  const missing = sort.flatMap(({ by }, at) => (rows.every(({ values }) => values[at] === null) ? [by] : []));
  rows.sort((a, b) => {
    for (const [at, { order }] of sort.entries()) {
      work.spend(STEPS_PER_COMPARISON);
      const found = compareSortValues([a.values[at] ?? null, b.values[at] ?? null], order, work);
      if (found !== 0) return found;
    }
    return 0;
  });
  return { entries: rows.map(({ entry }) => entry), missing };
}

const createSortWarnings = (missing: readonly string[]): NodeWarning[] =>
  missing.map((by) => ({
    code: 'missing_path',
    message:
      by === ''
        ? 'The list has only nulls to sort by'
        : `No item of the list has "${by}", which it is sorted by`,
  }));

async function transformList(call: NodeCall<Config>, list: ListConfig): Promise<Transformed> {
  const { work } = call.patterns;
  const source = readList(call.render(list.source));
  if (source === null) throw new NodeError('not_an_array', 'The source of the list is not an array');
  if (source.length > MAX_ITEMS)
    throw new NodeError('too_many_items', `The list has more than ${MAX_ITEMS} items`);
  const { filter, select } = list;
  const kept: Entry[] = [];
  for (const [index, item] of source.entries()) {
    if (!filter || call.evaluate(filter, { item, index })) kept.push({ item, index });
    if (work.isTurnOver) await nextTurn(work);
  }
  const { entries: ordered, missing } = sortEntries(kept, list.sort, work);
  const chosen = typeof list.limit === 'number' ? ordered.slice(0, list.limit) : ordered;
  const items: Json[] = [];
  for (const { item, index } of chosen) {
    items.push(select === null ? item : call.render(select, { item, index }));
    if (work.isTurnOver) await nextTurn(work);
  }
  return { output: { items, count: items.length }, warnings: createSortWarnings(missing) };
}

function merge(
  sources: readonly Json[],
  strategy: 'first_non_null' | 'concat' | 'deep_merge',
  work: WorkBudget,
): Json {
  const given = sources.filter((source) => source !== null);
  if (strategy === 'first_non_null') return given[0] ?? null;
  if (strategy === 'concat') {
    work.spend(given.reduce<number>((sum, source) => sum + (Array.isArray(source) ? source.length : 1), 0));
    return given.flat();
  }
  if (!given.every(isObject)) throw new NodeError('not_an_object', 'deep_merge accepts only objects');
  return deepMerge(given, work);
}

async function transform(call: NodeCall<Config>): Promise<Transformed> {
  const { config: given } = call;
  switch (given.mode) {
    case 'map':
      return { output: call.render(given.fields), warnings: [] };
    case 'list':
      return transformList(call, given);
    case 'template': {
      if (given.parse_as === 'text')
        return { output: { text: call.renderText(given.template) }, warnings: [] };
      const exact = renderAsJson(call, given.template);
      return { output: exact.value, warnings: createNumberWarnings('', exact) };
    }
    case 'merge': {
      const sources = given.sources.map((source) => call.render(source));
      return { output: { value: merge(sources, given.strategy, call.patterns.work) }, warnings: [] };
    }
  }
}

/** The kind `transformer`. */
export const transformer = defineNode<Config>({
  type: 'transformer',
  config,
  literalKeys: ['mode', 'sort', 'limit', 'parse_as', 'strategy'],
  itemKeys: ['filter', 'select'],
  parse: (given) => readConfig(config, given),
  policy: () => ({ placement: 'fold', effect: 'pure', timeoutMs: 5_000, maxAttempts: 1, handles: [] }),
  run: async (call): Promise<NodeResult> => {
    const { respond } = call.config;
    const completed = { outcome: 'completed', ...(await transform(call)) } as const;
    if (!respond) return completed;
    const response = renderRespond(call, respond, completed.output);
    call.keepInput({ respond: presentResponse(response) });
    return { ...completed, response };
  },
});
