/** The line below the name on the card of a node: the settings that matter of its kind. */
import { getAt, parsePointer } from '../../../language/graph/values/pointer.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { findFace } from '../../../language/nodes/faces.ts';
import { nameOption } from '../forms/option-names.ts';
import { readCase } from '../forms/read-rules.ts';
import { duration } from '../kit/moment.ts';
import { cardWords, editorWords } from '../words-editor.ts';
import { readText } from './binding.ts';

/** More than a card shows in a line. */
const MAX_CHARACTERS = 120;

/** The first words of a text: one line of it, with templates as their paths. */
const firstWords = (text: string): string =>
  text
    .slice(0, 2 * MAX_CHARACTERS)
    .replaceAll(/\{\{\s*([^{}]*?)\s*\}\}/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_CHARACTERS);

const join = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' · ');

const readList = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((entry) => isObject(entry)) : [];

const readTexts = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];

const readKeys = (value: Json | undefined): string => (isObject(value) ? Object.keys(value).join(', ') : '');

/** A value of a rule as people read it. */
const formatSide = (side: Json | undefined): string =>
  typeof side === 'string' ? firstWords(side) : side === undefined ? '' : JSON.stringify(side);

function describeRule(rule: JsonObject): string {
  const operators: Readonly<Record<string, string>> = editorWords.cases.operators;
  const op = readText(rule, 'op');
  return [formatSide(ownValue(rule, 'left')), operators[op] ?? op, formatSide(ownValue(rule, 'right'))]
    .filter((part) => part !== '')
    .join(' ');
}

/** The rules of a group in words; of an inner group, how many it has. */
function describeRules(group: JsonObject): string {
  const word = ownValue(group, 'match') === 'any' ? cardWords.or : cardWords.and;
  return readList(ownValue(group, 'rules'))
    .map((rule) =>
      Object.hasOwn(rule, 'rules')
        ? cardWords.rules(readList(ownValue(rule, 'rules')).length)
        : describeRule(rule),
    )
    .join(` ${word} `);
}

function describeCondition(config: JsonObject): string {
  const cases = readList(ownValue(config, 'cases'));
  if (ownValue(config, 'mode') === 'llm')
    return join(readText(config, 'model'), firstWords(readText(config, 'input')));
  const [first, ...more] = cases;
  const group = first === undefined ? null : readCase(first);
  const rules = group === null ? '' : describeRules(group);
  return join(rules, more.length === 0 ? '' : cardWords.moreCases(more.length));
}

/** Model, and the first words of what it is asked. */
function describeModel(config: JsonObject): string {
  const messages = readList(ownValue(config, 'messages'));
  const asked = messages.find((message) => ownValue(message, 'role') === 'user') ?? messages[0];
  const content = asked === undefined ? undefined : ownValue(asked, 'content');
  return join(readText(config, 'model'), typeof content === 'string' ? firstWords(content) : '');
}

/** The host of an address, which may be a template. */
const readHost = (url: string): string =>
  /^[a-z+]+:\/\/(?:[^/?#@]*@)?([^/?#]+)/i.exec(url)?.[1] ?? firstWords(url);

function describeTool(config: JsonObject): string {
  const kind = readText(config, 'kind');
  if (kind === 'http') return join(readText(config, 'method') || 'GET', readHost(readText(config, 'url')));
  if (kind === 'integration')
    return join(nameOption(readText(config, 'integration')), nameOption(readText(config, 'action')));
  return kind === 'mcp'
    ? join(readText(config, 'tool'), readHost(readText(config, 'server_url')))
    : cardWords.subWorkflow;
}

function describeQuestion(config: JsonObject): string {
  const seconds = ownValue(config, 'duration_seconds');
  const until = readText(config, 'until');
  if (ownValue(config, 'kind') === 'wait')
    return until === ''
      ? cardWords.waits(typeof seconds === 'number' ? duration(seconds) : formatSide(seconds))
      : cardWords.waitsUntil(firstWords(until));
  const assignees = ownValue(config, 'assignees') ?? null;
  const people = [
    ...readTexts(ownValue(assignees, 'emails')),
    ...readTexts(ownValue(assignees, 'roles')).map(nameOption),
  ];
  return join(firstWords(readText(config, 'title')), people.join(', '));
}

function describeTransformer(config: JsonObject): string {
  const mode = readText(config, 'mode');
  const detail =
    firstWords(readText(config, 'template')) ||
    readKeys(ownValue(config, 'fields')) ||
    firstWords(readText(config, 'source'));
  return join(mode === '' ? '' : nameOption(mode), detail);
}

const DESCRIBE: Readonly<Record<string, (config: JsonObject) => string>> = {
  llm: describeModel,
  agent: describeModel,
  tool: describeTool,
  conditional: describeCondition,
  interrupt: describeQuestion,
  transformer: describeTransformer,
  function: (config) => join(cardWords.code, readKeys(ownValue(config, 'arguments'))),
  guardrails: (config) =>
    readList(ownValue(config, 'checks'))
      .map((check) => nameOption(readText(check, 'type')))
      .join(', '),
};

/** Of a type without words of its own: the first text among the fields of its form. */
function describeFirstText(type: string, config: JsonObject): string {
  const values = (findFace(type)?.fields ?? []).map(({ ptr }) => getAt(config, parsePointer(ptr)));
  return firstWords(values.find((value) => typeof value === 'string') ?? '');
}

/** Returns what matters of a node, without its name and kind; empty where its config says nothing yet. */
export function summarizeNode(node: JsonObject): string {
  const type = readText(node, 'type');
  const config = ownValue(node, 'config');
  const describe = Object.hasOwn(DESCRIBE, type) ? DESCRIBE[type] : undefined;
  if (!isObject(config)) return '';
  return (describe?.(config) ?? describeFirstText(type, config)).slice(0, MAX_CHARACTERS);
}
