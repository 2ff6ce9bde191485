/** Reads fields of a server's payload; a field of the wrong type counts as missing. */
import { isObject, ownValue, type JsonObject } from '../../graph/value.ts';

export function readNumber(payload: JsonObject, key: string): number {
  const value = ownValue(payload, key);
  return typeof value === 'number' ? value : Number.NaN;
}

export function readText(payload: JsonObject, key: string): string {
  const value = ownValue(payload, key);
  return typeof value === 'string' ? value : '';
}

export const RETRY_MS = 500;
/** Added to the server's delay: an edit that arrives early, because clocks differ, is rejected again. */
const MARGIN_MS = 100;

/** Reads after how many milliseconds a rejected edit is sent again. */
export function readRetryDelay(refusal: JsonObject): number {
  const details = ownValue(refusal, 'details');
  const afterMs = isObject(details) ? details['retryAfterMs'] : undefined;
  return typeof afterMs === 'number' ? Math.max(RETRY_MS, afterMs + MARGIN_MS) : RETRY_MS;
}
