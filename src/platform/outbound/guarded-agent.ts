/**
 * Connections for calls to addresses that a tenant can influence. Every resolved address is checked, and the connected one
 * again, so DNS rebinding does not help.
 */
import { lookup as resolve } from 'node:dns';
import type { LookupAddress, LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { findCause } from './find-cause.ts';
import { destinations, isPublicAddress, resolvePort } from './destinations.ts';
import type { Destinations } from './destinations.ts';

/** Without it, a host that drops packets would hold a node for minutes. */
const CONNECT_TIMEOUT_MS = 5_000;
const MAX_HEADER_BYTES = 32 * 1024;
/** Longest silence of a body before the connection counts as lost. */
const IDLE_TIMEOUT_MS = 60_000;
/** Longest idle time that a server may request; undici's default without a request is 4 s. */
const MAX_KEPT_MS = 10_000;

/** No connection was made, so nothing was sent. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';
  /** True when the address is not allowed, false when it is unreachable. */
  readonly refused: boolean;

  constructor(refused: boolean, cause?: unknown) {
    super('Destination not allowed or not reachable', { cause });
    this.refused = refused;
  }
}

/** Resolves a name to all its addresses, as `lookup` of node:dns with `all`. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Creates a lookup for net.connect that refuses a name if any of its addresses is not public. */
function createCheckedLookup(resolveAll: Resolve): LookupFunction {
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

function createConnector(allowed: Destinations, resolveAll: Resolve): buildConnector.connector {
  const options = { timeout: CONNECT_TIMEOUT_MS, autoSelectFamily: true };
  const open = buildConnector(options);
  const guarded = buildConnector({ ...options, lookup: createCheckedLookup(resolveAll) });
  return (target, callback) => {
    const exempt = allowed.isExempt(target.hostname, resolvePort(target));
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
 * Creates an agent that connects only to public and exempt addresses.
 * @param exempt `host:port` entries, as in OUTBOUND_ALLOW
 * @param keepAlive false: every request opens a connection, so that none fails after it was sent because the server had
 *   just closed an idle connection
 */
export function createGuardedAgent(
  exempt: readonly string[],
  { keepAlive }: { readonly keepAlive: boolean },
  resolveAll: Resolve = (hostname, options, callback) => resolve(hostname, options, callback),
): GuardedAgent {
  const allowed = destinations(exempt);
  const agent = new Agent({
    connect: createConnector(allowed, resolveAll),
    pipelining: keepAlive ? 1 : 0,
    keepAliveMaxTimeout: MAX_KEPT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The caller's signal limits the time to the first byte.
    headersTimeout: 0,
    bodyTimeout: IDLE_TIMEOUT_MS,
  });
  return { agent, allowed };
}

/** @returns the NotConnectedError among the causes of an error, or null */
export const findNotConnected = (error: unknown): NotConnectedError | null =>
  findCause(error, (cause) => cause instanceof NotConnectedError);
