/**
 * Follows texts of others through a definition: which of them a reference may carry, by the templates of nodes and state fields. Static, so that a
 * reference carries all that any run may put there.
 */
import type { TriggerInput } from './trigger-input.ts';
import type { TextFlow, TextSource } from './text-flow.ts';
import type { ReadDefinition } from '../definition/read.ts';
import type { ReadNode } from '../definition/read-node.ts';
import type { Path, Reference } from '../template/template-scanner.ts';
import { findReferences } from '../template/template.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../values/value.ts';

/** A text of others. */
export interface TextOrigin {
  readonly source: TextSource;
  /** The id of the node or of the trigger. */
  readonly name: string;
  /** The literal host that said it; null: it is none, or a run decides it. */
  readonly host: string | null;
}

export type FoundReference = Pick<Reference, 'root' | 'path'>;

/** Origins that are followed of one value: one is enough for a warning, and a message names one. */
const MAX_ORIGINS = 8;
const PLAIN_TYPES: ReadonlySet<Json | undefined> = new Set(['boolean', 'integer', 'number', 'null']);

/** A place of texts: a node, a key of its output, or a state field. */
interface Cell {
  readonly origins: Set<TextOrigin>;
  readonly readers: Cell[];
}

interface Given {
  readonly read: ReadDefinition;
  /** By node; null: its config is invalid. */
  readonly flows: readonly (TextFlow | null)[];
  readonly input: TriggerInput;
  /** Tells whether a node reads the value only behind a check. */
  readonly isChecked: (reference: FoundReference, node: number) => boolean;
  readonly literalKeys: (type: string) => readonly string[];
}

export class TextOrigins {
  readonly #given: Given;
  readonly #nodes: ReadonlyMap<string, number>;
  readonly #cells = new Map<string, Cell>();

  constructor(given: Given) {
    this.#given = given;
    this.#nodes = new Map(given.read.nodes.map(({ id }, index) => [id, index]));
    given.read.nodes.forEach((node, index) => this.#connect(node, index));
    this.#spread();
  }

  /** Finds the texts of others that a reference of a node may carry. */
  find(reference: FoundReference, node: ReadNode): ReadonlySet<TextOrigin> {
    const { cells, origins } = this.#resolve(reference, node);
    return new Set([...origins, ...cells.flatMap((cell) => [...cell.origins])]);
  }

  #connect(node: ReadNode, index: number): void {
    const flow = this.#given.flows[index] ?? null;
    for (const [field, update] of Object.entries(node.stateUpdates))
      this.#read(this.#cell(`field ${field}`), update, { node, index });
    if (flow === null || node.mock !== undefined || node.disabled) return;
    const whole = this.#cell(node.id);
    if (flow.source !== null) whole.origins.add({ source: flow.source, name: node.id, host: flow.host });
    if (!flow.carries) return;
    const skip = this.#given.literalKeys(node.type);
    if (flow.parts.size === 0) this.#read(whole, node.config, { node, index }, skip);
    for (const [key, value] of flow.parts) {
      const part = this.#cell(`${node.id} ${key}`);
      this.#read(part, value, { node, index });
      part.readers.push(whole);
    }
  }

  #read(
    cell: Cell,
    value: Json,
    { node, index }: { readonly node: ReadNode; readonly index: number },
    skip: readonly string[] = [],
  ): void {
    for (const reference of findReferences(value, skip).references) {
      if (this.#given.isChecked(reference, index)) continue;
      const { cells, origins } = this.#resolve(reference, node);
      for (const source of cells) source.readers.push(cell);
      for (const origin of origins) add(cell, origin);
    }
  }

  /** Carries origins to all that reads them; each cell takes at most MAX_ORIGINS, which bounds the work by the references. */
  #spread(): void {
    const changed = [...this.#cells.values()].filter(({ origins }) => origins.size > 0);
    for (let cell = changed.pop(); cell !== undefined; cell = changed.pop()) {
      for (const reader of cell.readers) {
        const before = reader.origins.size;
        for (const origin of cell.origins) add(reader, origin);
        if (reader.origins.size > before) changed.push(reader);
      }
    }
  }

  #resolve(reference: FoundReference, node: ReadNode): { cells: Cell[]; origins: readonly TextOrigin[] } {
    const { root, path } = reference;
    if (root === 'state') {
      const [first, ...rest] = path;
      return first === undefined
        ? { cells: [], origins: this.#given.input.find([]) }
        : this.#resolveName(String(first), rest);
    }
    if (root === 'input') return { cells: [], origins: this.#given.input.find(path) };
    const { forEach } = node;
    if (forEach !== null && (root === 'item' || root === forEach.as)) {
      const items = findReferences(forEach.items).references.filter((one) => one.root !== root);
      const found = items.map((one) => this.#resolve({ ...one, path: [...one.path, 0, ...path] }, node));
      return {
        cells: found.flatMap(({ cells }) => cells),
        origins: found.flatMap(({ origins }) => [...origins]),
      };
    }
    return this.#resolveName(root, path);
  }

  /** A node, or a state field, which the input may set. */
  #resolveName(name: string, path: Path): { cells: Cell[]; origins: readonly TextOrigin[] } {
    const index = this.#nodes.get(name);
    if (index !== undefined) return { cells: this.#resolveNode(index, path), origins: [] };
    const isField = Object.hasOwn(this.#given.read.fields, name);
    return {
      cells: isField ? [this.#cell(`field ${name}`)] : [],
      origins: this.#given.input.find([name, ...path]),
    };
  }

  #resolveNode(index: number, given: Path): Cell[] {
    const node = this.#given.read.nodes[index];
    const flow = this.#given.flows[index] ?? null;
    if (node === undefined || flow === null) return [];
    const isMap = node.forEach !== null;
    // The results of a map, or an item of them where a list belongs.
    if (isMap && ['count', 'errors'].includes(String(given[0]))) return [];
    const path = isMap ? given.slice(given[0] === 'results' ? 2 : 1) : given;
    const [key] = path;
    if (key === 'error') return path[1] === 'response' ? [this.#cell(node.id)] : [];
    if (key !== undefined && flow.plain.includes(String(key))) return [];
    if (flow.schema !== null && isPlainIn(flow.schema, path)) return [];
    if (key !== undefined && flow.parts.has(String(key))) return [this.#cell(`${node.id} ${key}`)];
    return [this.#cell(node.id)];
  }

  #cell(name: string): Cell {
    const known = this.#cells.get(name) ?? { origins: new Set(), readers: [] };
    this.#cells.set(name, known);
    return known;
  }
}

function add({ origins }: Cell, origin: TextOrigin): void {
  if (origins.size < MAX_ORIGINS) origins.add(origin);
}

/** Tells whether a schema leaves no free text at a path: a choice, a number, or a truth value. */
function isPlainIn({ key, schema }: NonNullable<TextFlow['schema']>, given: Path): boolean {
  if (key !== null && given[0] !== key) return false;
  let at: JsonObject = schema;
  for (const step of key === null ? given : given.slice(1)) {
    const properties = ownValue(at, 'properties');
    const next =
      typeof step === 'number'
        ? ownValue(at, 'items')
        : isObject(properties)
          ? ownValue(properties, step)
          : undefined;
    if (!isObject(next)) return false;
    at = next;
  }
  return (
    Array.isArray(ownValue(at, 'enum')) || Object.hasOwn(at, 'const') || PLAIN_TYPES.has(ownValue(at, 'type'))
  );
}
