/** The nine kinds of nodes on the canvas: label, colour, handles, and the config of a new node. */
import { isObject, ownValue, type JsonObject } from '../../../language/graph/values/value.ts';

export interface KindStyle {
  readonly type: string;
  readonly label: string;
  readonly hint: string;
  /** A hue of Mantine's palette. */
  readonly color: string;
  /** A key of the icons in `node-icon.tsx`. */
  readonly icon: string;
  /** The config of a new node, valid where that is possible without a choice of the user. */
  readonly config: JsonObject;
}

export const KINDS: readonly KindStyle[] = [
  {
    type: 'llm',
    label: 'LLM',
    hint: 'Call a model once',
    color: 'violet',
    icon: 'sparkles',
    config: {
      provider: 'openai',
      model: 'gpt-4.1-mini',
      messages: [{ role: 'user', content: '{{input.text}}' }],
    },
  },
  {
    type: 'agent',
    label: 'Agent',
    hint: 'A model that uses tools',
    color: 'grape',
    icon: 'bot',
    config: {
      provider: 'openai',
      model: 'gpt-4.1-mini',
      messages: [{ role: 'user', content: '{{input.text}}' }],
      tools: [],
    },
  },
  {
    type: 'tool',
    label: 'Tool',
    hint: 'HTTP, an integration, MCP or a workflow',
    color: 'blue',
    icon: 'wrench',
    config: { kind: 'http', method: 'GET', url: 'https://example.com' },
  },
  {
    type: 'function',
    label: 'Function',
    hint: 'JavaScript in a sandbox',
    color: 'yellow',
    icon: 'code',
    config: {
      code: 'export default ({ text }) => ({ text });',
      arguments: { text: '{{input.text}}' },
    },
  },
  {
    type: 'conditional',
    label: 'Condition',
    hint: 'Choose a path by rules or by a model',
    color: 'orange',
    icon: 'split',
    config: {
      mode: 'rules',
      cases: [{ id: 'yes', match: 'all', rules: [{ left: '{{input.text}}', op: 'exists' }] }],
      default: 'else',
    },
  },
  {
    type: 'interrupt',
    label: 'Ask or wait',
    hint: 'Approval, a form, or a pause',
    color: 'pink',
    icon: 'hand',
    config: {
      kind: 'approval',
      title: 'Continue?',
      actions: [
        { id: 'approve', label: 'Approve' },
        { id: 'reject', label: 'Reject' },
      ],
    },
  },
  {
    type: 'transformer',
    label: 'Transform',
    hint: 'Map, filter, group, join, template',
    color: 'teal',
    icon: 'shuffle',
    config: { mode: 'map', fields: { text: '{{input.text}}' } },
  },
  {
    type: 'guardrails',
    label: 'Guardrails',
    hint: 'Check text before it is used',
    color: 'red',
    icon: 'shield',
    config: {
      input: '{{input.text}}',
      checks: [{ type: 'pii', entities: ['EMAIL'], action: 'mask' }],
    },
  },
  {
    type: 'knowledge',
    label: 'Knowledge',
    hint: 'Search knowledge bases',
    color: 'cyan',
    icon: 'book',
    config: { knowledge_base_ids: [], query: '{{input.text}}' },
  },
];

const UNKNOWN: KindStyle = {
  type: '',
  label: 'Unknown node',
  hint: 'Not supported by this version',
  color: 'gray',
  icon: 'circle',
  config: {},
};

/** Finds the style of a node type; an unknown type is grey. */
export const findKindStyle = (type: string): KindStyle =>
  KINDS.find((style) => style.type === type) ?? UNKNOWN;

/** Whether the node has a mock: a fixed output in the definition, which is deployed with it. */
export function isMocked(node: JsonObject): boolean {
  const mock = ownValue(node, 'mock');
  return isObject(mock) && ownValue(mock, 'enabled') === true;
}

export interface Handle {
  /** The edge's `source_handle`. */
  readonly id: string;
  readonly label: string;
}

const readString = (value: unknown, fallback: string): string =>
  typeof value === 'string' && value !== '' ? value : fallback;

function listNamedHandles(list: unknown): Handle[] {
  return (Array.isArray(list) ? list : []).flatMap((entry: unknown) => {
    const id = isObject(entry) ? readString(ownValue(entry, 'id'), '') : '';
    if (!isObject(entry) || id === '') return [];
    return [{ id, label: readString(ownValue(entry, 'label'), id) }];
  });
}

function listKindHandles(type: string, config: JsonObject): Handle[] {
  if (type === 'conditional') {
    const otherwise = readString(ownValue(config, 'default'), 'else');
    return [...listNamedHandles(ownValue(config, 'cases')), { id: otherwise, label: otherwise }];
  }
  if (type === 'guardrails') {
    return ['pass', 'fail'].map((id) => ({ id, label: id }));
  }
  if (type === 'interrupt') {
    const timeout = ownValue(config, 'on_timeout') === 'branch' ? [{ id: 'timeout', label: 'timeout' }] : [];
    const actions =
      ownValue(config, 'kind') === 'approval' ? listNamedHandles(ownValue(config, 'actions')) : [];
    return actions.length === 0 ? [{ id: 'default', label: '' }, ...timeout] : [...actions, ...timeout];
  }
  return [{ id: 'default', label: '' }];
}

/**
 * Lists the handles at which edges leave a node.
 * @param used handles of existing edges: they stay visible when the config no longer has them
 */
export function listHandles(node: JsonObject, used: readonly string[]): readonly Handle[] {
  const config = ownValue(node, 'config');
  const own = listKindHandles(readString(ownValue(node, 'type'), ''), isObject(config) ? config : {});
  const ids = new Set(own.map(({ id }) => id));
  const error = ownValue(node, 'on_error') === 'branch' || used.includes('error') ? ['error'] : [];
  const others = [...new Set([...used.filter((id) => id !== 'error'), ...error])].filter(
    (id) => !ids.has(id),
  );
  return [...own, ...others.map((id) => ({ id, label: id }))];
}
