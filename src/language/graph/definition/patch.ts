/** Collects the operations of one patch (RFC 6902), within a bound of its paths. */
import { sameJson, type Json } from '../values/value.ts';

export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string };

/** A value of two versions, and its place. */
export interface Changed {
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
}

/** As long as the largest definition. Each operation repeats the keys above it: below a long key, they would have gigabytes together. */
const MAX_PATH_CHARS = 4 * 1024 * 1024;

export class Patch {
  readonly operations: PatchOperation[] = [];
  #chars = 0;

  add(operation: PatchOperation): void {
    this.operations.push(operation);
    this.#chars += operation.path.length;
  }

  /** True when no more places should be looked for. */
  get isFull(): boolean {
    return this.#chars > MAX_PATH_CHARS;
  }

  /** Adds the operations that `look` finds inside of a value; in a full patch, one that replaces the value. */
  addInside({ path, before, after }: Changed, look: () => void): void {
    const from = this.operations.length;
    if (!this.isFull) look();
    if (!this.isFull) return;
    this.operations.length = from;
    if (!sameJson(before, after)) this.add({ op: 'replace', path, value: after });
  }
}
