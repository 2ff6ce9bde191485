/** The recent operations of a room: their answers, their broadcasts, and the last writer of each place. */
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import { LastWriters } from './last-writers.ts';
import { RecentEvents } from './recent-events.ts';
import { RecentOps, type OpResult } from './recent-ops.ts';
import type { Skipped, Touched } from './reduction.ts';

/** Missed events up to this size are sent even when the document is smaller. */
const FEW_EVENTS_SIZE = 65_536;

interface AcceptedOp {
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

interface DuplicateAnswer {
  readonly isSame: boolean;
  /** Fields of the acknowledgement, without the opId. */
  readonly ack: JsonObject;
}

/** The `skipped` field of an acknowledgement; no field when nothing was skipped. */
export const describeSkipped = (skipped: readonly Skipped[]): JsonObject =>
  skipped.length === 0 ? {} : { skipped: skipped.map((part): Json => ({ ...part })) };

export class RoomHistory {
  readonly #ops = new RecentOps();
  readonly #events: RecentEvents;
  readonly #writers = new LastWriters();
  /** The room's version when the last external save was adopted: events before it cannot be resumed. */
  #externalAt = -1;

  constructor(pinnedMaxLag: number | null) {
    this.#events = new RecentEvents(pinnedMaxLag);
  }

  /** Records only the answer: of a no-op, or of an operation that an earlier epoch accepted. */
  recordAnswer(opId: string, result: OpResult): void {
    this.#ops.remember(opId, result);
  }

  recordAccepted(op: AcceptedOp): void {
    const { opId, contentHash, version, userId, sessionId, touched, skipped, event, payload, size, at } = op;
    this.#writers.record(touched, { version, userId, sessionId });
    this.#ops.remember(opId, { contentHash, version, isNoop: false, skipped });
    this.#events.push({ version, event, payload, size, at });
  }

  recordExternalSave(version: number): void {
    this.#externalAt = version;
  }

  hasAnswered(opId: string): boolean {
    return this.#ops.find(opId) !== null;
  }

  /** Returns the earlier answer of a duplicate operation; null for a new one. */
  findDuplicate(opId: string, contentHash: string): DuplicateAnswer | null {
    const known = this.#ops.find(opId);
    if (known === null) return null;
    if ('old' in known) return { isSame: true, ack: { version: known.old, duplicate: true } };
    const { version, isNoop, skipped, savedIn } = known;
    const ack = {
      version,
      duplicate: true,
      ...(isNoop ? { noop: true } : {}),
      ...describeSkipped(skipped),
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

  /** Whether `seen` is in the future or too far behind (SPEC CAN-R10, CAN-R11); undefined never is. */
  isStale(seen: number | undefined, current: number, now: number): boolean {
    return seen !== undefined && (seen > current || current - seen > this.maxLag(now));
  }

  /** The `contended` field of an acknowledgement: places that another session wrote after `seen`. */
  describeContended(touched: readonly Touched[], seen: number | undefined, sessionId: string): JsonObject {
    const found = seen === undefined ? [] : this.#writers.findContended(touched, seen, sessionId);
    return found.length === 0 ? {} : { contended: found.map((one): Json => ({ ...one })) };
  }

  /**
   * Lists the broadcasts after a version as `[name, payload]`; null when some are gone or their operations exceed `maxSize`
   * together.
   */
  listMissed(
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
