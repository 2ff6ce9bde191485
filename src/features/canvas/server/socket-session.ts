/** A room's session over a Socket.io socket: sends messages as frames or plain events, and watches the client's backlog. */
import type { Socket } from 'socket.io';
import { readLocalPart } from '../../../platform/access/email.ts';
import type { AccessWatch } from './access-watch.ts';
import {
  encodeEntry,
  type Entry,
  type FrameScheduler,
  type FrameReceiver,
  type FrameNode,
} from './frames.ts';
import type { AuthorizedClient } from './handshake.ts';
import type { ReleaseSnapshot, SendOptions, Session } from '../room/ports.ts';
import type { SharedSchema } from './shared-schema.ts';
import { countBufferedBytes, terminate, sendPacket } from './transport.ts';

/** Above this a client gets no volatile messages (cursors, drags). */
const SLOW_BYTES = 1_048_576;
/** A client that stays above this for SLOW_FOR_MS, or exceeds TOO_SLOW_BYTES once, is disconnected. */
export const VERY_SLOW_BYTES = 4 * 1_048_576;
export const TOO_SLOW_BYTES = 8 * 1_048_576;
export const SLOW_FOR_MS = 2_000;
/** A client that has not read a snapshot within this is disconnected: others of its organization wait for the bytes. */
export const SNAPSHOT_TIMEOUT_MS = 60_000;

/** A snapshot that the client has not read yet. */
class SnapshotInFlight {
  readonly taken: Promise<void>;
  end: () => void = () => undefined;
  #since: number | null = null;

  constructor() {
    this.taken = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  /** Milliseconds since the first check. */
  age(now: number): number {
    this.#since ??= now;
    return now - this.#since;
  }
}

export class SocketSession implements Session, FrameReceiver {
  readonly sessionId: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly name: string;
  readonly role: string;
  readonly clientId?: string;
  readonly client: AuthorizedClient;
  readonly isFramed: boolean;
  /** Number of rooms with this session in their audience. */
  roomCount = 0;
  readonly #socket: Socket;
  readonly #frames: FrameScheduler;
  readonly #access: AccessWatch;
  #frame: FrameNode | null = null;
  #isSlow = false;
  #unreadBytes = 0;
  #verySlowSince: number | null = null;
  readonly #gone = new AbortController();
  /** Resolves when the last acquired snapshot slot is released. */
  #lastSlot: Promise<void> = Promise.resolve();
  /** The snapshot in flight. */
  #snapshot: SnapshotInFlight | null = null;

  constructor(
    socket: Socket,
    visitor: AuthorizedClient,
    shared: { readonly frames: FrameScheduler; readonly access: AccessWatch },
  ) {
    const { caller, organizationId, role } = visitor.scope;
    this.sessionId = socket.id;
    this.organizationId = organizationId;
    this.userId = caller.userId;
    this.name = readLocalPart(caller.email) || caller.email;
    this.role = role;
    if (visitor.clientId !== undefined) this.clientId = visitor.clientId;
    this.client = visitor;
    this.isFramed = visitor.capabilities.has('frames');
    this.#socket = socket;
    this.#frames = shared.frames;
    this.#access = shared.access;
  }

  /** Whether the client gets no volatile messages now. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** Bytes that the client had not read at the last check. */
  get unreadBytes(): number {
    return this.#unreadBytes;
  }

  mayEdit(): boolean {
    return this.#access.mayEdit(this);
  }

  send(event: string, payload: object, { volatile = false }: SendOptions = {}): void {
    if (volatile && this.#isSlow) return;
    if (event === 'ack' && this.client.capabilities.has('ack-cb-only')) return;
    if (this.isFramed) this.push(encodeEntry(event, payload));
    else this.#socket.emit(event, payload);
  }

  /** Sends an event of the process that owns the room, as it came. */
  forward(event: string, payload: unknown): void {
    this.flushFrame();
    this.#socket.emit(event, payload);
  }

  /** Closes the engine connection: Socket.io clients then reconnect and join again. */
  reconnect(): void {
    this.flushFrame();
    this.#socket.conn.close();
  }

  /** Adds an entry to the current frame; only for clients with `frames`. */
  push(entry: Entry): void {
    this.#frame = (this.#frame ?? this.#frames.schedule(this)).append(entry);
  }

  flushFrame(): void {
    const frame = this.#frame;
    this.#frame = null;
    if (frame !== null && this.#socket.connected) sendPacket(this.#socket.conn, frame.packet);
  }

  /** Joins a Socket.io room; only for clients without `frames`. */
  join(room: string): void {
    void this.#socket.join(room);
  }

  leave(room: string): void {
    void this.#socket.leave(room);
  }

  /** Aborted when the connection has closed. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Called when the connection has closed: releases its snapshot. */
  end(): void {
    this.#gone.abort();
    this.#noteTaken(this.#snapshot);
  }

  /** Waits until the slot before is released. @returns the release of this slot */
  async acquireSnapshotSlot(): Promise<ReleaseSnapshot> {
    const before = this.#lastSlot;
    let end: ReleaseSnapshot = () => undefined;
    this.#lastSlot = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    return end;
  }

  /** Resolves when the client has read the snapshot in flight or the connection has closed. */
  whenSnapshotTaken(): Promise<void> {
    return this.#snapshot?.taken ?? Promise.resolve();
  }

  /** Sends an event with the whole definition, in order with the other messages. */
  sendSnapshot(message: { readonly event: string; readonly payload: object }, schema: SharedSchema): void {
    this.flushFrame();
    if (!this.#socket.connected) return;
    const whole = new SnapshotInFlight();
    this.#snapshot = whole;
    const packet = schema.packet(message, this.isFramed);
    sendPacket(this.#socket.conn, packet, () => this.#noteTaken(whole));
  }

  #noteTaken(whole: SnapshotInFlight | null): void {
    if (this.#snapshot === whole) this.#snapshot = null;
    whole?.end();
  }

  close(code: string): void {
    this.flushFrame();
    this.#socket.data.closedBecause = code;
    this.#socket.disconnect(true);
  }

  /**
   * Checks the client's backlog. @returns false when it was too large and the client was disconnected
   * @param now monotonic milliseconds
   */
  checkBackpressure(now: number): boolean {
    const bytes = countBufferedBytes(this.#socket.conn);
    this.#unreadBytes = bytes;
    this.#isSlow = bytes > SLOW_BYTES;
    if (bytes <= VERY_SLOW_BYTES) this.#verySlowSince = null;
    else this.#verySlowSince ??= now;
    const isStuck = this.#verySlowSince !== null && now - this.#verySlowSince >= SLOW_FOR_MS;
    // The engine drops send callbacks when a connection is upgraded to another transport.
    if (bytes === 0) this.#noteTaken(this.#snapshot);
    const isUntaken = this.#snapshot !== null && this.#snapshot.age(now) >= SNAPSHOT_TIMEOUT_MS;
    if (bytes <= TOO_SLOW_BYTES && !isStuck && !isUntaken) return true;
    terminate(this.#socket.conn);
    return false;
  }
}

/** Narrows a room's session to this server's class. @throws TypeError for any other */
export function toSocketSession(session: Session): SocketSession {
  if (!(session instanceof SocketSession)) throw new TypeError('not a session of this server');
  return session;
}
