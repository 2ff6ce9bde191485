/** The transformer: reshapes values without any effect (SPEC DEF-2.7). */
import { z } from 'zod';
import { readJsonTemplate } from '../graph/json-template.ts';
import { isOneTemplate } from '../graph/template-scanner.ts';
import type { ExactJson } from '../graph/exact-json.ts';
import { readExactJson } from '../graph/storable.ts';
import type { Json, JsonObject } from '../graph/value.ts';
import { isObject, ownValue, setOwn } from '../graph/value.ts';
import type { NodeCall, NodeResult } from './kind.ts';
import { NodeError, defineNode } from './kind.ts';
import { warnOfNumbers } from './number-warning.ts';
import { renderJson } from './render-json.ts';
import { anyJson, jsonObject, orNull, readConfig, ruleGroup } from './read-config.ts';

/** A list is filtered and rendered item by item inside a short activity. */
const MAX_ITEMS = 100_000;

const config = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('map'), fields: jsonObject }),
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
  }),
  z.object({
    mode: z.literal('template'),
    template: z.string(),
    parse_as: z.enum(['text', 'json']).default('text'),
  }),
  z.object({
    mode: z.literal('merge'),
    sources: z.array(anyJson),
    strategy: z.enum(['first_non_null', 'concat', 'deep_merge']).default('first_non_null'),
  }),
]);
type Config = z.output<typeof config>;
type ListConfig = Extract<Config, { mode: 'list' }>;

const notJson = (): NodeError => new NodeError('invalid_json', 'The rendered template is not JSON');

/** A text that is one template is the JSON; in any other, what is inserted stays a value or a part of a string. */
function renderAsJson(call: NodeCall<Config>, template: string): ExactJson {
  const pieces = isOneTemplate(template) ? 'whole' : readJsonTemplate(template, false);
  if (pieces === null) throw notJson();
  const text = pieces === 'whole' ? call.renderText(template) : renderJson(call, pieces);
  try {
    return readExactJson(text);
  } catch {
    throw notJson();
  }
}

/** Order of types when a sort meets different ones; null and missing values come last in both directions. */
const TYPE_RANK: Readonly<Record<string, number>> = { number: 0, string: 1, boolean: 2 };

function compare(a: Json, b: Json): number {
  if (typeof a !== typeof b) return (TYPE_RANK[typeof a] ?? 3) - (TYPE_RANK[typeof b] ?? 3);
  if (typeof a === 'object' || typeof b === 'object') return 0;
  return a < b ? -1 : a > b ? 1 : 0;
}

function valueAt(item: Json, path: readonly string[]): Json | undefined {
  let at: Json | undefined = item;
  for (const key of path) at = ownValue(at, Array.isArray(at) ? Number(key) : key);
  return at;
}

type Entry = { readonly item: Json; readonly index: number };

function sorted(entries: readonly Entry[], sort: ListConfig['sort']): readonly Entry[] {
  if (sort.length === 0) return entries;
  const keys = sort.map(({ by, order }) => ({
    path: by === '' ? [] : by.split('.'),
    sign: order === 'desc' ? -1 : 1,
  }));
  const rows = entries.map((entry) => ({
    entry,
    values: keys.map((key) => valueAt(entry.item, key.path) ?? null),
  }));
  rows.sort((a, b) => {
    for (const [at, key] of keys.entries()) {
      const left = a.values[at] ?? null;
      const right = b.values[at] ?? null;
      if (left === null || right === null) {
        if (left === right) continue;
        return left === null ? 1 : -1;
      }
      const order = compare(left, right);
      if (order !== 0) return order * key.sign;
    }
    return 0;
  });
  return rows.map((row) => row.entry);
}

function transformList(call: NodeCall<Config>, list: ListConfig): Json {
  const source = call.render(list.source);
  if (!Array.isArray(source)) throw new NodeError('not_an_array', 'The source of the list is not an array');
  if (source.length > MAX_ITEMS)
    throw new NodeError('too_many_items', `The list has more than ${MAX_ITEMS} items`);
  const { filter, select } = list;
  let entries: readonly Entry[] = source.map((item, index) => ({ item, index }));
  if (filter) entries = entries.filter(({ item, index }) => call.evaluate(filter, { item, index }));
  entries = sorted(entries, list.sort);
  if (typeof list.limit === 'number') entries = entries.slice(0, list.limit);
  const items = entries.map(({ item, index }) =>
    select === null ? item : call.render(select, { item, index }),
  );
  return { items, count: items.length };
}

function deepMerge(into: JsonObject, from: JsonObject): JsonObject {
  const merged: JsonObject = {};
  for (const [key, value] of Object.entries(into)) setOwn(merged, key, value);
  for (const [key, value] of Object.entries(from)) {
    const old = ownValue(merged, key);
    setOwn(merged, key, isObject(old) && isObject(value) ? deepMerge(old, value) : value);
  }
  return merged;
}

function merge(sources: readonly Json[], strategy: 'first_non_null' | 'concat' | 'deep_merge'): Json {
  const given = sources.filter((source) => source !== null);
  if (strategy === 'first_non_null') return given[0] ?? null;
  if (strategy === 'concat') return given.flat();
  return given.reduce<JsonObject>((merged, source) => {
    if (!isObject(source)) throw new NodeError('not_an_object', 'Only objects can be merged deeply');
    return deepMerge(merged, source);
  }, {});
}

function transform(call: NodeCall<Config>): Json {
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
        ),
      };
  }
}

/** Four modes: `map`, `list`, `template` and `merge`. */
export const transformer = defineNode<Config>({
  type: 'transformer',
  config,
  literalKeys: ['mode', 'sort', 'limit', 'parse_as', 'strategy'],
  itemKeys: ['filter', 'select'],
  parse: (given) => readConfig(config, given),
  policy: () => ({ placement: 'fold', effect: 'pure', timeoutMs: 5_000, maxAttempts: 1, handles: [] }),
  run: (call): NodeResult => {
    const { config: given } = call;
    if (given.mode !== 'template' || given.parse_as === 'text')
      return { outcome: 'completed', output: transform(call) };
    const { value, texts } = renderAsJson(call, given.template);
    return { outcome: 'completed', output: value, warnings: warnOfNumbers('', texts) };
  },
});
