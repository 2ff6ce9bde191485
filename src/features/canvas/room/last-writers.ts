/** The last writer of each place: an acknowledgement lists the unseen values that its operation overwrote. */
import { BoundedMap } from '../../../language/graph/values/bounded-map.ts';
import type { Touched } from './reduction.ts';

const MAX_ENTITIES = 4_096;
/** Places remembered per entity. */
const MAX_POINTERS = 128;
const MAX_REPORTED = 100;

interface Writer {
  readonly version: number;
  readonly userId: string;
  readonly sessionId: string;
}

interface ContendedPlace {
  readonly ptr: string;
  readonly byUserId: string;
  readonly version: number;
}

/** Whether two pointers are equal or one contains the other. */
const overlaps = (a: string, b: string): boolean =>
  a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`) || a === '' || b === '';

export class LastWriters {
  readonly #entities = new BoundedMap<string, Map<string, Writer>>(MAX_ENTITIES);

  record(places: readonly Touched[], writer: Writer): void {
    for (const { entity, ptr } of places) {
      const writers = this.#entities.get(entity) ?? new BoundedMap<string, Writer>(MAX_POINTERS);
      this.#entities.set(entity, writers);
      writers.set(ptr, writer);
    }
  }

  /** Lists the places that another session wrote after version `seen`. */
  findContended(places: readonly Touched[], seen: number, sessionId: string): ContendedPlace[] {
    const found: ContendedPlace[] = [];
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
