/**
 * Traces a value of a run back to the input, an answer, a model or a response: by the templates of its definition, and the executions in its record
 * whose values they read. Nothing is guessed: where work of another kind made a value, it ends there, with all that the work was given.
 */
import { readDefinition, type ReadDefinition } from '../../../language/graph/definition/read.ts';
import type { ReadNode } from '../../../language/graph/definition/read-node.ts';
import { END } from '../../../language/graph/definition/definition.ts';
import { scanTemplate, TemplateError, type Path } from '../../../language/graph/template/template-scanner.ts';
import { findReferences } from '../../../language/graph/template/template.ts';
import { isContainer, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import type { RecordedRun, RecordedStep } from './record.ts';
import { describeWork, type WorkKind } from './traced-work.ts';

/** A place of a value: in the output of an execution, in the settings it sent (its request), or in the output of the run. */
export interface ValuePlace {
  readonly of: 'output' | 'request' | 'run';
  /** Null of the run. */
  readonly nodeId: string | null;
  readonly visit: number;
  /** -1: the node itself. */
  readonly itemIndex: number;
  readonly path: Path;
}

export interface TracedValue extends Omit<ValuePlace, 'of'> {
  /**
   * `result`: the output of the run; `request`: of a node; `input`; `run`: a fact of the run, or a counter; `state`: a field; `none`: nothing had
   * made it yet; else the work that made it.
   */
  readonly kind: 'result' | 'request' | 'input' | 'run' | 'state' | 'none' | WorkKind;
  /** The setting of the definition that made it, as written; null: none, or several. */
  readonly template: string | null;
  /** The value itself, of an output or the input; undefined: it is not known, or not there. */
  readonly value: Json | undefined;
  /** Positions of the values that it was made of. */
  readonly from: readonly number[];
}

type Traced = Pick<TracedValue, 'kind' | 'nodeId' | 'visit' | 'itemIndex' | 'path'>;

export interface Trace {
  /** The value that was asked for first. */
  readonly values: readonly TracedValue[];
  /** False: there are more than MAX_TRACED. */
  readonly isComplete: boolean;
}

/** Values of one trace, as many as people look at. */
export const MAX_TRACED = 200;

/** An execution that reads: of several visits of a node it sees the last that had ended. */
interface ReaderPlace {
  readonly node: ReadNode | null;
  readonly itemIndex: number;
  /** Position in the record, before which the values that it reads had ended. */
  readonly before: number;
}

/** Traces a value. @param definition of the run, or of its time */
export function traceValue(
  definition: JsonObject,
  record: Pick<RecordedRun, 'inputs' | 'steps'>,
  place: ValuePlace,
): Trace {
  return new Tracer(readDefinition(definition), record).trace(place);
}

class Tracer {
  readonly #read: ReadDefinition;
  readonly #nodes: ReadonlyMap<string, ReadNode>;
  readonly #record: Pick<RecordedRun, 'inputs' | 'steps'>;
  readonly #values: (TracedValue | null)[] = [];
  readonly #known = new Map<string, number>();
  #isComplete = true;

  constructor(read: ReadDefinition, record: Pick<RecordedRun, 'inputs' | 'steps'>) {
    this.#read = read;
    this.#record = record;
    this.#nodes = new Map(read.nodes.map((node) => [node.id, node]));
  }

  trace(place: ValuePlace): Trace {
    if (place.of === 'run') this.#traceRun(place.path);
    else this.#traceExecution(place);
    return { values: this.#values.filter((value) => value !== null), isComplete: this.#isComplete };
  }

  #traceRun(path: Path): void {
    const { output } = this.#read;
    const end = { node: null, itemIndex: -1, before: this.#record.steps.length };
    const own = { kind: 'result', nodeId: null, visit: 0, itemIndex: -1, path } as const;
    if (output !== undefined) {
      this.#add(own, readTemplate(output, path), () => this.#follow(output, path, end));
      return;
    }
    const linked = new Set(this.#read.edges.map(({ source }) => source));
    const lasts = this.#read.nodes.filter(
      ({ id }) =>
        (this.#read.edges.some(({ source, target }) => source === id && target === END) || !linked.has(id)) &&
        this.#findLast(id, end.before) !== null,
    );
    const [only, ...others] = lasts;
    this.#add(own, null, () => {
      if (only !== undefined && others.length === 0) return this.#traceNode(only.id, path, end);
      const named = lasts.filter(({ id }) => path.length === 0 || id === path[0]);
      return named.flatMap(({ id }) => this.#traceNode(id, path.slice(1), end));
    });
  }

  #traceExecution({ of, nodeId, visit, itemIndex, path }: ValuePlace): void {
    const at = this.#record.steps.findIndex(
      (step) => step.nodeId === nodeId && step.visit === visit && step.itemIndex === itemIndex,
    );
    const step = this.#record.steps[at];
    const node = this.#nodes.get(nodeId ?? '');
    if (step === undefined || node === undefined) return;
    if (of === 'output') {
      this.#traceOutput(node, { step, at }, path);
      return;
    }
    const reader = { node, itemIndex, before: at };
    const own = { kind: 'request', nodeId, visit, itemIndex, path } as const;
    const { config } = node;
    // A request has the keys of the settings; a part that they do not have was made of all of them.
    const isSetting = path.length > 0 && ownValue(config, path[0] ?? '') !== undefined;
    this.#add(own, isSetting ? readTemplate(config, path) : null, () =>
      this.#follow(config, isSetting ? path : [], reader),
    );
  }

  #traceOutput(
    node: ReadNode,
    { step, at }: { readonly step: RecordedStep; readonly at: number },
    path: Path,
  ): number[] {
    const { visit, itemIndex } = step;
    const [list, index, ...rest] = path;
    if (node.forEach !== null && itemIndex < 0 && list === 'results' && typeof index === 'number') {
      const item = this.#record.steps.findIndex(
        (each) => each.nodeId === node.id && each.visit === visit && each.itemIndex === index,
      );
      const found = this.#record.steps[item];
      if (found !== undefined) return this.#traceOutput(node, { step: found, at: item }, rest);
    }
    const { kind, made, reads } = describeWork(node, step, path);
    const reader = { node, itemIndex, before: at };
    const own = { kind, nodeId: node.id, visit, itemIndex, path };
    const template = made === null ? null : readTemplate(made.value, made.path);
    return this.#add(own, template, () =>
      made === null
        ? reads.flatMap((value) => this.#follow(value, [], reader))
        : this.#follow(made.value, made.path, reader),
    );
  }

  /** Adds a value once, and what it was made of behind it. @returns its position; nothing when there are too many */
  #add(own: Traced, template: string | null, findSources: () => readonly number[]): number[] {
    const key = JSON.stringify([own.kind, own.nodeId, own.visit, own.itemIndex, own.path]);
    const known = this.#known.get(key);
    if (known !== undefined) return [known];
    if (this.#values.length >= MAX_TRACED) {
      this.#isComplete = false;
      return [];
    }
    const position = this.#values.push(null) - 1;
    this.#known.set(key, position);
    const from = [...new Set(findSources())];
    this.#values[position] = { ...own, template, value: this.#readValue(own), from };
    return [position];
  }

  #readValue({ kind, nodeId, visit, itemIndex, path }: Traced): Json | undefined {
    if (kind === 'input') return readAt(this.#record.inputs.merged, path);
    if (['result', 'request', 'run', 'state', 'none'].includes(kind)) return undefined;
    const step = this.#record.steps.find(
      (each) => each.nodeId === nodeId && each.visit === visit && each.itemIndex === itemIndex,
    );
    return step === undefined ? undefined : readAt(step.output, path);
  }

  /** Follows the templates at a path of a setting. */
  #follow(value: Json | undefined, path: Path, reader: ReaderPlace): number[] {
    if (typeof value === 'string') {
      const single = scanSingle(value);
      const found =
        single === null ? findReferences(value).references : [{ ...single, path: [...single.path, ...path] }];
      return found.flatMap(({ root, path: at }) => this.#traceReference(root, at, reader));
    }
    if (!isContainer(value)) return [];
    const [key, ...rest] = path;
    if (key !== undefined) return this.#follow(ownValue(value, key), rest, reader);
    return findReferences(value).references.flatMap((one) =>
      this.#traceReference(one.root, one.path, reader),
    );
  }

  #traceReference(root: string, path: Path, reader: ReaderPlace): number[] {
    const [first, ...rest] = path;
    if (root === 'state' && first !== undefined) return this.#traceName(String(first), rest, reader);
    if (root === 'input' || root === 'state') return this.#addLeaf('input', path);
    if (root === 'run' || root === 'loop' || root === 'index') return this.#addLeaf('run', [root, ...path]);
    const forEach = reader.node?.forEach ?? null;
    if (forEach !== null && (root === forEach.as || root === 'item')) {
      const around = { ...reader, node: null };
      const index = reader.itemIndex < 0 ? [] : [reader.itemIndex, ...path];
      return this.#follow(forEach.items, index, around);
    }
    // The item of a list, or an answer: what they are made of stands in the same settings.
    if (['item', 'response'].includes(root) && !this.#nodes.has(root)) return [];
    return this.#traceName(root, path, reader);
  }

  #traceName(name: string, path: Path, reader: ReaderPlace): number[] {
    if (this.#nodes.has(name)) return this.#traceNode(name, path, reader);
    if (!Object.hasOwn(this.#read.fields, name)) return this.#addLeaf('input', [name, ...path]);
    return this.#traceField(name, path, reader);
  }

  /** A state field is made of all updates that it had; of the last alone where that replaces it. */
  #traceField(name: string, path: Path, { before }: ReaderPlace): number[] {
    const updates = this.#record.steps.slice(0, before).flatMap((step, at) => {
      const node = this.#nodes.get(step.nodeId);
      const update = node === undefined ? undefined : ownValue(node.stateUpdates, name);
      return node === undefined || update === undefined || step.itemIndex >= 0 || step.status !== 'succeeded'
        ? []
        : [{ node, update, at, visit: step.visit }];
    });
    const isReplaced = this.#read.fields[name]?.reducer === 'none';
    const read = isReplaced ? updates.slice(-1) : updates;
    const [only] = read;
    const own = {
      kind: 'state',
      nodeId: null,
      visit: updates.length,
      itemIndex: -1,
      path: [name, ...path],
    } as const;
    if (only === undefined) return this.#addLeaf('input', [name, ...path]);
    return this.#add(own, isReplaced ? readTemplate(only.update, path) : null, () =>
      read.flatMap(({ node, update, at }) =>
        this.#follow(update, isReplaced ? path : [], { node, itemIndex: -1, before: at + 1 }),
      ),
    );
  }

  #traceNode(nodeId: string, path: Path, { before }: ReaderPlace): number[] {
    const node = this.#nodes.get(nodeId);
    const found = this.#findLast(nodeId, before);
    if (node !== undefined && found !== null) return this.#traceOutput(node, found, path);
    return this.#add({ kind: 'none', nodeId, visit: 0, itemIndex: -1, path }, null, () => []);
  }

  #findLast(nodeId: string, before: number): { readonly step: RecordedStep; readonly at: number } | null {
    const at = this.#record.steps.findLastIndex(
      (step, index) =>
        index < before && step.nodeId === nodeId && step.itemIndex < 0 && step.status !== 'skipped',
    );
    const step = this.#record.steps[at];
    return step === undefined ? null : { step, at };
  }

  #addLeaf(kind: 'input' | 'run', path: Path): number[] {
    return this.#add({ kind, nodeId: null, visit: 0, itemIndex: -1, path }, null, () => []);
  }
}

function readAt(value: Json, path: Path): Json | undefined {
  let at: Json | undefined = value;
  for (const key of path) at = isContainer(at) ? ownValue(at, key) : undefined;
  return at;
}

/** The text of a setting at a path, or around it. */
function readTemplate(value: Json, path: Path): string | null {
  let at: Json | undefined = value;
  for (const key of path) {
    if (!isContainer(at)) break;
    at = ownValue(at, key);
  }
  return typeof at === 'string' ? at : null;
}

/** The reference of a text that is one template without filters: a path into its value is a path into what it reads. */
function scanSingle(text: string): { readonly root: string; readonly path: Path } | null {
  try {
    const { single } = scanTemplate(text);
    return single === null || single.filters.length > 0 ? null : single;
  } catch (error) {
    if (error instanceof TemplateError) return null;
    throw error;
  }
}
