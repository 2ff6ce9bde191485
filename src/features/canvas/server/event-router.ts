/**
 * Routes a socket's events to the rooms: checks the rate, calls the method of the event and sends the reply. Operations are
 * applied synchronously, so they keep the order in which they arrived.
 */
import { systemClock } from '../../../base/clock.ts';
import { cutText } from '../../../language/graph/values/cut-text.ts';
import type { Logger } from '../../../base/log.ts';
import { noteOperation } from '../../../base/observe/realtime-metrics.ts';
import { EphemeralThrottle } from './ephemeral-throttle.ts';
import { traceReply } from './traces.ts';
import { OrderFence } from './order-fence.ts';
import { BROADCASTS } from '../room/operations.ts';
import { EPHEMERAL_FIELDS, LOCK_FIELDS } from '../room/read-presence.ts';
import type { RoomApi } from '../room/room-api.ts';
import type { Reply } from '../room/ports.ts';
import { reject, type Rejection, type RejectedReply } from '../room/rejection.ts';
import { peekText } from '../room/envelope.ts';
import { TokenBucket } from '../room/token-bucket.ts';
import type { Relays } from './relays.ts';
import type { SocketSession } from './socket-session.ts';

/** Rate of durable operations of one socket, sent to clients in `workflow:joined`. */
export const DURABLE_LIMITS = { opsPerSec: 40, opBurst: 120 } as const;
/** Rate of all other requests: joins, locks, flushes. */
export const REQUEST_LIMITS = { perSecond: 20, burst: 60 } as const;

const DURABLE: ReadonlySet<string> = new Set(Object.keys(BROADCASTS));
const EPHEMERAL: ReadonlySet<string> = new Set(Object.keys(EPHEMERAL_FIELDS));
const LOCKING: ReadonlySet<string> = new Set(Object.keys(LOCK_FIELDS));

/** One event as it arrived. */
interface IncomingEvent {
  readonly event: string;
  readonly payload: unknown;
  readonly answer: Callback;
}

type Callback = (reply: Reply) => void;

interface EventRouterDeps {
  readonly rooms: RoomApi;
  readonly relays: Relays;
  readonly log: Logger;
  readonly session: SocketSession;
  /** Handles `auth:refresh`. */
  refresh(payload: unknown): Promise<Reply>;
  /** Called when a request is rejected permanently, to count it against the flood limit. */
  onRejected(): void;
}

const IGNORE: Callback = () => undefined;

const isCallback = (value: unknown): value is Callback => typeof value === 'function';

export class EventRouter {
  readonly #deps: EventRouterDeps;
  readonly #operations = new TokenBucket(
    DURABLE_LIMITS.opsPerSec,
    DURABLE_LIMITS.opBurst,
    systemClock.monotonic,
  );
  readonly #requests = new TokenBucket(REQUEST_LIMITS.perSecond, REQUEST_LIMITS.burst, systemClock.monotonic);
  readonly #ephemeral: EphemeralThrottle;
  readonly #order = new OrderFence(systemClock.monotonic);

  constructor(deps: EventRouterDeps) {
    this.#deps = deps;
    this.#ephemeral = new EphemeralThrottle((event, payload) =>
      deps.rooms.updatePresence(deps.session, event, payload),
    );
  }

  /** Handles one event: `args` are the payload and the callback, either of which may be missing. */
  handle(event: string, args: readonly unknown[]): void {
    const last = args.at(-1);
    const answer = isCallback(last) ? last : IGNORE;
    const [first] = args;
    const arrival = { event, payload: isCallback(first) ? undefined : first, answer };
    try {
      this.#route(arrival);
    } catch (error) {
      this.#handleError(arrival, error);
    }
  }

  dispose(): void {
    this.#ephemeral.dispose();
  }

  #route(arrival: IncomingEvent): void {
    const { event, payload } = arrival;
    if (this.#relay(arrival)) return;
    if (EPHEMERAL.has(event)) {
      this.#ephemeral.push(event, payload);
      return;
    }
    if (DURABLE.has(event)) return this.#handleOperation(arrival);
    if (!this.#requests.take()) {
      const details = { retryAfterMs: this.#requests.waitMs() };
      return this.#reject(arrival, reject({ code: 'RATE_LIMITED', details }));
    }
    this.#handleRequest(arrival);
  }

  /**
   * Passes an event to the owner of its room. A join begins anew, because the room may have another owner by now.
   * @returns false when the event is for this process
   */
  #relay({ event, payload, answer }: IncomingEvent): boolean {
    const { relays, session } = this.#deps;
    const relay = relays.find(session, peekText(payload, 'workflowId'));
    if (relay === undefined) return false;
    if (event === 'workflow:join' || event === 'workflow:leave') {
      if (event === 'workflow:leave') relay.send(event, payload);
      relays.drop(relay);
      return false;
    }
    if (!relay.isJoined) return false;
    // An ephemeral event has no answer: its callback would be kept for ever.
    if (EPHEMERAL.has(event) || answer === IGNORE) relay.send(event, payload);
    else relay.send(event, payload, answer);
    return true;
  }

  #handleOperation(arrival: IncomingEvent): void {
    const { event, payload, answer } = arrival;
    const { rooms, session } = this.#deps;
    // A duplicate passes the rate limit: its client may have the answer already and not send it again, which would block
    // the operations behind it.
    const wait = rooms.isDuplicate(session, payload) ? null : this.#checkRate(payload);
    if (wait !== null) {
      this.#order.noteRejected(payload);
      return this.#reject(arrival, reject(wait));
    }
    const reply = rooms.apply(session, event, payload);
    if (!reply.ok && reply.code === 'RATE_LIMITED') this.#order.pause();
    if (!reply.ok && reply.retryable) this.#order.noteRejected(payload);
    else this.#order.noteAnswered(payload);
    noteOperation(reply.ok ? 'accepted' : reply.code);
    this.#answer(answer, reply);
  }

  /** Takes one token of the operation rate. @returns a rejection when the operation has to wait */
  #checkRate(payload: unknown): Rejection | null {
    return this.#order.check(payload) ?? (this.#operations.take() ? null : this.#order.pause());
  }

  #handleRequest(arrival: IncomingEvent): void {
    const { event, payload, answer } = arrival;
    const { rooms, session } = this.#deps;
    if (LOCKING.has(event)) return this.#answer(answer, rooms.handleLockRequest(session, event, payload));
    switch (event) {
      case 'workflow:join':
        return this.#answerAsync(arrival, () => rooms.join(session, payload));
      case 'workflow:leave':
        this.#order.forget(payload);
        return this.#answer(answer, rooms.leave(session, payload));
      case 'workflow:resync':
        return this.#answerAsync(arrival, () => rooms.resync(session, payload));
      case 'workflow:flush':
        return this.#answerAsync(arrival, () => rooms.flush(session, payload));
      case 'auth:refresh':
        return this.#answerAsync(arrival, () => this.#deps.refresh(payload));
      default:
        return this.#reject(arrival, reject({ code: 'UNKNOWN_EVENT' }));
    }
  }

  #answerAsync(arrival: IncomingEvent, work: () => Promise<Reply>): void {
    traceReply(arrival.event, this.#deps.session, work).then(
      (made) => this.#answer(arrival.answer, made),
      (error: unknown) => this.#handleError(arrival, error),
    );
  }

  #answer(answer: Callback, reply: Reply): void {
    if (!reply.ok && !reply.retryable) this.#deps.onRejected();
    answer(reply);
  }

  /** Rejects an event that no room has seen, by callback and by `operation:rejected`. */
  #reject({ event, payload, answer }: IncomingEvent, reply: RejectedReply): void {
    const { ok: _, ...why } = reply;
    const names = { workflowId: peekText(payload, 'workflowId'), opId: peekText(payload, 'opId') };
    this.#deps.session.send('operation:rejected', { ...names, event: cutText(event, 64), ...why });
    this.#answer(answer, reply);
  }

  /** Logs an unexpected error and rejects the event as retryable. */
  #handleError(arrival: IncomingEvent, error: unknown): void {
    const { event, payload } = arrival;
    this.#deps.log.error({ err: error, event }, 'an event could not be handled');
    if (DURABLE.has(event)) this.#order.noteRejected(payload);
    this.#reject(arrival, reject({ code: 'SERVER_ERROR' }));
  }
}
