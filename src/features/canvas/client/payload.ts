/** Reads fields of a server's payload; a field of the wrong type counts as missing. */
import { isObject, ownValue, type JsonObject } from '../../../language/graph/values/value.ts';

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

/** Reads the code of a rejected edit: for a batch that stands or falls as a whole, that of the part that cannot be applied. */
export function readRejectionCode(refusal: JsonObject): string {
  const code = readText(refusal, 'code');
  const details = ownValue(refusal, 'details');
  return (code === 'BATCH_REJECTED' && isObject(details) && readText(details, 'code')) || code;
}
