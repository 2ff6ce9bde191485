/**
 * The values of a run as a walk reads and sets them: outputs of nodes, declared fields and the input. A run loads them from its record
 * (`ledger/read/values.ts`); a walk in memory has them all from its start.
 */
import { isObject, setOwn, type Json, type JsonObject } from '../../../language/graph/values/value.ts';

/** The values that a node reads are too large together. */
export class StateTooLarge extends Error {
  override readonly name = 'StateTooLarge';
}

/** The share of the organization is full: the work gives up what it has loaded, waits, and begins again. */
export class ShareFull extends Error {
  override readonly name = 'ShareFull';
  readonly granted: Promise<void>;

  constructor(granted: Promise<void>) {
    super('The share of the organization is full');
    this.granted = granted;
  }
}

/** The newest output of a node. */
interface VisitOutput {
  readonly visit: number;
  /** Undefined: the visit was skipped. */
  readonly value: Json | undefined;
  readonly hasFailed?: boolean;
}

export interface Values {
  /** Makes the named node outputs and fields (or `*`, or `input`) known to the getters below. @throws ShareFull */
  load(names: Iterable<string>): Promise<void>;
  /** Undefined: the node has not run, or its newest visit was skipped. @throws StateTooLarge */
  output(nodeId: string): Json | undefined;
  /** True for a failure that the definition has handled without a `default_output`. */
  isFailure(nodeId: string): boolean;
  /** The number of the newest visit of a node that has ended; 0: none. */
  lastVisit(nodeId: string): number;
  /** @throws StateTooLarge */
  field(name: string): Json | undefined;
  /** @throws StateTooLarge */
  input(): JsonObject;
  /** Builds the template root `state`. @throws StateTooLarge */
  state(): JsonObject;
  /** Sets the state before the first node. */
  begin(input: JsonObject, fields: Readonly<Record<string, Json>>): void;
  /** Ignores the output of an older visit than the known one: a loop has visited the node again. */
  setOutput(nodeId: string, output: VisitOutput): void;
  /** @param value undefined takes the field away */
  setField(name: string, value: Json | undefined): void;
}

/** Tells whether the output of a failed node is its error alone, without a `default_output` beside it. */
export const isErrorAlone = (output: Json | undefined): boolean =>
  isObject(output) && Object.keys(output).length === 1 && Object.hasOwn(output, 'error');

/** The values of a walk in memory: nothing is loaded, and nothing is written. */
export class MemoryValues implements Values {
  readonly #outputs = new Map<string, VisitOutput & { readonly isFailure: boolean }>();
  readonly #fields = new Map<string, Json | undefined>();
  #input: JsonObject = {};

  load(): Promise<void> {
    return Promise.resolve();
  }
  output(nodeId: string): Json | undefined {
    return this.#outputs.get(nodeId)?.value;
  }
  isFailure(nodeId: string): boolean {
    return this.#outputs.get(nodeId)?.isFailure ?? false;
  }
  lastVisit(nodeId: string): number {
    return this.#outputs.get(nodeId)?.visit ?? 0;
  }
  field(name: string): Json | undefined {
    return this.#fields.get(name);
  }
  input(): JsonObject {
    return this.#input;
  }
  state(): JsonObject {
    const state: JsonObject = {};
    for (const [name, value] of this.#fields) if (value !== undefined) setOwn(state, name, value);
    for (const [nodeId, { value }] of this.#outputs) if (value !== undefined) setOwn(state, nodeId, value);
    return state;
  }

  begin(input: JsonObject, fields: Readonly<Record<string, Json>>): void {
    this.#input = input;
    for (const [name, value] of Object.entries(fields)) this.setField(name, value);
  }
  setOutput(nodeId: string, output: VisitOutput): void {
    if (output.visit < this.lastVisit(nodeId)) return;
    const isFailure = output.hasFailed === true && isErrorAlone(output.value);
    this.#outputs.set(nodeId, { ...output, isFailure });
  }
  setField(name: string, value: Json | undefined): void {
    this.#fields.set(name, value);
  }
}
