/** Finds the answer's text in the output of a run, and streams it when the output is the text of a model. */
import { readDefinition, type ReadDefinition } from '../../language/graph/definition/read.ts';
import { END } from '../../language/graph/definition/definition.ts';
import type { ReadNode } from '../../language/graph/definition/read-node.ts';
import { scanTemplate, TemplateError, type Path } from '../../language/graph/template/template-scanner.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../language/graph/values/value.ts';
import { parseJsonAnswer } from '../../language/nodes/model-answer.ts';
import type { RunFrame } from '../../engine/runs/stream/read-frames.ts';
import type { AnswerCut } from '../../engine/runs/ledger/answer-cuts.ts';

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

/** Finds why an answer is not whole, in the words of chat completions; null for a whole one. */
export const findCutReason = (cuts: readonly AnswerCut[]): 'length' | 'content_filter' | null =>
  (['length', 'content_filter'] as const).find((reason) => cuts.some((cut) => cut.reason === reason)) ?? null;

/** True when the text of an answer is the refusal of a model. */
export const isRefused = (cuts: readonly AnswerCut[]): boolean =>
  cuts.some(({ reason }) => reason === 'refusal');

/** Finds the node and the field of a value that is exactly one template. */
function findSource(text: string): { readonly nodeId: string; readonly path: Path } | null {
  try {
    const { single } = scanTemplate(text);
    return single === null || single.filters.length > 0 ? null : { nodeId: single.root, path: single.path };
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
): ReadNode[] {
  const node = definition.nodes.find(({ id }) => id === nodeId);
  if (node === undefined || hops === 0) return [];
  const isModel = node.type === 'llm' || node.type === 'agent';
  if (isModel) return field === undefined || field === 'content' ? [node] : [];
  const config: Json = node.config;
  const fields = ownValue(config, 'fields');
  if (node.type !== 'transformer' || ownValue(config, 'mode') !== 'map' || !isObject(fields)) return [];
  const value = field === undefined ? fields : ownValue(fields, field);
  return value === undefined ? [] : findModelsInValue(definition, value, hops - 1);
}

function findModelsInValue(definition: ReadDefinition, value: Json, hops: number): ReadNode[] {
  const text = isObject(value) ? pickText(value) : value;
  const source = typeof text === 'string' ? findSource(text) : null;
  if (source === null || source.path.length > 1) return [];
  return findModelsInNode(definition, source.nodeId, source.path[0], hops);
}

const JSON_FORMATS: readonly (Json | undefined)[] = ['json_object', 'json_schema'];

/** True when a model has to answer in JSON. @param config of an llm or agent node */
export const answersJson = (config: JsonObject): boolean =>
  JSON_FORMATS.includes(ownValue(ownValue(config, 'response_format'), 'type'));

/** Where the text of an answer comes from. */
export interface AnswerSource {
  /** The nodes whose text is the answer, because the output of the run names it. */
  readonly models: readonly ReadNode[];
  /** True when every answer is the text of one of these nodes, on whichever path the run ends. */
  readonly isAlwaysModel: boolean;
  /** True when every answer is JSON of one of these nodes. */
  readonly isJson: boolean;
}

/** Finds the nodes whose text is the answer. Without one, the answer comes as a whole at the end of the run. */
export function findAnswerSource(definition: JsonObject): AnswerSource {
  const read = readDefinition(definition);
  const last = read.edges.filter(({ target }) => target === END);
  const answers =
    read.output === undefined
      ? last.map(({ source }) => findModelsInNode(read, source, undefined, MAX_HOPS))
      : [findModelsInValue(read, read.output, MAX_HOPS)];
  const models = answers.flat();
  const isCalled = ({ forEach, mock, disabled }: ReadNode): boolean =>
    forEach === null && mock === undefined && !disabled;
  const isAlwaysModel =
    models.length > 0 && answers.every(({ length }) => length > 0) && models.every(isCalled);
  return {
    models,
    isAlwaysModel,
    isJson: isAlwaysModel && models.every(({ config }) => answersJson(config)),
  };
}

/** Finds the JSON in the text of a model, without fences and prose around it; the text itself without any. */
export function findJsonText(text: string): string {
  try {
    return parseJsonAnswer(text, (piece) => {
      JSON.parse(piece);
      return piece.trim();
    });
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

const TOKEN_ENDS: readonly RunFrame['type'][] = ['token_reset', 'node_retry', 'node_started'];

/**
 * The text of an answer as its client has received it. A text that was sent cannot be taken back: when a model begins anew, its
 * next text follows after a blank line. An answer in JSON is therefore sent as a whole at its end.
 */
export class AnswerText {
  readonly #nodes: ReadonlySet<string>;
  readonly #isWhole: boolean;
  #sent = '';
  /** Text since the last reset. */
  #current = '';

  constructor({ models, isJson }: AnswerSource) {
    this.#nodes = new Set(models.map(({ id }) => id));
    this.#isWhole = isJson;
  }

  /** The cuts of the nodes whose text is the answer; all when none is known. */
  chooseCuts(cuts: readonly AnswerCut[]): readonly AnswerCut[] {
    return this.#nodes.size === 0 ? cuts : cuts.filter(({ node_id: nodeId }) => this.#nodes.has(nodeId));
  }

  /** All that was sent. */
  get sent(): string {
    return this.#sent;
  }

  /** Takes a frame of the run. @returns the text to send; empty when it brings none */
  take(frame: RunFrame): string {
    const { type, node_id: nodeId, item_index: item, channel, delta } = frame;
    if (this.#isWhole || typeof nodeId !== 'string' || !this.#nodes.has(nodeId) || item !== undefined)
      return '';
    if (TOKEN_ENDS.includes(type)) this.#current = '';
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
