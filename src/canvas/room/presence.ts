/**
 * Who is in a room: presence, cursors, selections, and the grace of those whose connection was lost. In memory only.
 * What moves often is gathered and sent on a beat, the latest value of each person only.
 */
import type { Json, JsonObject } from '../../graph/value.ts';
import type { Timer } from '../../clock.ts';
import type { Audience, Clock, Session } from './ports.ts';

/** A lost connection that comes back within this was never gone (SPEC CAN-R43). */
const GRACE_MS = 5_000;
/** Cursors that rested longer are left out of snapshots (SPEC CAN-R46). */
const CURSOR_FRESH_MS = 30_000;
const BEAT_MS = 33;
/**
 * Deliveries of what moves, for each millisecond of a room: where more is due, the beat slows down. At the full pace two
 * hundred cursors on one canvas would be a million deliveries a second; thirty are shown at it.
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

/** One person, one color, in every room. */
export function colorOf(userId: string): string {
  let sum = 0;
  for (let i = 0; i < userId.length; i += 1) sum = (Math.imul(sum, 31) + userId.charCodeAt(i)) >>> 0;
  return COLORS[sum % COLORS.length] ?? COLORS[0];
}

interface Member {
  readonly session: Session;
  /** `state`, `focus`, `viewport` as they were told last. */
  told: JsonObject;
  selection: JsonObject;
  cursor: { readonly at: number; readonly value: JsonObject } | null;
  /** Runs while the connection is lost. */
  grace: Timer | null;
}

interface Beat {
  readonly event: string;
  readonly payload: JsonObject;
  readonly from: Session;
  readonly isVolatile: boolean;
}

export class Presence {
  readonly #clock: Clock;
  readonly #audience: Audience;
  readonly #workflowId: string;
  readonly #onGone: (session: Session) => void;
  readonly #members = new Map<Session, Member>();
  readonly #beats = new Map<string, Beat>();
  #timer: Timer | null = null;
  /** Until then the room pays for its last beat. */
  #restUntil = 0;

  /** @param onGone told after a member left for good */
  constructor(
    { clock, audience, workflowId }: { clock: Clock; audience: Audience; workflowId: string },
    onGone: (session: Session) => void,
  ) {
    this.#clock = clock;
    this.#audience = audience;
    this.#workflowId = workflowId;
    this.#onGone = onGone;
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

  idle(): number {
    return [...this.#members.values()].filter((member) => member.told['state'] === 'idle').length;
  }

  /** The session of the same tab; its successor takes its place. */
  predecessor(session: Session): Session | null {
    if (session.clientId === undefined) return null;
    for (const other of this.#members.keys()) {
      if (other !== session && other.clientId === session.clientId && other.userId === session.userId)
        return other;
    }
    return null;
  }

  #identity({ sessionId, userId, name }: Session): JsonObject {
    return { sessionId, userId, name, color: colorOf(userId) };
  }

  #view(member: Member): JsonObject {
    const { cursor } = member;
    const isFresh = cursor !== null && this.#clock.monotonic() - cursor.at <= CURSOR_FRESH_MS;
    return {
      ...this.#identity(member.session),
      ...member.told,
      ...member.selection,
      ...(isFresh ? { cursor: cursor.value } : {}),
    };
  }

  list(): JsonObject[] {
    return [...this.#members.values()].map((member) => this.#view(member));
  }

  /** Adds a session and tells the others. */
  enter(session: Session): void {
    const lost = this.#members.get(session)?.grace ?? null;
    if (lost !== null) this.#clock.clearTimeout(lost);
    const member: Member = { session, told: { state: 'active' }, selection: {}, cursor: null, grace: null };
    this.#members.set(session, member);
    this.#audience.add(session);
    this.#tell('presence:joined', this.#view(member), session);
  }

  /** Gone now: told to the others, and to whoever keeps things for the session. */
  leave(session: Session): void {
    const member = this.#members.get(session);
    if (member === undefined) return;
    if (member.grace !== null) this.#clock.clearTimeout(member.grace);
    this.#members.delete(session);
    this.#audience.remove(session);
    this.#forgetBeats(session);
    this.#onGone(session);
    this.#tell('presence:left', this.#identity(session));
  }

  /** The connection is lost: the cursor goes at once, the rest after a grace. */
  lose(session: Session): void {
    const member = this.#members.get(session);
    if (member === undefined || member.grace !== null) return;
    this.#audience.remove(session);
    this.#forgetBeats(session);
    if (member.cursor !== null) {
      member.cursor = null;
      this.#tell('cursor:moved', { ...this.#identity(session), hidden: true });
    }
    member.grace = this.#clock.setTimeout(() => this.leave(session), GRACE_MS);
  }

  /** `cursor:move`, `node:drag`, `selection:update`, `presence:update`, checked. */
  update(session: Session, event: string, value: JsonObject): void {
    const member = this.#members.get(session);
    if (member === undefined || member.grace !== null) return;
    switch (event) {
      case 'cursor:move':
        member.cursor = value['hidden'] === true ? null : { at: this.#clock.monotonic(), value };
        return this.#gather(session, 'cursor:moved', value);
      case 'selection:update':
        member.selection = { selection: value };
        return this.#gather(session, 'selection:updated', value);
      case 'presence:update':
        member.told = { ...member.told, ...value };
        return this.#gather(session, 'presence:updated', member.told);
      default:
        return this.#gather(session, 'node:dragging', value);
    }
  }

  #gather(from: Session, event: string, value: Record<string, Json>): void {
    const isVolatile = event !== 'presence:updated';
    const payload = { workflowId: this.#workflowId, ...value, ...this.#identity(from) };
    const key = `${event} ${from.sessionId}`;
    // The latest value goes last: nobody's updates overtake their own older ones.
    this.#beats.delete(key);
    this.#beats.set(key, { event, payload, from, isVolatile });
    if (this.#timer !== null) return;
    const wait = Math.max(BEAT_MS, this.#restUntil - this.#clock.monotonic());
    this.#timer = this.#clock.setTimeout(() => this.#beat(), wait);
  }

  #beat(): void {
    this.#timer = null;
    const beats = [...this.#beats.values()];
    this.#beats.clear();
    for (const { event, payload, from, isVolatile } of beats) {
      this.#audience.toRoom(event, payload, { except: from, volatile: isVolatile });
    }
    this.#restUntil = this.#clock.monotonic() + (beats.length * this.#members.size) / DELIVERIES_PER_MS;
  }

  #forgetBeats(session: Session): void {
    for (const [key, beat] of this.#beats) if (beat.from === session) this.#beats.delete(key);
  }

  #tell(event: string, payload: JsonObject, except?: Session): void {
    const whole = { workflowId: this.#workflowId, ...payload };
    this.#audience.toRoom(event, whole, except === undefined ? {} : { except });
  }

  /** Everybody out, without telling anybody. */
  dispose(): void {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer);
    this.#timer = null;
    this.#beats.clear();
    for (const { session, grace } of this.#members.values()) {
      if (grace !== null) this.#clock.clearTimeout(grace);
      this.#audience.remove(session);
    }
    this.#members.clear();
  }
}
