/** Simulated sockets: only the order of one socket's packets is guaranteed. */
import type {
  Audience,
  BroadcastOptions,
  Session,
  SnapshotMessage,
  SnapshotSemaphore,
} from '../../../../src/features/canvas/room/ports.ts';
import type { RoomApi } from '../../../../src/features/canvas/room/room-api.ts';
import type { CanvasTransport } from '../../../../src/features/canvas/client/canvas.ts';
import type { Chance, VirtualClock } from './virtual-clock.ts';

export interface Weather {
  delayMs: number;
  /** Probability that an operation arrives twice. */
  duplicate: number;
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** One direction of one connection. */
class Pipe {
  readonly #clock: VirtualClock;
  readonly #chance: Chance;
  readonly #weather: Weather;
  #last = 0;
  isOpen = true;

  constructor(clock: VirtualClock, chance: Chance, weather: Weather) {
    this.#clock = clock;
    this.#chance = chance;
    this.#weather = weather;
  }

  carry(deliver: () => void): void {
    const at = this.#clock.monotonic() + this.#chance.between(0, this.#weather.delayMs);
    this.#last = Math.max(this.#last + 0.001, at);
    this.#clock.setTimeout(() => {
      if (this.isOpen) deliver();
    }, this.#last - this.#clock.monotonic());
  }
}

/** Rooms behind a network: what would be the Socket.io server. */
export class FakeServer {
  rooms: RoomApi;
  constructor(rooms: RoomApi) {
    this.rooms = rooms;
  }

  receive(session: Session, event: string, payload: unknown, reply: (answer: unknown) => void): void {
    const answer = (value: unknown): void => reply(value);
    switch (event) {
      case 'workflow:join':
        void this.rooms.join(session, payload).then(answer);
        return;
      case 'workflow:flush':
        void this.rooms.flush(session, payload).then(answer);
        return;
      case 'workflow:leave':
        return answer(this.rooms.leave(session, payload));
      case 'workflow:resync':
        void this.rooms.resync(session, payload).then(answer);
        return;
      case 'node:lock':
      case 'node:lock-renew':
      case 'node:unlock':
        return answer(this.rooms.handleLockRequest(session, event, payload));
      case 'cursor:move':
      case 'selection:update':
      case 'presence:update':
      case 'node:drag':
        return this.rooms.updatePresence(session, event, payload);
      default:
        return answer(this.rooms.apply(session, event, payload));
    }
  }
}

/** Snapshots are sent when they are asked for. */
export const noTurns: SnapshotSemaphore = { acquire: async () => () => undefined };

/** The audience of a room: its sessions, each over its own connection. */
export class FakeAudience implements Audience {
  readonly sessions = new Set<Session>();
  readonly #tap: (event: string, payload: object) => void;

  /** @param tap hears every broadcast, once */
  constructor(tap: (event: string, payload: object) => void) {
    this.#tap = tap;
  }

  add(session: Session): void {
    this.sessions.add(session);
  }
  remove(session: Session): void {
    this.sessions.delete(session);
  }
  sendSnapshot(session: Session, { event, payload, schema }: SnapshotMessage): void {
    session.send(event, { ...payload, schema });
  }
  broadcast(event: string, payload: object, { except, ...options }: BroadcastOptions = {}): void {
    this.#tap(event, payload);
    for (const session of this.sessions) if (session !== except) session.send(event, payload, options);
  }
}

export interface Identity {
  readonly organizationId: string;
  readonly userId: string;
  readonly clientId?: string;
}

/** A socket that opens again by itself when it was cut. */
export class FakeSocket implements CanvasTransport {
  readonly #clock: VirtualClock;
  readonly #chance: Chance;
  readonly #weather: Weather;
  readonly #server: () => FakeServer;
  readonly #identity: Identity;
  readonly #listeners = new Map<string, Set<(payload: unknown) => void>>();
  #connection: { up: Pipe; down: Pipe; session: Session; server: FakeServer } | null = null;
  #isStopped = false;
  #sessions = 0;
  /** Everything that arrived, by the session that it came to. */
  readonly heard: { readonly sessionId: string; readonly event: string; readonly payload: unknown }[] = [];

  constructor(
    clock: VirtualClock,
    chance: Chance,
    weather: Weather,
    server: () => FakeServer,
    identity: Identity,
  ) {
    this.#clock = clock;
    this.#chance = chance;
    this.#weather = weather;
    this.#server = server;
    this.#identity = identity;
  }

  get isConnected(): boolean {
    return this.#connection !== null;
  }

  get session(): Session | null {
    return this.#connection?.session ?? null;
  }

  connect(): void {
    if (this.#connection !== null || this.#isStopped) return;
    const { organizationId, userId, clientId } = this.#identity;
    const pipe = (): Pipe => new Pipe(this.#clock, this.#chance, this.#weather);
    const [up, down] = [pipe(), pipe()];
    const sessionId = `${userId}/${clientId ?? 'bare'}/${(this.#sessions += 1)}`;
    const session: Session = {
      sessionId,
      organizationId,
      userId,
      name: userId,
      role: 'admin',
      ...(clientId === undefined ? {} : { clientId }),
      mayEdit: () => true,
      send: (event, payload) => {
        const sent = copy(payload);
        down.carry(() => {
          this.heard.push({ sessionId, event, payload: sent });
          this.#tell(event, sent);
        });
      },
      close: () => this.cut(),
    };
    this.#connection = { up, down, session, server: this.#server() };
    this.#tell('connect', {});
  }

  #tell(event: string, payload: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(payload);
  }

  on(event: string, listener: (payload: unknown) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  emit(event: string, payload: object, reply: (answer: unknown) => void = () => undefined): void {
    const connection = this.#connection;
    if (connection === null) return;
    const { up, down, session, server } = connection;
    const sent = copy(payload);
    const times = 'opId' in payload && this.#chance.happens(this.#weather.duplicate) ? 2 : 1;
    for (let time = 0; time < times; time += 1) {
      up.carry(() =>
        server.receive(session, event, copy(sent), (answer) => {
          const answered = copy(answer);
          down.carry(() => reply(answered));
        }),
      );
    }
  }

  /** The connection breaks: packets on their way are lost; both sides learn of it, each in its own time. */
  cut(isHalfOpen = false): void {
    const connection = this.#connection;
    if (connection === null) return;
    const { up, down, session, server } = connection;
    up.isOpen = false;
    down.isOpen = false;
    const notice = isHalfOpen ? 18_000 : this.#chance.between(0, 50);
    this.#clock.setTimeout(() => server.rooms.disconnect(session), notice);
    this.#clock.setTimeout(
      () => {
        if (this.#connection !== connection) return;
        this.#connection = null;
        this.#tell('disconnect', {});
        this.#clock.setTimeout(() => this.connect(), this.#chance.between(50, 2_000));
      },
      isHalfOpen ? this.#chance.between(100, 5_000) : 0,
    );
  }

  /** No more. */
  stop(): void {
    this.#isStopped = true;
    this.cut();
  }
}
