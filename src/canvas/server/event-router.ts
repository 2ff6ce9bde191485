/**
 * From an event on the wire to a door of the rooms: which door, at which rate, and how the answer goes back. Nothing
 * is awaited between an operation's arrival and its place in the room's order.
 */
import { cutText } from '../../graph/cut-text.ts';
import type { Logger } from '../../log.ts';
import { noteOperation } from '../../observe/realtime-metrics.ts';
import { EphemeralGate } from './ephemeral-gate.ts';
import { observedReply } from './observed.ts';
import { OrderFence } from './order-fence.ts';
import { BROADCASTS } from '../room/operations.ts';
import { EPHEMERAL_FIELDS, LOCK_FIELDS } from '../room/read-presence.ts';
import type { RoomApi } from '../room/room-api.ts';
import type { Reply } from '../room/ports.ts';
import { refused, type Refusal, type Refused } from '../room/rejection.ts';
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

/** One event as it arrived. */
interface Arrival {
  readonly event: string;
  readonly payload: unknown;
  readonly answer: Callback;
}

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
    const arrival = { event, payload: isCallback(first) ? undefined : first, answer };
    try {
      this.#route(arrival);
    } catch (error) {
      this.#failed(arrival, error);
    }
  }

  dispose(): void {
    this.#ephemera.dispose();
  }

  #route(arrival: Arrival): void {
    const { event, payload } = arrival;
    if (EPHEMERAL.has(event)) {
      this.#ephemera.pass(event, payload);
      return;
    }
    if (DURABLE.has(event)) return this.#operation(arrival);
    if (!this.#requests.take()) {
      const details = { retryAfterMs: this.#requests.waitMs() };
      return this.#reject(arrival, refused({ code: 'RATE_LIMITED', details }));
    }
    this.#request(arrival);
  }

  #operation(arrival: Arrival): void {
    const { event, payload, answer } = arrival;
    const { rooms, session } = this.#deps;
    // Refused, it would hold up what follows: its client has the answer, and may not send it again.
    const wait = rooms.isRepetition(session, payload) ? null : this.#waitFor(payload);
    if (wait !== null) {
      this.#order.refused(payload);
      return this.#reject(arrival, refused(wait));
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

  #request(arrival: Arrival): void {
    const { event, payload, answer } = arrival;
    const { rooms, session } = this.#deps;
    if (LOCKING.has(event)) return this.#answer(answer, rooms.lock(session, event, payload));
    switch (event) {
      case 'workflow:join':
        return this.#later(arrival, () => rooms.join(session, payload));
      case 'workflow:leave':
        this.#order.left(payload);
        return this.#answer(answer, rooms.leave(session, payload));
      case 'workflow:resync':
        return this.#later(arrival, () => rooms.resync(session, payload));
      case 'workflow:flush':
        return this.#later(arrival, () => rooms.flush(session, payload));
      case 'auth:refresh':
        return this.#later(arrival, () => this.#deps.refresh(payload));
      default:
        return this.#reject(arrival, refused({ code: 'UNKNOWN_EVENT' }));
    }
  }

  #later(arrival: Arrival, work: () => Promise<Reply>): void {
    observedReply(arrival.event, this.#deps.session, work).then(
      (made) => this.#answer(arrival.answer, made),
      (error: unknown) => this.#failed(arrival, error),
    );
  }

  #answer(answer: Callback, reply: Reply): void {
    if (!reply.ok && !reply.retryable) this.#deps.onRejected();
    answer(reply);
  }

  /** Refuses what no room has seen: by callback and, as a room would, by event. */
  #reject({ event, payload, answer }: Arrival, reply: Refused): void {
    const { ok: _, ...why } = reply;
    const names = { workflowId: shortText(payload, 'workflowId'), opId: shortText(payload, 'opId') };
    this.#deps.session.send('operation:rejected', { ...names, event: cutText(event, 64), ...why });
    this.#answer(answer, reply);
  }

  /** A fault of ours: the client is told that it may try again, the log what it was. */
  #failed(arrival: Arrival, error: unknown): void {
    const { event, payload } = arrival;
    this.#deps.log.error({ err: error, event }, 'an event could not be handled');
    if (DURABLE.has(event)) this.#order.refused(payload);
    this.#reject(arrival, refused({ code: 'SERVER_ERROR' }));
  }
}
