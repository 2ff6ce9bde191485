/**
 * What was answered to operations lately, so that a repetition gets the same answer and is not applied again. Bounded:
 * beyond the window a client's own sequence numbers tell that an operation was applied long ago.
 */
import { BoundedMap } from '../../graph/bounded-map.ts';
import { sequenceOf } from './envelope.ts';
import type { Skipped } from './reduction.ts';

const WINDOW = 4_096;
const MAX_CLIENTS = 512;

export interface OpResult {
  readonly contentHash: string;
  readonly version: number;
  readonly isNoop: boolean;
  readonly skipped: readonly Skipped[];
  /** Set for what an earlier epoch has saved: the version is of that epoch. */
  readonly savedIn?: number;
}

export class RecentOps {
  readonly #results = new Map<string, OpResult>();
  /** Highest sequence number that was applied, by client. */
  readonly #applied = new BoundedMap<string, number>(MAX_CLIENTS);
  /** Highest one that fell out of the window: whatever is at or below it, and not in the window, is old. */
  readonly #forgotten = new BoundedMap<string, { readonly seq: number; readonly version: number }>(
    MAX_CLIENTS,
  );

  remember(opId: string, result: OpResult): void {
    this.#results.set(opId, result);
    const sequence = sequenceOf(opId);
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
    const sequence = sequenceOf(opId);
    if (sequence === null) return;
    const { clientId, seq } = sequence;
    const known = this.#forgotten.get(clientId);
    this.#forgotten.set(clientId, known === undefined || known.seq < seq ? { seq, version } : known);
  }

  /** The answer that was given; null for an operation that is new. `old` is all that is known beyond the window. */
  find(opId: string): OpResult | { readonly old: number } | null {
    const result = this.#results.get(opId);
    if (result !== undefined) return result;
    const sequence = sequenceOf(opId);
    const forgotten = sequence === null ? undefined : this.#forgotten.get(sequence.clientId);
    return sequence !== null && forgotten !== undefined && sequence.seq <= forgotten.seq
      ? { old: forgotten.version }
      : null;
  }

  /** Highest sequence number of a client that was applied; 0 for none. */
  appliedSeq(clientId: string | undefined): number {
    return clientId === undefined ? 0 : (this.#applied.get(clientId) ?? 0);
  }
}
