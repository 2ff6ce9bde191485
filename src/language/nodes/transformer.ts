/** The transformer: maps, filters, renders and merges values (SPEC DEF-2.7). */
import { z } from 'zod';
import { readJsonTemplate } from '../graph/template/json-template.ts';
import { isOneTemplate } from '../graph/template/template-scanner.ts';
import type { ExactJson } from '../graph/values/exact-json.ts';
import { parseUntrustedExactJson } from '../graph/values/storable.ts';
import type { Json } from '../graph/values/value.ts';
import { isObject, ownValue } from '../graph/values/value.ts';
import type { WorkBudget } from '../graph/values/work-budget.ts';
import { deepMerge } from './deep-merge.ts';
import type { NodeCall, NodeResult } from './kind.ts';
import { NodeError, defineNode } from './kind.ts';
import { createNumberWarnings } from '../../nodes/number-warning.ts';
import { renderJson } from './render-json.ts';
import { anyJson, jsonObject, orNull, readConfig, ruleGroup } from './read-config.ts';
import { presentResponse, renderRespond, respondField } from './respond.ts';
import { nextTurn } from '../../nodes/turn.ts';

const MAX_ITEMS = 100_000;
/** Steps per item and sort key, and per comparison of two items. */
const STEPS_PER_SORT_KEY = 8;
const STEPS_PER_COMPARISON = 2;
/** Characters per step when strings are compared. */
const CHARS_PER_STEP = 32;

const config = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('map'), fields: jsonObject, ...respondField }),
  z.object({
    mode: z.literal('list'),
    source: anyJson,
    filter: ruleGroup.nullish(),
    sort: z
      .array(z.object({ by: z.string().default(''), order: z.enum(['asc', 'desc']).default('asc') }))
      .nullish()
      .transform((sort) => sort ?? []),
    limit: z.int().min(0).nullish(),
    select: orNull(anyJson),
    ...respondField,
  }),
  z.object({
    mode: z.literal('template'),
    template: z.string(),
    parse_as: z.enum(['text', 'json']).default('text'),
    ...respondField,
  }),
  z.object({
    mode: z.literal('merge'),
    sources: z.array(anyJson),
    strategy: z.enum(['first_non_null', 'concat', 'deep_merge']).default('first_non_null'),
    ...respondField,
  }),
]);
type Config = z.output<typeof config>;
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

/** Sort order of different types; null and missing values are last in both directions. */
const TYPE_RANK: Readonly<Record<string, number>> = { number: 0, string: 1, boolean: 2 };

function compare(a: Json, b: Json, work: WorkBudget): number {
  if (typeof a !== typeof b) return (TYPE_RANK[typeof a] ?? 3) - (TYPE_RANK[typeof b] ?? 3);
  if (typeof a === 'object' || typeof b === 'object') return 0;
  if (typeof a === 'string' && typeof b === 'string')
    work.spend(Math.min(a.length, b.length) / CHARS_PER_STEP);
  return a < b ? -1 : a > b ? 1 : 0;
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

function sortEntries(
  entries: readonly Entry[],
  sort: ListConfig['sort'],
  work: WorkBudget,
): readonly Entry[] {
  if (sort.length === 0) return entries;
  const keys = sort.map(({ by, order }) => ({
    path: by === '' ? [] : by.split('.'),
    sign: order === 'desc' ? -1 : 1,
  }));
  work.spend(entries.length * keys.length * STEPS_PER_SORT_KEY);
  const rows = entries.map((entry) => ({
    entry,
    values: keys.map((key) => getAt(entry.item, key.path)),
  }));
  rows.sort((a, b) => {
    for (const [at, key] of keys.entries()) {
      work.spend(STEPS_PER_COMPARISON);
      const left = a.values[at] ?? null;
      const right = b.values[at] ?? null;
      if (left === null || right === null) {
        if (left === right) continue;
        return left === null ? 1 : -1;
      }
      const order = compare(left, right, work);
      if (order !== 0) return order * key.sign;
    }
    return 0;
  });
  return rows.map((row) => row.entry);
}

async function transformList(call: NodeCall<Config>, list: ListConfig): Promise<Json> {
  const { work } = call.patterns;
  const source = call.render(list.source);
  if (!Array.isArray(source)) throw new NodeError('not_an_array', 'The source of the list is not an array');
  if (source.length > MAX_ITEMS)
    throw new NodeError('too_many_items', `The list has more than ${MAX_ITEMS} items`);
  const { filter, select } = list;
  const kept: Entry[] = [];
  for (const [index, item] of source.entries()) {
    if (!filter || call.evaluate(filter, { item, index })) kept.push({ item, index });
    if (work.isTurnOver) await nextTurn(work);
  }
  const ordered = sortEntries(kept, list.sort, work);
  const chosen = typeof list.limit === 'number' ? ordered.slice(0, list.limit) : ordered;
  const items: Json[] = [];
  for (const { item, index } of chosen) {
    items.push(select === null ? item : call.render(select, { item, index }));
    if (work.isTurnOver) await nextTurn(work);
  }
  return { items, count: items.length };
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

function transform(call: NodeCall<Config>): Json | Promise<Json> {
  const { config: given } = call;
  switch (given.mode) {
    case 'map':
      return call.render(given.fields);
    case 'list':
      return transformList(call, given);
    case 'template':
      return { text: call.renderText(given.template) };
    case 'merge':
      return {
        value: merge(
          given.sources.map((source) => call.render(source)),
          given.strategy,
          call.patterns.work,
        ),
      };
  }
}

async function complete(call: NodeCall<Config>): Promise<NodeResult & { outcome: 'completed' }> {
  const { config: given } = call;
  if (given.mode !== 'template' || given.parse_as === 'text')
    return { outcome: 'completed', output: await transform(call) };
  const { value, texts } = renderAsJson(call, given.template);
  return { outcome: 'completed', output: value, warnings: createNumberWarnings('', texts) };
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
    const completed = await complete(call);
    if (!respond) return completed;
    const response = renderRespond(call, respond, completed.output);
    return { ...completed, response, input: { respond: presentResponse(response) } };
  },
});
