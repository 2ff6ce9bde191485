/** Reads why the realtime server has rejected a handshake, and after which time the page tries again. */
import { isObject, ownValue } from '../../../language/graph/values/value.ts';

/** After a refusal that names no time. */
export const RECONNECT_MS = 2_000;

interface ConnectRefusal {
  readonly code: string;
  /** Null: trying again would be in vain. */
  readonly retryAfterMs: number | null;
}

/**
 * Reads the `data` of a `connect_error` (canvas/server/handshake.ts). Socket.io tries again by itself only where the server was
 * not reached.
 * @returns null when the error is not a refusal of the server
 */
export function readConnectRefusal(error: Error & { readonly data?: unknown }): ConnectRefusal | null {
  const { data } = error;
  const code = isObject(data) ? ownValue(data, 'code') : undefined;
  if (!isObject(data) || typeof code !== 'string') return null;
  const afterMs = ownValue(data, 'retryAfterMs');
  // The next handshake asks for a fresh token.
  const isRetried = ownValue(data, 'retryable') === true || code === 'TOKEN_EXPIRED';
  const delayMs = typeof afterMs === 'number' ? Math.max(RECONNECT_MS, afterMs) : RECONNECT_MS;
  return { code, retryAfterMs: isRetried ? delayMs : null };
}
