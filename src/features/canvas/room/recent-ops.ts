/**
 * Recent answers by opId, so that a duplicate gets the same answer and is not applied again. Beyond the bounded window, a
 * client's sequence numbers tell that an operation was applied long ago.
 */
import { BoundedMap } from '../../../language/graph/values/bounded-map.ts';
import { parseOpId } from './envelope.ts';
import type { Skipped } from './reduction.ts';

const WINDOW = 4_096;
const MAX_CLIENTS = 512;

export interface OpResult {
  readonly contentHash: string;
  readonly version: number;
  readonly isNoop: boolean;
  readonly skipped: readonly Skipped[];
  /** Set when an earlier epoch saved the operation: the version is of that epoch. */
  readonly savedIn?: number;
}

export class RecentOps {
  readonly #results = new Map<string, OpResult>();
  /** Highest applied sequence number, by client. */
  readonly #applied = new BoundedMap<string, number>(MAX_CLIENTS);
  /** Highest evicted sequence number, by client: lower ones outside the window were applied long ago. */
  readonly #forgotten = new BoundedMap<string, { readonly seq: number; readonly version: number }>(
    MAX_CLIENTS,
  );

  remember(opId: string, result: OpResult): void {
    this.#results.set(opId, result);
    const sequence = parseOpId(opId);
    if (sequence !== null) {
      const { clientId, seq } = sequence;
      this.#applied.set(clientId, Math.max(seq, this.#applied.get(clientId) ?? 0));
    }
    if (this.#results.size <= WINDOW) return;
    const [oldest] = this.#results;
    if (oldest !== undefined) this.#forget(oldest[0], oldest[1].version);
  }

  #forget(opId: string, version: number): void {
    this.#results.delete(opId);
    const sequence = parseOpId(opId);
    if (sequence === null) return;
    const { clientId, seq } = sequence;
    const known = this.#forgotten.get(clientId);
    this.#forgotten.set(clientId, known === undefined || known.seq < seq ? { seq, version } : known);
  }

  /** Finds the answer of an opId; null for a new operation. Beyond the window only a version is known, as `old`. */
  find(opId: string): OpResult | { readonly old: number } | null {
    const result = this.#results.get(opId);
    if (result !== undefined) return result;
    const sequence = parseOpId(opId);
    const forgotten = sequence === null ? undefined : this.#forgotten.get(sequence.clientId);
    return sequence !== null && forgotten !== undefined && sequence.seq <= forgotten.seq
      ? { old: forgotten.version }
      : null;
  }

  /** Returns the highest applied sequence number of a client; 0 for none. */
  appliedSeq(clientId: string | undefined): number {
    return clientId === undefined ? 0 : (this.#applied.get(clientId) ?? 0);
  }
}
