/** How much one client, one user, one organization and one address may take of the canvas server. */
import { BoundedMap } from '../../graph/bounded-map.ts';

/** A frame on the wire; the engine closes the transport of who sends a larger one. */
export const MAX_FRAME_BYTES = 1_048_576;
export const MAX_CONNECTIONS_PER_USER = 20;
export const MAX_CONNECTIONS_PER_ORGANIZATION = 500;
/** A socket that joins nothing is closed. */
export const UNJOINED_MS = 60_000;
/** However it was authorised, a connection must be made anew after this. */
export const MAX_SESSION_AGE_MS = 12 * 3_600_000;
/** Who was closed for flooding may come back after this. */
export const FLOOD_PENALTY_MS = 10_000;
/** A transport that does not say who it is within this is closed. */
export const HANDSHAKE_WITHIN_MS = 10_000;

/** Refused handshakes of one address within the window. Those that succeed are bounded by their users' connections. */
const MAX_REFUSED = 20;
const REFUSED_WINDOW_MS = 10_000;
/** Addresses and users remembered. */
const MAX_REMEMBERED = 10_000;

/** Counts connections by user and by organization. */
export class Connections {
  readonly #counts = new Map<string, number>();

  /**
   * Takes a place for one connection.
   * @returns gives it back, once however often it is called; null when there is none left
   */
  take(organizationId: string, userId: string): (() => void) | null {
    const keys = [`o:${organizationId}`, `u:${userId}`] as const;
    const isFull =
      this.#of(keys[0]) >= MAX_CONNECTIONS_PER_ORGANIZATION || this.#of(keys[1]) >= MAX_CONNECTIONS_PER_USER;
    if (isFull) return null;
    for (const key of keys) this.#counts.set(key, this.#of(key) + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      for (const key of keys) this.#giveBack(key);
    };
  }

  #of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  #giveBack(key: string): void {
    const left = this.#of(key) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }
}

/**
 * Who has to wait before the next handshake: addresses whose handshakes were refused again and again, and users that
 * were closed for flooding. An office behind one address may come back all at once after a restart: success is free.
 */
export class Penalties {
  readonly #refused = new BoundedMap<string, number[]>(MAX_REMEMBERED);
  readonly #flooded = new BoundedMap<string, number>(MAX_REMEMBERED);
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  noteRefused(address: string): void {
    this.#refused.set(address, [...this.#recent(address), this.#now()]);
  }

  noteFlood(userId: string, address: string): void {
    this.#flooded.set(`${userId} ${address}`, this.#now());
  }

  /** How long an address must wait before anything of its handshake is looked at; 0 for not at all. */
  waitOfAddress(address: string): number {
    const recent = this.#recent(address);
    const [oldest] = recent;
    if (oldest === undefined || recent.length < MAX_REFUSED) return 0;
    return Math.ceil(oldest + REFUSED_WINDOW_MS - this.#now());
  }

  waitOfUser(userId: string, address: string): number {
    const at = this.#flooded.get(`${userId} ${address}`);
    return at === undefined ? 0 : Math.max(0, Math.ceil(at + FLOOD_PENALTY_MS - this.#now()));
  }

  #recent(address: string): number[] {
    const since = this.#now() - REFUSED_WINDOW_MS;
    return (this.#refused.get(address) ?? []).filter((at) => at > since).slice(-MAX_REFUSED);
  }
}
