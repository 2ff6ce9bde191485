/** The transformer: maps, filters, groups, joins, renders, merges, formats and parses values (SPEC DEF-2.7). */
import { readJsonTemplate } from '../../graph/template/json-template.ts';
import { isOneTemplate } from '../../graph/template/template-scanner.ts';
import type { ExactJson } from '../../graph/values/exact-json.ts';
import { parseUntrustedExactJson } from '../../graph/values/storable.ts';
import type { Json } from '../../graph/values/value.ts';
import { isObject } from '../../graph/values/value.ts';
import type { WorkBudget } from '../../graph/values/work-budget.ts';
import { deepMerge } from './deep-merge.ts';
import type { NodeCall, NodeResult } from '../kind.ts';
import { NodeError, defineNode } from '../kind.ts';
import { createNumberWarnings } from '../number-warning.ts';
import { renderJson } from '../render-json.ts';
import { readConfig } from '../read-config.ts';
import { presentResponse, renderRespond } from './respond.ts';
import { config, type Config } from './config.ts';
import { formatText } from './format.ts';
import { groupItems } from './group.ts';
import type { Transformed } from './items.ts';
import { joinLists } from './join.ts';
import { PARSE_TIMEOUT_MS, isParsedInProcess, parseSource } from './parse.ts';
import { transformList } from './list.ts';
import { TRANSFORMER_EXAMPLES } from './examples.ts';
import { chunkItems, flattenItems, keepUnique, pickMembers, renameMembers } from './reshape.ts';

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
    case 'group':
      return groupItems(call, given);
    case 'join':
      return joinLists(call, given);
    case 'unique':
      return keepUnique(call, given);
    case 'chunk':
      return chunkItems(call, given);
    case 'flatten':
      return flattenItems(call, given);
    case 'pick':
      return pickMembers(call, given);
    case 'rename':
      return renameMembers(call, given);
    case 'format':
      return formatText(call, given);
    case 'parse':
      return parseSource(call, given);
  }
}

/** The kind `transformer`. */
export const transformer = defineNode<Config>({
  type: 'transformer',
  config,
  examples: TRANSFORMER_EXAMPLES,
  guide: [
    '{"mode": "map", "fields": {"total": "{{sum.total}}"}} or {"mode": "template", "template": "..."}; output is the object, or {text}.',
    '  {"mode": "list", "source": "{{fetch.data}}", "filter": {"rules": [...]}, "sort": [{"by": "date", "order": "desc"}], "limit": 10, "select": {"id": "{{item.id}}"}}; output of this and the next {items, count}.',
    '  {"mode": "group", "source": "{{fetch.data}}", "keys": {"country": "{{item.country}}"}, "values": [{"name": "total", "op": "count" | "sum" | "average" | "min" | "max" | "first" | "list", "of": "{{item.amount}}"}]}.',
    '  {"mode": "join", "left": "{{orders.data}}", "right": "{{customers.data}}", "left_key": "{{item.customer_id}}", "right_key": "{{item.id}}", "join_type": "inner" | "left" | "full", "select": {"name": "{{item.right.name}}"}}.',
    '  {"mode": "unique", "source": "...", "by": "{{item.id}}"}, {"mode": "chunk", "source": "...", "size": 50}, {"mode": "flatten", "source": "...", "select": "{{item.lines}}"},',
    '  {"mode": "pick", "source": "...", "keep": ["id"]}, {"mode": "rename", "source": "...", "names": {"old": "new"}}.',
    '  {"mode": "format", "format": "csv" | "html" | "markdown" | "xml", "source": "{{rows.items}}", "columns": ["id", "name"]}; output {text}.',
    '  {"mode": "parse", "format": "csv" | "xlsx" | "html_table", "source": "{{fetch.data}}", "numbers": "de"}; output {items, count}. "format": "html" has "selector": ".card" and "fields": {"name": "h2", "link": "a@href"}, output {items, count}; "feed" {feed, items, count}; "xml", "yaml", "json" {data}; "front_matter" {data, content}; "email" {from, to, subject, text, html, attachments}.',
  ].join('\n'),
  literalKeys: [
    'mode',
    'sort',
    'limit',
    'parse_as',
    'strategy',
    'join_type',
    'size',
    'depth',
    'keep',
    'names',
    'format',
    'columns',
    'header',
    'delimiter',
    'decimal',
    'formulas',
    'root',
    'charset',
    'quote',
    'skip_rows',
    'numbers',
    'sheet',
    'lists',
    'selector',
  ],
  itemKeys: ['filter', 'select', 'keys', 'values', 'left_key', 'right_key', 'by'],
  parse: (given) => readConfig(config, given),
  policy: (given) => {
    const policy = { effect: 'pure', maxAttempts: 1, handles: [] } as const;
    return isParsedInProcess(given)
      ? { ...policy, placement: 'activity', timeoutMs: PARSE_TIMEOUT_MS }
      : { ...policy, placement: 'fold', timeoutMs: 5_000 };
  },
  run: async (call): Promise<NodeResult> => {
    const { respond } = call.config;
    const completed = { outcome: 'completed', ...(await transform(call)) } as const;
    if (!respond) return completed;
    const response = renderRespond(call, respond, completed.output);
    call.keepInput({ respond: presentResponse(response) });
    return { ...completed, response };
  },
});
