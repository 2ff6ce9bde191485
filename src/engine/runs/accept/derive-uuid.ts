/** UUIDs derived from names: the same name always gives the same id. */
import { createHash } from 'node:crypto';

/** Derives a UUID of version 8 (RFC 9562, custom bits) from a name. */
export function deriveUuid(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
