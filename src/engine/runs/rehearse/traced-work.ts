/** The work of an execution as a trace of a value shows it: what made a part of its output, and which of its settings it was given. */
import type { ReadNode } from '../../../language/graph/definition/read-node.ts';
import type { Path } from '../../../language/graph/template/template-scanner.ts';
import { isObject, ownValue, type Json } from '../../../language/graph/values/value.ts';
import { readText } from '../../../language/nodes/face.ts';
import type { RecordedStep } from './record.ts';

export type WorkKind =
  | 'template'
  | 'model'
  | 'response'
  | 'answer'
  | 'code'
  | 'decision'
  | 'check'
  | 'search'
  | 'row'
  | 'child'
  | 'pinned'
  | 'error';

interface Work {
  readonly kind: WorkKind;
  /** The setting that is the part, and the path in it; null: the part is made of `reads`. */
  readonly made: { readonly value: Json; readonly path: Path } | null;
  readonly reads: readonly Json[];
}

const TOOLS: Readonly<Record<string, readonly [WorkKind, readonly string[]]>> = {
  http: ['response', ['url', 'headers', 'query', 'body']],
  integration: ['response', ['parameters']],
  mcp: ['response', ['arguments']],
  workflow: ['child', ['input']],
  table: ['row', ['key', 'value', 'by', 'prefix', 'equals', 'items', 'item_key']],
};
const KINDS: Readonly<Record<string, readonly [WorkKind, readonly string[]]>> = {
  llm: ['model', ['messages']],
  agent: ['model', ['messages']],
  function: ['code', ['arguments']],
  conditional: ['decision', ['cases', 'input']],
  // People were asked, and said it themselves.
  interrupt: ['answer', []],
  guardrails: ['check', ['input', 'context']],
  knowledge: ['search', ['query', 'filters']],
};

/** Describes the work that made the part of an output at a path. */
export function describeWork({ type, config, mock }: ReadNode, { status }: RecordedStep, path: Path): Work {
  const list = (keys: readonly string[]): Json[] => keys.map((key) => ownValue(config, key) ?? null);
  if (mock !== undefined) return { kind: 'pinned', made: null, reads: [] };
  if (status === 'failed' || path[0] === 'error') return { kind: 'error', made: null, reads: [] };
  if (type === 'transformer') {
    const fields = ownValue(config, 'fields');
    const isMap = readText(config, 'mode') === 'map' && isObject(fields);
    if (isMap) return { kind: 'template', made: { value: fields, path }, reads: [] };
    return { kind: 'template', made: null, reads: [config] };
  }
  const named = type === 'tool' ? TOOLS[readText(config, 'kind')] : KINDS[type];
  const [kind, keys] = named ?? (['code', []] as const);
  return { kind, made: null, reads: list(keys) };
}
