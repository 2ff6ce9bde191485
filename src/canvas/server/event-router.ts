/**
 * From an event on the wire to a door of the rooms: which door, at which rate, and how the answer goes back. Nothing
 * is awaited between an operation's arrival and its place in the room's order.
 */
import type { Logger } from '../../log.ts';
import { noteOperation } from '../../observe/realtime-metrics.ts';
import { EphemeralGate } from './ephemeral-gate.ts';
import { OrderFence } from './order-fence.ts';
import { BROADCASTS } from '../room/operations.ts';
import { EPHEMERAL_FIELDS, LOCK_FIELDS } from '../room/read-presence.ts';
import type { RoomApi } from '../room/room-api.ts';
import type { Reply } from '../room/ports.ts';
import { refused, type Refusal, type RefusalCode, type Refused } from '../room/rejection.ts';
import { shortText } from '../room/envelope.ts';
import { TokenBucket } from '../room/token-bucket.ts';
import type { SocketSession } from './socket-session.ts';

/** Durable operations of one socket; `workflow:joined` tells them to clients. */
export const DURABLE_LIMITS = { opsPerSec: 40, opBurst: 120 } as const;
/** Joins, locks and the like. */
export const REQUEST_LIMITS = { perSecond: 20, burst: 60 } as const;

const DURABLE: ReadonlySet<string> = new Set(Object.keys(BROADCASTS));
const EPHEMERAL: ReadonlySet<string> = new Set(Object.keys(EPHEMERAL_FIELDS));
const LOCKING: ReadonlySet<string> = new Set(Object.keys(LOCK_FIELDS));

const monotonic = (): number => performance.now();

type Callback = (reply: Reply) => void;

export interface EventRouterDeps {
  readonly rooms: RoomApi;
  readonly log: Logger;
  readonly session: SocketSession;
  /** `auth:refresh`. */
  refresh(payload: unknown): Promise<Reply>;
  /** A request was refused for what it is. */
  onRejected(): void;
}

const isCallback = (value: unknown): value is Callback => typeof value === 'function';

export class EventRouter {
  readonly #deps: EventRouterDeps;
  readonly #operations = new TokenBucket(DURABLE_LIMITS.opsPerSec, DURABLE_LIMITS.opBurst, monotonic);
  readonly #requests = new TokenBucket(REQUEST_LIMITS.perSecond, REQUEST_LIMITS.burst, monotonic);
  readonly #ephemera: EphemeralGate;
  readonly #order = new OrderFence(monotonic);

  constructor(deps: EventRouterDeps) {
    this.#deps = deps;
    this.#ephemera = new EphemeralGate((event, payload) =>
      deps.rooms.ephemeral(deps.session, event, payload),
    );
  }

  /** Takes one event as it arrived: `args` are the payload and the callback, either of which may be missing. */
  take(event: string, args: readonly unknown[]): void {
    const last = args.at(-1);
    const answer = isCallback(last) ? last : () => undefined;
    const [first] = args;
    const payload = isCallback(first) ? undefined : first;
    try {
      this.#route(event, payload, answer);
    } catch (error) {
      this.#failed(event, payload, answer, error);
    }
  }

  dispose(): void {
    this.#ephemera.dispose();
  }

  #route(event: string, payload: unknown, answer: Callback): void {
    if (EPHEMERAL.has(event)) {
      this.#ephemera.pass(event, payload);
      return;
    }
    if (DURABLE.has(event)) return this.#operation(event, payload, answer);
    if (!this.#requests.take()) {
      this.#reject(event, payload, answer, 'RATE_LIMITED', this.#requests.waitMs());
      return;
    }
    this.#request(event, payload, answer);
  }

  #operation(event: string, payload: unknown, answer: Callback): void {
    const { rooms, session } = this.#deps;
    // Refused, it would hold up what follows: its client has the answer, and may not send it again.
    const wait = rooms.isRepetition(session, payload) ? null : this.#waitFor(payload);
    if (wait !== null) {
      this.#order.refused(payload);
      return this.#tell(event, payload, answer, refused(wait));
    }
    const reply = rooms.apply(session, event, payload);
    if (!reply.ok && reply.code === 'RATE_LIMITED') this.#order.pause();
    if (!reply.ok && reply.retryable) this.#order.refused(payload);
    else this.#order.answered(payload);
    noteOperation(reply.ok ? 'accepted' : reply.code);
    this.#answer(answer, reply);
  }

  /** Takes a place for one operation. @returns why there is none */
  #waitFor(payload: unknown): Refusal | null {
    return this.#order.bars(payload) ?? (this.#operations.take() ? null : this.#order.pause());
  }

  #request(event: string, payload: unknown, answer: Callback): void {
    const { rooms, session } = this.#deps;
    if (LOCKING.has(event)) return this.#answer(answer, rooms.lock(session, event, payload));
    switch (event) {
      case 'workflow:join':
        return this.#later(event, payload, answer, rooms.join(session, payload));
      case 'workflow:leave':
        this.#order.left(payload);
        return this.#answer(answer, rooms.leave(session, payload));
      case 'workflow:resync':
        return this.#answer(answer, rooms.resync(session, payload));
      case 'workflow:flush':
        return this.#later(event, payload, answer, rooms.flush(session, payload));
      case 'auth:refresh':
        return this.#later(event, payload, answer, this.#deps.refresh(payload));
      default:
        return this.#reject(event, payload, answer, 'UNKNOWN_EVENT');
    }
  }

  #later(event: string, payload: unknown, answer: Callback, reply: Promise<Reply>): void {
    reply.then(
      (made) => this.#answer(answer, made),
      (error: unknown) => this.#failed(event, payload, answer, error),
    );
  }

  #answer(answer: Callback, reply: Reply): void {
    if (!reply.ok && !reply.retryable) this.#deps.onRejected();
    answer(reply);
  }

  /** Refused before any room has seen it: told by callback and, as a room would, by event. */
  #reject(event: string, payload: unknown, answer: Callback, code: RefusalCode, retryAfterMs?: number): void {
    this.#tell(
      event,
      payload,
      answer,
      refused(retryAfterMs === undefined ? { code } : { code, details: { retryAfterMs } }),
    );
  }

  #tell(event: string, payload: unknown, answer: Callback, reply: Refused): void {
    const { ok: _, ...why } = reply;
    const names = { workflowId: shortText(payload, 'workflowId'), opId: shortText(payload, 'opId') };
    this.#deps.session.send('operation:rejected', { ...names, event: event.slice(0, 64), ...why });
    this.#answer(answer, reply);
  }

  /** A fault of ours: the client is told that it may try again, the log what it was. */
  #failed(event: string, payload: unknown, answer: Callback, error: unknown): void {
    this.#deps.log.error({ err: error, event }, 'an event could not be handled');
    if (DURABLE.has(event)) this.#order.refused(payload);
    this.#tell(event, payload, answer, refused({ code: 'SERVER_ERROR' }));
  }
}
