/** What a room remembers of the operations it accepted: their answers, their broadcasts, and who wrote what last. */
import type { Json, JsonObject } from '../../graph/value.ts';
import { LastWriters } from './contention.ts';
import { RecentEvents } from './recent-events.ts';
import { RecentOps, type OpResult } from './recent-ops.ts';
import type { Skipped, Touched } from './reduction.ts';

/** What was missed is told by events up to this, however small the document is. */
const FEW_EVENTS_SIZE = 65_536;

export interface AcceptedOp {
  readonly opId: string;
  readonly contentHash: string;
  readonly version: number;
  readonly userId: string;
  readonly sessionId: string;
  readonly touched: readonly Touched[];
  readonly skipped: readonly Skipped[];
  readonly event: string;
  readonly payload: JsonObject;
  readonly size: number;
  /** Monotonic. */
  readonly at: number;
}

export interface Repetition {
  readonly isSame: boolean;
  /** The fields of its acknowledgement, beside the opId. */
  readonly ack: JsonObject;
}

/** Parts that were left out, as an acknowledgement names them; nothing when there are none. */
export const skippedFacts = (skipped: readonly Skipped[]): JsonObject =>
  skipped.length === 0 ? {} : { skipped: skipped.map((part): Json => ({ ...part })) };

export class RoomHistory {
  readonly #ops = new RecentOps();
  readonly #events: RecentEvents;
  readonly #writers = new LastWriters();
  /** The counter when somebody else's save was taken over last: what was missed since is no list of operations. */
  #externalAt = -1;

  constructor(pinnedMaxLag: number | null) {
    this.#events = new RecentEvents(pinnedMaxLag);
  }

  /** Records an answer alone: of an operation that changed nothing, or that an earlier epoch accepted. */
  answer(opId: string, result: OpResult): void {
    this.#ops.remember(opId, result);
  }

  accept(op: AcceptedOp): void {
    const { opId, contentHash, version, userId, sessionId, touched, skipped, event, payload, size, at } = op;
    this.#writers.record(touched, { version, userId, sessionId });
    this.#ops.remember(opId, { contentHash, version, isNoop: false, skipped });
    this.#events.push({ version, event, payload, size, at });
  }

  tookOver(version: number): void {
    this.#externalAt = version;
  }

  hasAnswered(opId: string): boolean {
    return this.#ops.find(opId) !== null;
  }

  /** How an operation was answered that comes again; null for a new one. */
  repetition(opId: string, contentHash: string): Repetition | null {
    const known = this.#ops.find(opId);
    if (known === null) return null;
    if ('old' in known) return { isSame: true, ack: { version: known.old, duplicate: true } };
    const { version, isNoop, skipped, savedIn } = known;
    const ack = {
      version,
      duplicate: true,
      ...(isNoop ? { noop: true } : {}),
      ...skippedFacts(skipped),
      ...(savedIn === undefined ? {} : { savedIn }),
    };
    return { isSame: known.contentHash === contentHash, ack };
  }

  appliedSeq(clientId: string | undefined): number {
    return this.#ops.appliedSeq(clientId);
  }

  maxLag(now: number): number {
    return this.#events.maxLag(now);
  }

  /** From the future, or too far behind (SPEC CAN-R10, CAN-R11). A client that says nothing is never behind. */
  isStale(seen: number | undefined, current: number, now: number): boolean {
    return seen !== undefined && (seen > current || current - seen > this.maxLag(now));
  }

  /** Places that somebody else wrote since, as an acknowledgement names them; nothing when there are none. */
  contended(touched: readonly Touched[], seen: number | undefined, sessionId: string): JsonObject {
    const found = seen === undefined ? [] : this.#writers.contended(touched, seen, sessionId);
    return found.length === 0 ? {} : { contended: found.map((one): Json => ({ ...one })) };
  }

  /**
   * The broadcasts after a version, as `[name, payload]`; null when they do not tell all that was missed, or come from larger
   * operations than `maxSize` together.
   */
  missed(
    since: number,
    { current, maxSize }: { readonly current: number; readonly maxSize: number },
  ): [string, JsonObject][] | null {
    if (since <= this.#externalAt) return null;
    const events = this.#events.after(since, current);
    const size = events?.reduce((sum, event) => sum + event.size, 0) ?? 0;
    if (size > Math.max(maxSize, FEW_EVENTS_SIZE)) return null;
    return events?.map(({ event, payload }) => [event, payload]) ?? null;
  }
}
