/** Limits of connections: by user, organization and address. */
import { systemClock } from '../../../base/clock.ts';
import { BoundedMap } from '../../../language/graph/values/bounded-map.ts';

/** Largest websocket message; the engine closes the transport of a client that sends a larger one. */
export const MAX_FRAME_BYTES = 1_048_576;
export const MAX_CONNECTIONS_PER_USER = 20;
export const MAX_CONNECTIONS_PER_ORGANIZATION = 500;
/** A socket that joins nothing is closed. */
export const UNJOINED_MS = 60_000;
/** Maximum age of a connection, after which the client must reconnect. */
export const MAX_SESSION_AGE_MS = 12 * 3_600_000;
/** How long a user that was closed for flooding is rejected. */
export const FLOOD_PENALTY_MS = 10_000;
/** A transport without a completed handshake is closed after this. */
export const HANDSHAKE_TIMEOUT_MS = 10_000;

/** Rejected handshakes of one address within the window. Accepted ones are bounded by the connections per user. */
const MAX_REFUSED = 20;
const REFUSED_WINDOW_MS = 10_000;
/** Addresses and users remembered. */
const MAX_REMEMBERED = 10_000;

/** Counts connections by user and by organization. */
export class ConnectionQuota {
  readonly #counts = new Map<string, number>();

  /**
   * Counts one connection.
   * @returns its release, which is idempotent; null when a limit is reached
   */
  acquire(organizationId: string, userId: string): (() => void) | null {
    const keys = [`o:${organizationId}`, `u:${userId}`] as const;
    const isFull =
      this.#count(keys[0]) >= MAX_CONNECTIONS_PER_ORGANIZATION ||
      this.#count(keys[1]) >= MAX_CONNECTIONS_PER_USER;
    if (isFull) return null;
    for (const key of keys) this.#counts.set(key, this.#count(key) + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      for (const key of keys) this.#release(key);
    };
  }

  #count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  #release(key: string): void {
    const left = this.#count(key) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }
}

/**
 * Delays the next handshake of addresses with many rejected ones and of users that were closed for flooding. Accepted
 * handshakes do not count: an office behind one address may reconnect at the same time.
 */
export class HandshakePenalties {
  readonly #refused = new BoundedMap<string, number[]>(MAX_REMEMBERED);
  readonly #flooded = new BoundedMap<string, number>(MAX_REMEMBERED);
  readonly #now: () => number;

  constructor(now: () => number = systemClock.monotonic) {
    this.#now = now;
  }

  noteRefused(address: string): void {
    this.#refused.set(address, [...this.#recent(address), this.#now()]);
  }

  noteFlood(userId: string, address: string): void {
    this.#flooded.set(`${userId} ${address}`, this.#now());
  }

  /** Milliseconds until the next handshake of an address is read; 0 when it need not wait. */
  waitForAddress(address: string): number {
    const recent = this.#recent(address);
    const [oldest] = recent;
    if (oldest === undefined || recent.length < MAX_REFUSED) return 0;
    return Math.ceil(oldest + REFUSED_WINDOW_MS - this.#now());
  }

  waitForUser(userId: string, address: string): number {
    const at = this.#flooded.get(`${userId} ${address}`);
    return at === undefined ? 0 : Math.max(0, Math.ceil(at + FLOOD_PENALTY_MS - this.#now()));
  }

  #recent(address: string): number[] {
    const since = this.#now() - REFUSED_WINDOW_MS;
    return (this.#refused.get(address) ?? []).filter((at) => at > since).slice(-MAX_REFUSED);
  }
}
