/** Finds the answer's text in the output of a run, and streams it when the output is the text of a model. */
import { readDefinition, type ReadDefinition } from '../../language/graph/definition/read.ts';
import { END } from '../../language/graph/definition/definition.ts';
import { scanTemplate, TemplateError, type Path } from '../../language/graph/template/template-scanner.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../language/graph/values/value.ts';

/** Names of the text in an output, in the order of preference. */
const TEXT_NAMES = ['content', 'text', 'message', 'reply', 'answer', 'output'];
/** Limit for templates that refer to each other in a cycle. */
const MAX_HOPS = 8;

/** Finds the text in an object: the first of its well-known names, or its only field. */
function pickText(value: JsonObject): string | null {
  const named = TEXT_NAMES.map((name) => ownValue(value, name)).find((text) => typeof text === 'string');
  if (typeof named === 'string') return named;
  const [only, ...others] = Object.values(value);
  return others.length === 0 && typeof only === 'string' ? only : null;
}

/** Reads the text of an output: a text itself, the text in an object, or the whole as JSON. */
export function readAnswerText(output: Json): string {
  if (output === null) return '';
  if (typeof output === 'string') return output;
  return (isObject(output) ? pickText(output) : null) ?? JSON.stringify(output);
}

/** Finds the node and the field of a value that is exactly one template. */
function findSource(text: string): { readonly nodeId: string; readonly path: Path } | null {
  try {
    const { single } = scanTemplate(text);
    return single === null || single.filter !== null ? null : { nodeId: single.root, path: single.path };
  } catch (error) {
    if (error instanceof TemplateError) return null;
    throw error;
  }
}

/** Finds the models whose tokens are the text of a node's output or of one of its fields. */
function findModelsInNode(
  definition: ReadDefinition,
  nodeId: string,
  field: string | number | undefined,
  hops: number,
): string[] {
  const node = definition.nodes.find(({ id }) => id === nodeId);
  if (node === undefined || hops === 0) return [];
  const isModel = node.type === 'llm' || node.type === 'agent';
  if (isModel) return field === undefined || field === 'content' ? [nodeId] : [];
  const config: Json = node.config;
  const fields = ownValue(config, 'fields');
  if (node.type !== 'transformer' || ownValue(config, 'mode') !== 'map' || !isObject(fields)) return [];
  const value = field === undefined ? fields : ownValue(fields, field);
  return value === undefined ? [] : findModelsInValue(definition, value, hops - 1);
}

function findModelsInValue(definition: ReadDefinition, value: Json, hops: number): string[] {
  const text = isObject(value) ? pickText(value) : value;
  const source = typeof text === 'string' ? findSource(text) : null;
  if (source === null || source.path.length > 1) return [];
  return findModelsInNode(definition, source.nodeId, source.path[0], hops);
}

/**
 * Finds the nodes whose tokens are the answer, because the output of the run is their text. Without one, the answer comes as a
 * whole at the end of the run.
 */
export function findAnswerNodes(definition: JsonObject): ReadonlySet<string> {
  const read = readDefinition(definition);
  if (read.output !== undefined) return new Set(findModelsInValue(read, read.output, MAX_HOPS));
  const last = read.edges.filter(({ target }) => target === END).map(({ source }) => source);
  return new Set(last.flatMap((nodeId) => findModelsInNode(read, nodeId, undefined, MAX_HOPS)));
}

const TOKEN_ENDS: readonly string[] = ['token_reset', 'node_retry', 'node_started'];

/**
 * The text of an answer as its client has received it. A text that was sent cannot be taken back: when a model begins anew, its
 * next text follows after a blank line.
 */
export class AnswerText {
  readonly #nodes: ReadonlySet<string>;
  #sent = '';
  /** The part of the text since the model last began anew. */
  #current = '';

  /** @param nodes from findAnswerNodes */
  constructor(nodes: ReadonlySet<string>) {
    this.#nodes = nodes;
  }

  /** All that was sent. */
  get sent(): string {
    return this.#sent;
  }

  /** Takes a frame of the run. @returns the text to send; empty when it brings none */
  take(frame: JsonObject): string {
    const { type, node_id: nodeId, item_index: item, channel, delta } = frame;
    if (typeof nodeId !== 'string' || !this.#nodes.has(nodeId) || item !== undefined) return '';
    if (typeof type === 'string' && TOKEN_ENDS.includes(type)) this.#current = '';
    return type === 'token' && channel === 'content' && typeof delta === 'string' ? this.#add(delta) : '';
  }

  /** Takes the text of the whole answer. @returns the rest of it to send */
  finish(text: string): string {
    return text.startsWith(this.#current) ? this.#add(text.slice(this.#current.length)) : this.#restart(text);
  }

  #restart(text: string): string {
    this.#current = '';
    return this.#add(text);
  }

  #add(delta: string): string {
    if (delta === '') return '';
    const separator = this.#current === '' && this.#sent !== '' ? '\n\n' : '';
    this.#current += delta;
    this.#sent += separator + delta;
    return separator + delta;
  }
}
