/** The references that completion offers in a field: input, run, state, items, and nodes upstream with their last output. */
import { shortenText } from '../../../language/graph/values/cut-text.ts';
import { START } from '../../../language/graph/definition/definition.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { findElement, type CanvasDocument } from '../../../features/canvas/room/document.ts';
import { readText } from '../canvas/binding.ts';
import { listDeclaredFields, readEdgeId, readEntity, readNodeId, type Entity } from '../forms/entity.ts';
import { findItemList } from './item-list.ts';
import { stepInto } from '../../../language/graph/template/path-text.ts';
import { parsePointer } from '../../../language/graph/values/pointer.ts';
import { findFace } from '../../../language/nodes/faces.ts';
import { listOutputPaths, type FindActionSchema } from './known-shapes.ts';
import type { KnownValues } from './known-values.ts';
import { renderFirstItem } from './rendered-value.ts';

export interface Reference {
  readonly text: string;
  /** A value of the last run, shortened; empty where nothing has run. */
  readonly hint: string;
}

const MAX_KEYS = 60;
const MAX_DEPTH = 5;
const HINT_LENGTH = 60;

/** Lists the nodes from which a walk can come to a node. */
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

/** The place of a field: its entity, and its pointer inside of it. */
interface Place {
  readonly entity: Entity;
  readonly ptr: string;
}

/** Lists the nodes whose outputs a field can read; state updates and edges read the node's own output, too. */
function listNodes(document: CanvasDocument, { entity, ptr }: Place): readonly string[] {
  const [nodeId, edgeId] = [readNodeId(entity), readEdgeId(entity)];
  if (nodeId !== null) {
    const upstream = findUpstream(document, nodeId);
    return ptr.startsWith('/state_updates') ? [nodeId, ...upstream] : upstream;
  }
  if (edgeId === null) return document.nodes.order;
  const source = readText(findElement(document.edges, edgeId) ?? {}, 'source');
  return source === START ? [] : [source, ...findUpstream(document, source)];
}

const formatHint = (value: Json): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return shortenText(text, HINT_LENGTH);
};

/** Lists a value and the values inside it; of an array, its first item. */
function listPaths(root: string, value: Json, depth = 0): Reference[] {
  const own = [{ text: root, hint: formatHint(value) }];
  if (depth >= MAX_DEPTH) return own;
  if (Array.isArray(value)) {
    const [first] = value;
    return first === undefined ? own : [...own, ...listPaths(`${root}[0]`, first, depth + 1)];
  }
  if (!isObject(value)) return own;
  const inner = Object.entries(value)
    .slice(0, MAX_KEYS)
    .flatMap(([key, item]) => listPaths(stepInto(root, key), item, depth + 1));
  return [...own, ...inner];
}

/** Lists the output of a node that has not run, with the paths that it will have. */
function listExpected(document: CanvasDocument, id: string, findActionSchema: FindActionSchema): Reference[] {
  const paths = listOutputPaths(findElement(document.nodes, id) ?? {}, findActionSchema);
  return [id, ...paths.map((path) => `${id}${path.startsWith('[') ? '' : '.'}${path}`)].map((text) => ({
    text,
    hint: 'not run yet',
  }));
}

/** The item of the list whose items a field sees, of a known list the first. */
function listItem(document: CanvasDocument, { entity, ptr }: Place, known: KnownValues): Reference[] {
  const node = readNodeId(entity) === null ? undefined : readEntity(document, entity);
  const list = findItemList(node, ptr);
  if (list === null) return [];
  const first = renderFirstItem(list, known);
  return [
    ...(first === undefined
      ? [{ text: list.name, hint: 'an item of the list' }]
      : listPaths(list.name, first)),
    { text: 'index', hint: 'the position of the item' },
  ];
}

/** The answer that a field is read over: as the last one was, where the node has run. */
function listAnswer(document: CanvasDocument, { entity, ptr }: Place, known: KnownValues): Reference[] {
  const nodeId = readNodeId(entity);
  if (nodeId === null) return [];
  const type = readText(findElement(document.nodes, nodeId) ?? {}, 'type');
  const [first, key = ''] = parsePointer(ptr);
  if (first !== 'config' || findFace(type)?.responseKeys?.includes(key) !== true) return [];
  const output = known.findOutput(nodeId);
  const listed = isObject(output) ? listPaths('response', output) : [];
  const names = new Set(listed.map(({ text }) => text));
  const always = [
    { text: 'response.status', hint: 'the status code of the answer' },
    { text: 'response.headers', hint: 'the headers of the answer' },
    { text: 'response.data', hint: 'the body of the answer' },
  ];
  return [...listed, ...always.filter(({ text }) => !names.has(text))];
}

function listInputs(document: CanvasDocument, { input }: KnownValues): Reference[] {
  const declared = ownValue(document.rest, 'input_parameters');
  const parameters = (Array.isArray(declared) ? declared : []).filter((one): one is JsonObject =>
    isObject(one),
  );
  const found =
    input === undefined ? [{ text: 'input', hint: 'the input of the run' }] : listPaths('input', input);
  const known = new Set(found.map(({ text }) => text));
  const missing = parameters
    .map((one) => ({
      text: `input.${readText(one, 'name')}`,
      hint: readText(one, 'description') || readText(one, 'type'),
    }))
    .filter(({ text }) => text !== 'input.' && !known.has(text));
  const hasNone = input === undefined && missing.length === 0;
  return [...found, ...missing, ...(hasNone ? [{ text: 'input.text', hint: 'a field of the input' }] : [])];
}

/** Lists the references that a template of a field may name. */
export function listReferences(
  document: CanvasDocument,
  place: Place,
  known: KnownValues,
  findActionSchema: FindActionSchema = () => undefined,
): Reference[] {
  const state = listDeclaredFields(document);
  return [
    ...listAnswer(document, place, known),
    ...listItem(document, place, known),
    ...listNodes(document, place).flatMap((id) => {
      const output = known.findOutput(id);
      return output === undefined ? listExpected(document, id, findActionSchema) : listPaths(id, output);
    }),
    ...listInputs(document, known),
    ...state.map((name) => ({ text: `state.${name}`, hint: 'a state field' })),
    { text: 'run.id', hint: 'the id of the run' },
    { text: 'run.started_at', hint: 'the start of the run' },
    { text: 'run.thread_id', hint: 'the thread of the run' },
  ];
}
