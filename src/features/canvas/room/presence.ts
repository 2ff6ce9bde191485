/**
 * Presence in a room, in memory only: members, cursors, selections, and a grace period after a lost connection. Updates
 * are batched every 33 ms, the latest value of each member.
 */
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import type { Timer } from '../../../base/clock.ts';
import type { Audience, Clock, Session } from './ports.ts';

/** A member that reconnects within this has never left (SPEC CAN-R43). */
const GRACE_MS = 5_000;
/** Cursors that did not move for this long are left out of snapshots (SPEC CAN-R46). */
const CURSOR_FRESH_MS = 30_000;
const FLUSH_MS = 33;
/**
 * Presence messages that one room may send per millisecond; beyond it the batches come less often. Two hundred cursors at
 * 30 batches a second would be over a million messages a second.
 */
const DELIVERIES_PER_MS = 30;

const COLORS = [
  '#e5484d',
  '#f76b15',
  '#d6a400',
  '#46a758',
  '#12a594',
  '#0090ff',
  '#5b5bd6',
  '#8e4ec6',
  '#d6409f',
  '#978365',
] as const;

/** Picks a user's color, the same in every room. */
export function pickColor(userId: string): string {
  let sum = 0;
  for (let i = 0; i < userId.length; i += 1) sum = (Math.imul(sum, 31) + userId.charCodeAt(i)) >>> 0;
  return COLORS[sum % COLORS.length] ?? COLORS[0];
}

interface Member {
  readonly session: Session;
  /** The last `state`, `focus` and `viewport`. */
  activity: JsonObject;
  selection: JsonObject;
  cursor: { readonly at: number; readonly value: JsonObject } | null;
  /** Runs while the connection is lost. */
  grace: Timer | null;
}

interface PendingUpdate {
  readonly event: string;
  readonly payload: JsonObject;
  readonly from: Session;
  readonly isVolatile: boolean;
}

export class Presence {
  readonly #clock: Clock;
  readonly #audience: Audience;
  readonly #workflowId: string;
  readonly #onLeft: (session: Session) => void;
  readonly #members = new Map<Session, Member>();
  readonly #pending = new Map<string, PendingUpdate>();
  #timer: Timer | null = null;
  /** Monotonic time before which no batch is sent, by `DELIVERIES_PER_MS`. */
  #pausedUntil = 0;

  /** @param onLeft called after a member has left, also after the grace period */
  constructor(
    { clock, audience, workflowId }: { clock: Clock; audience: Audience; workflowId: string },
    onLeft: (session: Session) => void,
  ) {
    this.#clock = clock;
    this.#audience = audience;
    this.#workflowId = workflowId;
    this.#onLeft = onLeft;
  }

  get size(): number {
    return this.#members.size;
  }

  sessions(): Session[] {
    return [...this.#members.keys()];
  }

  /** Present and connected. */
  has(session: Session): boolean {
    return this.#members.get(session)?.grace === null;
  }

  countIdle(): number {
    return [...this.#members.values()].filter((member) => member.activity['state'] === 'idle').length;
  }

  /** Finds the older session of the same tab, which `session` replaces. */
  findPredecessor(session: Session): Session | null {
    if (session.clientId === undefined) return null;
    for (const other of this.#members.keys()) {
      if (other !== session && other.clientId === session.clientId && other.userId === session.userId)
        return other;
    }
    return null;
  }

  #identity({ sessionId, userId, name }: Session): JsonObject {
    return { sessionId, userId, name, color: pickColor(userId) };
  }

  #view(member: Member): JsonObject {
    const { cursor } = member;
    const isFresh = cursor !== null && this.#clock.monotonic() - cursor.at <= CURSOR_FRESH_MS;
    return {
      ...this.#identity(member.session),
      ...member.activity,
      ...member.selection,
      ...(isFresh ? { cursor: cursor.value } : {}),
    };
  }

  list(): JsonObject[] {
    return [...this.#members.values()].map((member) => this.#view(member));
  }

  /** Adds a session and broadcasts `presence:joined`. */
  join(session: Session): void {
    const lost = this.#members.get(session)?.grace ?? null;
    if (lost !== null) this.#clock.clearTimeout(lost);
    const member: Member = {
      session,
      activity: { state: 'active' },
      selection: {},
      cursor: null,
      grace: null,
    };
    this.#members.set(session, member);
    this.#audience.add(session);
    this.#broadcast('presence:joined', this.#view(member), session);
  }

  /** Removes a session and broadcasts `presence:left`. */
  leave(session: Session): void {
    const member = this.#members.get(session);
    if (member === undefined) return;
    if (member.grace !== null) this.#clock.clearTimeout(member.grace);
    this.#members.delete(session);
    this.#audience.remove(session);
    this.#forgetPending(session);
    this.#onLeft(session);
    this.#broadcast('presence:left', this.#identity(session));
  }

  /** The connection was lost: hides the cursor immediately and removes the session after the grace period. */
  disconnect(session: Session): void {
    const member = this.#members.get(session);
    if (member === undefined || member.grace !== null) return;
    this.#audience.remove(session);
    this.#forgetPending(session);
    if (member.cursor !== null) {
      member.cursor = null;
      this.#broadcast('cursor:moved', { ...this.#identity(session), hidden: true });
    }
    member.grace = this.#clock.setTimeout(() => this.leave(session), GRACE_MS);
  }

  /** Updates a member by a validated `cursor:move`, `node:drag`, `selection:update` or `presence:update`. */
  update(session: Session, event: string, value: JsonObject): void {
    const member = this.#members.get(session);
    if (member === undefined || member.grace !== null) return;
    switch (event) {
      case 'cursor:move':
        member.cursor = value['hidden'] === true ? null : { at: this.#clock.monotonic(), value };
        return this.#queue(session, 'cursor:moved', value);
      case 'selection:update':
        member.selection = { selection: value };
        return this.#queue(session, 'selection:updated', value);
      case 'presence:update':
        member.activity = { ...member.activity, ...value };
        return this.#queue(session, 'presence:updated', member.activity);
      default:
        return this.#queue(session, 'node:dragging', value);
    }
  }

  #queue(from: Session, event: string, value: Record<string, Json>): void {
    const isVolatile = event !== 'presence:updated';
    const payload = { workflowId: this.#workflowId, ...value, ...this.#identity(from) };
    const key = `${event} ${from.sessionId}`;
    // Re-inserted at the end, so that a member's update never overtakes an older one of the same member.
    this.#pending.delete(key);
    this.#pending.set(key, { event, payload, from, isVolatile });
    if (this.#timer !== null) return;
    const wait = Math.max(FLUSH_MS, this.#pausedUntil - this.#clock.monotonic());
    this.#timer = this.#clock.setTimeout(() => this.#flush(), wait);
  }

  #flush(): void {
    this.#timer = null;
    const beats = [...this.#pending.values()];
    this.#pending.clear();
    for (const { event, payload, from, isVolatile } of beats) {
      this.#audience.broadcast(event, payload, { except: from, volatile: isVolatile });
    }
    this.#pausedUntil = this.#clock.monotonic() + (beats.length * this.#members.size) / DELIVERIES_PER_MS;
  }

  #forgetPending(session: Session): void {
    for (const [key, beat] of this.#pending) if (beat.from === session) this.#pending.delete(key);
  }

  #broadcast(event: string, payload: JsonObject, except?: Session): void {
    const whole = { workflowId: this.#workflowId, ...payload };
    this.#audience.broadcast(event, whole, except === undefined ? {} : { except });
  }

  /** Removes all members without a broadcast. */
  dispose(): void {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer);
    this.#timer = null;
    this.#pending.clear();
    for (const { session, grace } of this.#members.values()) {
      if (grace !== null) this.#clock.clearTimeout(grace);
      this.#audience.remove(session);
    }
    this.#members.clear();
  }
}
