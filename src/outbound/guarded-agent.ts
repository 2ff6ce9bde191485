/**
 * The connections behind every call to an address that a tenant can influence. An address is judged when its name is
 * resolved (each answer) and again when the socket is connected, so a name that changes its mind gains nothing.
 */
import { lookup as resolve } from 'node:dns';
import type { LookupAddress, LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { destinations, isPublicAddress, portOf } from './destinations.ts';
import type { Destinations } from './destinations.ts';

/** A host that drops packets would hold the node for minutes. */
const CONNECT_TIMEOUT_MS = 5_000;
const MAX_HEADER_BYTES = 32 * 1024;
/** The longest silence of a body before the other side counts as gone. */
const IDLE_TIMEOUT_MS = 60_000;
/** A kept connection is idle for 4 s at most (undici's default), or as long as its server says; no server holds it longer. */
const MAX_KEPT_MS = 10_000;

/** The connection was not made: nothing of a request has left. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';
  /** True: the address is not allowed. False: it did not answer. */
  readonly refused: boolean;

  constructor(refused: boolean, cause?: unknown) {
    super('Destination not allowed or not reachable', { cause });
    this.refused = refused;
  }
}

/** Resolves a name to all its addresses; the shape of node:dns `lookup` with `all`. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A lookup for net.connect that refuses a name as soon as one of its addresses is not public. */
function checkedLookup(resolveAll: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolveAll(hostname, { ...options, all: true }, (error, addresses) => {
      const first = addresses?.[0];
      if (error !== null || first === undefined) callback(error ?? new NotConnectedError(false), '', 4);
      else if (!addresses.every(({ address }) => isPublicAddress(address))) {
        callback(new NotConnectedError(true), '', 4);
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function connector(allowed: Destinations, resolveAll: Resolve): buildConnector.connector {
  const options = { timeout: CONNECT_TIMEOUT_MS, autoSelectFamily: true };
  const open = buildConnector(options);
  const guarded = buildConnector({ ...options, lookup: checkedLookup(resolveAll) });
  return (target, callback) => {
    const exempt = allowed.isExempt(target.hostname, portOf(target));
    (exempt ? open : guarded)(target, (error, socket) => {
      if (error !== null) {
        callback(error instanceof NotConnectedError ? error : new NotConnectedError(false, error), null);
      } else if (!exempt && !isPublicAddress(socket.remoteAddress ?? '')) {
        socket.destroy();
        callback(new NotConnectedError(true), null);
      } else callback(null, socket);
    });
  };
}

export interface GuardedAgent {
  readonly agent: Agent;
  readonly allowed: Destinations;
}

/**
 * An agent that connects to public addresses and to the exempt ones.
 * @param exempt `host:port` entries, as in OUTBOUND_ALLOW
 * @param keepAlive reuse of connections; without it every request has a connection of its own, so that no request
 *   fails after it was sent because an idle connection had just been closed
 */
export function guardedAgent(
  exempt: readonly string[],
  keepAlive: boolean,
  resolveAll: Resolve = (hostname, options, callback) => resolve(hostname, options, callback),
): GuardedAgent {
  const allowed = destinations(exempt);
  const agent = new Agent({
    connect: connector(allowed, resolveAll),
    pipelining: keepAlive ? 1 : 0,
    keepAliveMaxTimeout: MAX_KEPT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The first byte may take as long as the node's own deadline; callers bring a signal.
    headersTimeout: 0,
    bodyTimeout: IDLE_TIMEOUT_MS,
  });
  return { agent, allowed };
}

/** The NotConnectedError behind an error of fetch, or null. */
export function notConnected(error: unknown): NotConnectedError | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at instanceof NotConnectedError) return at;
  }
  return null;
}
