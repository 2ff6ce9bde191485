/** Tells for each kind of node where texts of others come from, what they decide, and what checks them (`untrusted_to_sensitive`). */
import type { TextFlow, TextPlace } from '../graph/checks/text-flow.ts';
import { isOneTemplate } from '../graph/template/template-scanner.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../graph/values/value.ts';
import { isChange, type EffectPattern } from './effect.ts';
import { readText } from './face.ts';

const NOTHING: TextFlow = {
  source: null,
  carries: false,
  parts: new Map(),
  plain: [],
  schema: null,
  places: [],
  checks: [],
  host: null,
};

/**
 * Names of fields that decide who gets something, how much, with which rights, or what is executed; all others are what is said, which a workflow
 * passes on because that is its work.
 */
const DECIDING_FIELD =
  /^(?:to|cc|bcc|recipients?|e?_?mails?|email_address(?:es)?|phone(?:_number)?|channel(?:_id)?|chat_id|iban|account_number|amount|price|currency|roles?|permissions?|scopes?|command|cmd|sql|script|(?:redirect|callback|webhook|target|notify)?_?ur[il])$/i;
/** Headers that name a request for whoever reads a log, and decide nothing. */
const NAMING_HEADER =
  /^(?:idempotency-key|x-(?:request|correlation|trace|idempotency)-?(?:id|key)|traceparent|if-(?:match|none-match|modified-since)|accept-language|user-agent)$/i;

const readList = (config: JsonObject, key: string): readonly Json[] => {
  const list = ownValue(config, key);
  return Array.isArray(list) ? list : [];
};

const readSchema = (config: JsonObject): JsonObject | null => {
  const format = ownValue(config, 'response_format');
  const schema = isObject(format) ? ownValue(format, 'schema') : undefined;
  return isObject(schema) ? schema : null;
};

/** The fields of a request by which it decides, however deep. */
function listFields(value: Json, path: TextPlace['path']): TextPlace[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => listFields(item, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    DECIDING_FIELD.test(name)
      ? [{ kind: 'field' as const, value: item, path: [...path, name], name }]
      : listFields(item, [...path, name]),
  );
}

function listHttpPlaces(config: JsonObject, isWriting: boolean): TextPlace[] {
  const url = readText(config, 'url').trim();
  const body = ownValue(config, 'body') ?? null;
  const headers = ownValue(config, 'headers');
  const places: TextPlace[] = Object.entries(isObject(headers) ? headers : {})
    .filter(([name]) => !NAMING_HEADER.test(name))
    .map(([name, value]) => ({ kind: 'header', value, path: ['headers', name], name }));
  if (isOneTemplate(url)) places.push({ kind: 'host', value: url, path: ['url'] });
  // A value in the path is encoded as one component, so it cannot leave it: it chooses what is read, which is the work of a reading request.
  else if (isWriting) places.push({ kind: 'path', value: url.split('?', 1)[0] ?? '', path: ['url'] });
  if (!isWriting) return places;
  if (typeof body === 'string' && isOneTemplate(body))
    places.push({ kind: 'request', value: body, path: ['body'] });
  return [...places, ...listFields(body, ['body'])];
}

/** The places of a tool, as a node or as one of an agent. @param effects that it may have */
function listToolPlaces(config: JsonObject, effects: readonly EffectPattern[]): TextPlace[] {
  const isWriting = effects.some(isChange);
  switch (readText(config, 'kind')) {
    case 'http':
      return listHttpPlaces(config, isWriting);
    case 'integration':
      return isWriting ? listFields(ownValue(config, 'parameters') ?? null, ['parameters']) : [];
    case 'mcp':
      return isWriting ? listFields(ownValue(config, 'arguments') ?? null, ['arguments']) : [];
    default:
      return [];
  }
}

function describeTool(config: JsonObject, effects: readonly EffectPattern[]): TextFlow {
  const kind = readText(config, 'kind');
  const [effect] = effects;
  // A row was written by runs, and a sub-workflow has a definition of its own: what they give is theirs.
  const isAsked = ['http', 'integration', 'mcp'].includes(kind);
  const hasAccount = kind === 'integration' || readText(config, 'credential_id') !== '';
  const host = effect?.door === 'http' ? effect.target.host : null;
  return {
    ...NOTHING,
    source: isAsked ? (hasAccount ? 'account' : 'web') : null,
    plain: ['status'],
    places: listToolPlaces(config, effects),
    host: typeof host === 'string' ? host : null,
  };
}

/** The messages of a prompt: the instructions, and what the model is told. */
function splitMessages(config: JsonObject): { readonly instructions: TextPlace[]; readonly told: Json[] } {
  const instructions: TextPlace[] = [];
  const told: Json[] = [];
  for (const [index, message] of readList(config, 'messages').entries()) {
    if (!isObject(message)) continue;
    const value = ownValue(message, 'content') ?? null;
    const isInstruction = ['system', 'developer'].includes(readText(message, 'role'));
    if (isInstruction)
      instructions.push({ kind: 'instructions', value, path: ['messages', index, 'content'] });
    else told.push(value);
  }
  return { instructions, told };
}

const describeModel = (config: JsonObject): TextFlow => {
  const schema = readSchema(config);
  return {
    ...NOTHING,
    source: 'model',
    carries: true,
    plain: ['model', 'finish_reason', 'usage', 'stop_reason', 'iterations'],
    schema: schema === null ? null : { key: 'data', schema },
    places: splitMessages(config).instructions,
  };
};

/** @param effects of the model, and then of each tool that it is offered */
function describeAgent(config: JsonObject, [, ...effects]: readonly EffectPattern[]): TextFlow {
  const offered = readList(config, 'tools').flatMap((tool, at) =>
    isObject(tool) && readText(tool, 'usage') !== 'none' ? [{ tool, at }] : [],
  );
  const tools = offered.map((one, index) => ({ ...one, effects: effects.slice(index, index + 1) }));
  const fixed = tools.flatMap(({ at, tool, effects: own }) =>
    listToolPlaces(tool, own).map((place) => ({ ...place, path: ['tools', at, ...place.path] })),
  );
  const free = tools.filter(
    ({ tool, effects: own }) => readText(tool, 'approval') !== 'always' && own.some(isChange),
  );
  const names = free.map(
    ({ tool }) => readText(tool, 'name') || readText(tool, 'action') || readText(tool, 'tool'),
  );
  const open: TextPlace[] =
    free.length === 0
      ? []
      : [{ kind: 'tools', value: splitMessages(config).told, path: ['messages'], name: names.join(', ') }];
  const model = describeModel(config);
  return { ...model, places: [...model.places, ...fixed, ...open] };
}

function describeInterrupt(config: JsonObject): TextFlow {
  const isOpen = readText(config, 'kind') === 'callback' || hasRecipients(config);
  const shown = ['title', 'message', 'payload'].map((key) => ownValue(config, key) ?? null);
  return {
    ...NOTHING,
    source: isOpen ? 'person' : null,
    plain: ['action', 'responded_by', 'responded_at', 'timed_out', 'callback_url'],
    // A person who approves has seen it.
    checks: readText(config, 'kind') === 'approval' ? shown : [],
  };
}

/** People who get a link answer without an account. */
function hasRecipients(config: JsonObject): boolean {
  const assignees = ownValue(config, 'assignees');
  const emails = isObject(assignees) ? ownValue(assignees, 'emails') : undefined;
  return [emails, ownValue(config, 'notify'), ownValue(config, 'escalate_to')].some(
    (list) => Array.isArray(list) && list.length > 0,
  );
}

function describeFunction(config: JsonObject): TextFlow {
  const schema = ownValue(config, 'output_schema');
  return { ...NOTHING, carries: true, schema: isObject(schema) ? { key: null, schema } : null };
}

function describeTransformer(config: JsonObject): TextFlow {
  const fields = ownValue(config, 'fields');
  const isMap = readText(config, 'mode') === 'map' && isObject(fields);
  return {
    ...NOTHING,
    carries: true,
    plain: isMap ? [] : ['count'],
    parts: new Map(isMap ? Object.entries(fields) : []),
  };
}

/**
 * Describes the flow of texts through a node.
 * @param config without problems @param effects what it may do, of an agent its model first
 */
export function describeTextFlow(
  type: string,
  config: JsonObject,
  effects: readonly EffectPattern[],
): TextFlow {
  switch (type) {
    case 'tool':
      return describeTool(config, effects);
    case 'llm':
      return describeModel(config);
    case 'agent':
      return describeAgent(config, effects);
    case 'interrupt':
      return describeInterrupt(config);
    case 'conditional':
      return { ...NOTHING, checks: [...readList(config, 'cases'), ownValue(config, 'input') ?? null] };
    case 'guardrails': {
      const hasChecks = readList(config, 'checks').length > 0;
      return {
        ...NOTHING,
        carries: !hasChecks,
        checks: hasChecks ? [ownValue(config, 'input') ?? null] : [],
      };
    }
    case 'function':
      return describeFunction(config);
    case 'transformer':
      return describeTransformer(config);
    default:
      return NOTHING;
  }
}
