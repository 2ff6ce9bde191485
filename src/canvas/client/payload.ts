/** Reading what a server has sent: fields of the wrong type are as good as missing. */
import { ownValue, type JsonObject } from '../../graph/value.ts';

export function numberAt(payload: JsonObject, key: string): number {
  const value = ownValue(payload, key);
  return typeof value === 'number' ? value : Number.NaN;
}

export function textAt(payload: JsonObject, key: string): string {
  const value = ownValue(payload, key);
  return typeof value === 'string' ? value : '';
}
