/** A client as rooms see it, over a Socket.io socket: what it is sent, and in which form. */
import type { Socket } from 'socket.io';
import type { AccessWatch } from './access-watch.ts';
import { entryOf, type Entry, type FrameClock, type Framed, type FrameSoFar } from './frames.ts';
import type { Visitor } from './handshake.ts';
import type { EndTurn, SendOptions, Session } from '../room/ports.ts';
import type { SharedSchema } from './shared-schema.ts';
import { bufferedBytes, cut, sendPacket } from './transport.ts';

/** From here on a client misses cursors, drags and the like. */
const SLOW_BYTES = 1_048_576;
/** A client that stays above this for SLOW_FOR_MS, or is ever above TOO_SLOW_BYTES, is cut off. */
export const VERY_SLOW_BYTES = 4 * 1_048_576;
export const TOO_SLOW_BYTES = 8 * 1_048_576;
export const SLOW_FOR_MS = 2_000;
/** A client that has not taken a snapshot within this is cut off: others of its organization wait for the bytes. */
export const TAKEN_WITHIN_MS = 60_000;

/** A whole definition that a client has not taken yet. */
class WholeUnderWay {
  readonly taken: Promise<void>;
  end: () => void = () => undefined;
  #since: number | null = null;

  constructor() {
    this.taken = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  /** Milliseconds since it was looked at first. */
  age(now: number): number {
    this.#since ??= now;
    return now - this.#since;
  }
}

export class SocketSession implements Session, Framed {
  readonly sessionId: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly name: string;
  readonly role: string;
  readonly clientId?: string;
  readonly visitor: Visitor;
  readonly isFramed: boolean;
  /** Rooms that count this session among their audience. */
  roomCount = 0;
  readonly #socket: Socket;
  readonly #frames: FrameClock;
  readonly #access: AccessWatch;
  #frame: FrameSoFar | null = null;
  #isSlow = false;
  #unreadBytes = 0;
  #verySlowSince: number | null = null;
  readonly #gone = new AbortController();
  /** Ends with the turn that was given last. */
  #lastTurn: Promise<void> = Promise.resolve();
  /** A snapshot that is under way. */
  #whole: WholeUnderWay | null = null;

  constructor(
    socket: Socket,
    visitor: Visitor,
    shared: { readonly frames: FrameClock; readonly access: AccessWatch },
  ) {
    const { caller, organizationId, role } = visitor.scope;
    this.sessionId = socket.id;
    this.organizationId = organizationId;
    this.userId = caller.userId;
    this.name = caller.email.slice(0, caller.email.lastIndexOf('@')) || caller.email;
    this.role = role;
    if (visitor.clientId !== undefined) this.clientId = visitor.clientId;
    this.visitor = visitor;
    this.isFramed = visitor.capabilities.has('frames');
    this.#socket = socket;
    this.#frames = shared.frames;
    this.#access = shared.access;
  }

  /** Misses what is volatile. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** What the client had not taken when it was looked at last. */
  get unreadBytes(): number {
    return this.#unreadBytes;
  }

  mayEdit(): boolean {
    return this.#access.mayEdit(this);
  }

  send(event: string, payload: object, { volatile = false }: SendOptions = {}): void {
    if (volatile && this.#isSlow) return;
    if (event === 'ack' && this.visitor.capabilities.has('ack-cb-only')) return;
    if (this.isFramed) this.push(entryOf(event, payload));
    else this.#socket.emit(event, payload);
  }

  /** Adds to the current frame; for clients that read frames alone. */
  push(entry: Entry): void {
    this.#frame = (this.#frame ?? this.#frames.enroll(this)).with(entry);
  }

  flushFrame(): void {
    const frame = this.#frame;
    this.#frame = null;
    if (frame !== null && this.#socket.connected) sendPacket(this.#socket.conn, frame.packet);
  }

  /** Puts this session among the receivers of `room`; framed ones are not served by Socket.io's rooms. */
  join(room: string): void {
    void this.#socket.join(room);
  }

  leave(room: string): void {
    void this.#socket.leave(room);
  }

  /** Aborted when the connection has ended. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** The connection has ended: nothing that was sent is waited for any more. */
  end(): void {
    this.#gone.abort();
    this.#noteTaken(this.#whole);
  }

  /** Waits until what was sent in the turn before was taken. @returns ends the turn */
  async awaitTurn(): Promise<EndTurn> {
    const before = this.#lastTurn;
    let end: EndTurn = () => undefined;
    this.#lastTurn = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    return end;
  }

  /** Resolves when the snapshot that is under way was taken, or the connection has ended. */
  whenTaken(): Promise<void> {
    return this.#whole?.taken ?? Promise.resolve();
  }

  /** Sends an event with a whole definition, at its place among the others. */
  sendWhole(message: { readonly event: string; readonly payload: object }, schema: SharedSchema): void {
    this.flushFrame();
    if (!this.#socket.connected) return;
    const whole = new WholeUnderWay();
    this.#whole = whole;
    const packet = schema.packet(message, this.isFramed);
    sendPacket(this.#socket.conn, packet, () => this.#noteTaken(whole));
  }

  #noteTaken(whole: WholeUnderWay | null): void {
    if (this.#whole === whole) this.#whole = null;
    whole?.end();
  }

  close(code: string): void {
    this.flushFrame();
    this.#socket.data.closedBecause = code;
    this.#socket.disconnect(true);
  }

  /**
   * Looks how much the client has not taken. @returns false when it was too much and the connection is cut
   * @param now monotonic milliseconds
   */
  checkPace(now: number): boolean {
    const bytes = bufferedBytes(this.#socket.conn);
    this.#unreadBytes = bytes;
    this.#isSlow = bytes > SLOW_BYTES;
    if (bytes <= VERY_SLOW_BYTES) this.#verySlowSince = null;
    else this.#verySlowSince ??= now;
    const isStuck = this.#verySlowSince !== null && now - this.#verySlowSince >= SLOW_FOR_MS;
    // The engine forgets callbacks when a connection moves to another transport.
    if (bytes === 0) this.#noteTaken(this.#whole);
    const isUntaken = this.#whole !== null && this.#whole.age(now) >= TAKEN_WITHIN_MS;
    if (bytes <= TOO_SLOW_BYTES && !isStuck && !isUntaken) return true;
    cut(this.#socket.conn);
    return false;
  }
}

/** The session of a socket behind what a room knows of it. */
export function socketSessionOf(session: Session): SocketSession {
  if (!(session instanceof SocketSession)) throw new TypeError('not a session of this server');
  return session;
}
