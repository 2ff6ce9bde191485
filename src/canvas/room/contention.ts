/** Who wrote what last: an acknowledgement names those whose values an operation overwrote without having seen them. */
import type { Touched } from './reduction.ts';

/** Entities remembered; the one written longest ago is forgotten first. */
const MAX_ENTITIES = 4_096;
const MAX_POINTERS = 128;
const MAX_REPORTED = 100;

interface Writer {
  readonly version: number;
  readonly userId: string;
  readonly sessionId: string;
}

export interface Contended {
  readonly ptr: string;
  readonly byUserId: string;
  readonly version: number;
}

/** Same place, or one inside the other. */
const overlaps = (a: string, b: string): boolean =>
  a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`) || a === '' || b === '';

export class LastWriters {
  readonly #entities = new Map<string, Map<string, Writer>>();

  record(places: readonly Touched[], writer: Writer): void {
    for (const { entity, ptr } of places) {
      const writers = this.#entities.get(entity) ?? new Map<string, Writer>();
      this.#entities.delete(entity);
      this.#entities.set(entity, writers);
      writers.delete(ptr);
      writers.set(ptr, writer);
      const [first] = writers.keys();
      if (writers.size > MAX_POINTERS && first !== undefined) writers.delete(first);
    }
    while (this.#entities.size > MAX_ENTITIES) {
      const [first] = this.#entities.keys();
      if (first === undefined) return;
      this.#entities.delete(first);
    }
  }

  /** Places among `places` that another session wrote after `seen`. */
  contended(places: readonly Touched[], seen: number, sessionId: string): Contended[] {
    const found: Contended[] = [];
    for (const { entity, ptr } of places) {
      for (const [written, writer] of this.#entities.get(entity) ?? []) {
        if (found.length >= MAX_REPORTED) return found;
        if (writer.version <= seen || writer.sessionId === sessionId || !overlaps(written, ptr)) continue;
        found.push({ ptr: entity + written, byUserId: writer.userId, version: writer.version });
      }
    }
    return found;
  }
}
