/** The references that completion offers in a node: input, run, state, and nodes upstream with their last output. */
import { shortenText } from '../../graph/cut-text.ts';
import { START } from '../../graph/definition.ts';
import { isObject, ownValue, type Json } from '../../graph/value.ts';
import type { CanvasDocument } from '../../canvas/room/document.ts';
import { readText } from '../canvas/binding.ts';

export interface Reference {
  readonly text: string;
  /** A value of the last run, shortened; empty where nothing has run. */
  readonly hint: string;
}

const MAX_KEYS = 60;
const MAX_DEPTH = 4;
const HINT_LENGTH = 60;
const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** The nodes from which a walk can come to a node. */
export function findUpstream(document: CanvasDocument, nodeId: string): string[] {
  const sources = new Map<string, string[]>();
  for (const edge of document.edges.byKey.values()) {
    if (!isObject(edge)) continue;
    const target = readText(edge, 'target');
    sources.set(target, [...(sources.get(target) ?? []), readText(edge, 'source')]);
  }
  const found = new Set<string>();
  const open = [nodeId];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const source of sources.get(id) ?? []) {
      if (source === START || found.has(source)) continue;
      found.add(source);
      open.push(source);
    }
  }
  found.delete(nodeId);
  return [...found];
}

const formatHint = (value: Json): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return shortenText(text, HINT_LENGTH);
};

function pathsIn(root: string, value: Json, depth = 0): Reference[] {
  const own = [{ text: root, hint: formatHint(value) }];
  if (depth >= MAX_DEPTH || !isObject(value)) return own;
  const inner = Object.entries(value)
    .slice(0, MAX_KEYS)
    .flatMap(([key, item]) =>
      pathsIn(PLAIN_KEY.test(key) ? `${root}.${key}` : `${root}[${JSON.stringify(key)}]`, item, depth + 1),
    );
  return [...own, ...inner];
}

/** @param outputs the outputs of the last run */
export function referencesFor(
  document: CanvasDocument,
  nodeId: string,
  outputs: (id: string) => Json | undefined,
): Reference[] {
  const fields = ownValue(ownValue(document.rest, 'state_schema'), 'fields');
  const state = isObject(fields) ? Object.keys(fields) : [];
  return [
    ...findUpstream(document, nodeId).flatMap((id) => {
      const output = outputs(id);
      return output === undefined ? [{ text: id, hint: 'not run yet' }] : pathsIn(id, output);
    }),
    { text: 'input', hint: 'what the run was started with' },
    { text: 'input.text', hint: 'a field of the input' },
    ...state.map((name) => ({ text: `state.${name}`, hint: 'a field of the state' })),
    { text: 'run.id', hint: 'the id of the run' },
    { text: 'run.started_at', hint: 'when the run began' },
    { text: 'run.thread_id', hint: 'the thread of the run' },
  ];
}
