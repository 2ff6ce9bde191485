/** Reading what a server has sent: fields of the wrong type are as good as missing. */
import { isObject, ownValue, type JsonObject } from '../../graph/value.ts';

export function numberAt(payload: JsonObject, key: string): number {
  const value = ownValue(payload, key);
  return typeof value === 'number' ? value : Number.NaN;
}

export function textAt(payload: JsonObject, key: string): string {
  const value = ownValue(payload, key);
  return typeof value === 'string' ? value : '';
}

export const RETRY_MS = 500;
/** Clocks tick apart. What comes before the server's pause is over is refused again. */
const MARGIN_MS = 100;

/** How long to hold what was refused: not before the server says. */
export function waitAfter(refusal: JsonObject): number {
  const details = ownValue(refusal, 'details');
  const afterMs = isObject(details) ? details['retryAfterMs'] : undefined;
  return typeof afterMs === 'number' ? Math.max(RETRY_MS, afterMs + MARGIN_MS) : RETRY_MS;
}
