/** The entries of the "Add node" menu: every kind of node and its common uses, found by the words that people use for them. */
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { findKindStyle, KINDS, type KindStyle } from './kinds.ts';

export interface PaletteEntry extends KindStyle {
  /** The entry's name in the code. */
  readonly key: string;
  readonly keywords: string;
  /** Fields of the node beside its config. */
  readonly more?: JsonObject;
}

const KEYWORDS: Readonly<Record<string, string>> = {
  llm: 'ai gpt chatgpt claude model prompt openai anthropic generate text summarize translate classify',
  agent: 'ai assistant tools autonomous chatbot',
  tool: 'integration action app api call',
  function: 'code javascript js script custom program',
  conditional: 'if else switch branch router route decision filter case',
  interrupt: 'human approval form wait pause question',
  transformer:
    'set map filter sort merge json data edit fields format template variable group aggregate sum average count join lookup vlookup unique deduplicate distinct split out flatten batch chunk pick rename summarize',
  guardrails: 'moderation pii safety filter mask validate check',
  knowledge: 'rag search documents files vector retrieval embeddings lookup',
};

interface Preset {
  readonly of: KindStyle['type'];
  readonly key: string;
  readonly label: string;
  readonly hint: string;
  readonly icon: string;
  readonly keywords: string;
  readonly config: JsonObject;
  readonly more?: JsonObject;
}

const PRESETS: readonly Preset[] = [
  {
    of: 'tool',
    key: 'http',
    label: 'HTTP request',
    hint: 'Call any API',
    icon: 'globe',
    keywords: 'rest api webhook url fetch curl get post send email mail sms',
    config: findKindStyle('tool').config,
  },
  {
    of: 'tool',
    key: 'slack',
    label: 'Slack message',
    hint: 'Post a message to a channel',
    icon: 'message',
    keywords: 'chat notify notification alert integration send',
    config: {
      kind: 'integration',
      integration: 'slack',
      action: 'send_message',
      parameters: { channel: '#general', text: '{{input.text}}' },
    },
  },
  {
    of: 'tool',
    key: 'github',
    label: 'GitHub issue',
    hint: 'Open an issue in a repository',
    icon: 'git',
    keywords: 'git ticket bug repository integration create',
    config: {
      kind: 'integration',
      integration: 'github',
      action: 'create_issue',
      parameters: { owner: 'owner', repo: 'repository', title: '{{input.text}}' },
    },
  },
  {
    of: 'tool',
    key: 'mcp',
    label: 'MCP tool',
    hint: 'A tool of an MCP server',
    icon: 'plug',
    keywords: 'model context protocol server plugin',
    config: { kind: 'mcp' },
  },
  {
    of: 'tool',
    key: 'sub_workflow',
    label: 'Sub-workflow',
    hint: 'Run another workflow',
    icon: 'workflow',
    keywords: 'subworkflow call child nested execute reuse',
    config: { kind: 'workflow' },
  },
  {
    of: 'transformer',
    key: 'for_each',
    label: 'For each',
    hint: 'Repeat a step for every item of a list',
    icon: 'repeat',
    keywords: 'loop iterate iteration list array batch items foreach',
    config: { mode: 'map', fields: { item: '{{item}}' } },
    more: { for_each: { items: '{{input.items}}' } },
  },
  {
    of: 'interrupt',
    key: 'approval',
    label: 'Approval',
    hint: 'A person approves or rejects',
    icon: 'hand',
    keywords: 'human review confirm accept reject ask sign off',
    config: findKindStyle('interrupt').config,
  },
  {
    of: 'interrupt',
    key: 'form',
    label: 'Form',
    hint: 'A person fills in fields',
    icon: 'form',
    keywords: 'human input question ask survey data entry',
    config: {
      kind: 'input',
      title: 'Fill in',
      form: { type: 'object', properties: { text: { type: 'string', title: 'Text' } } },
    },
  },
  {
    of: 'interrupt',
    key: 'callback',
    label: 'Callback',
    hint: 'Another service continues the run with a request',
    icon: 'clock',
    keywords: 'webhook wait external async notify url',
    config: { kind: 'callback', title: 'Callback' },
  },
  {
    of: 'interrupt',
    key: 'wait',
    label: 'Wait',
    hint: 'Pause for a time or until a moment',
    icon: 'clock',
    keywords: 'delay sleep pause timer schedule later',
    config: { kind: 'wait', duration_seconds: 60 },
  },
];

export const NOTE_KEY = 'note';
const NOTE_ENTRY: PaletteEntry = {
  key: NOTE_KEY,
  type: NOTE_KEY,
  label: 'Note',
  hint: 'Text on the canvas',
  color: 'yellow',
  icon: 'note',
  keywords: 'comment sticky text documentation annotation',
  config: {},
};

export const PALETTE: readonly PaletteEntry[] = [
  ...KINDS.map((style) => ({ ...style, key: style.type, keywords: KEYWORDS[style.type] ?? '' })),
  ...PRESETS.flatMap(({ of, ...preset }) =>
    KINDS.filter(({ type }) => type === of).map(({ type, color }) => ({ ...preset, type, color })),
  ),
  NOTE_ENTRY,
];

/** Ranks an entry for the typed words; null when one of them is not found. */
function rankEntry({ label, hint, type, keywords }: PaletteEntry, typed: readonly string[]): number | null {
  const name = label.toLowerCase();
  const words = `${name} ${hint} ${type} ${keywords}`.toLowerCase();
  if (!typed.every((word) => words.includes(word))) return null;
  const [first = ''] = typed;
  if (name.startsWith(first)) return 0;
  if (name.includes(first)) return 1;
  return ` ${keywords}`.includes(` ${first}`) ? 2 : 3;
}

/** Finds the entries for a text: those with the text in their name first. @param more entries beside those of every canvas */
export function searchPalette(text: string, more: readonly PaletteEntry[] = []): readonly PaletteEntry[] {
  const typed = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = findEntries(typed, more);
  // A sentence such as "fetch a list" has words that no entry has: one of them is enough then.
  if (found.length > 0) return found;
  return [...new Set(typed.filter((word) => word.length > 2).flatMap((word) => findEntries([word], more)))];
}

function findEntries(typed: readonly string[], more: readonly PaletteEntry[]): readonly PaletteEntry[] {
  return [...PALETTE, ...more]
    .map((entry) => ({ entry, rank: rankEntry(entry, typed) }))
    .filter(({ rank }) => rank !== null)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ entry }) => entry);
}
