/** Who this process is among the owners of rooms. */
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';

export interface NodeIdentity {
  /** A UUID. */
  readonly nodeId: string;
  /** Where clients reach this node directly; null when they all use one address. */
  readonly url: string | null;
}

/**
 * The same place has the same identity after a restart, so that it takes its own rooms back at once and does not wait
 * for their leases to end. Only one process can listen on an address, so no two share an identity.
 */
export function nodeAt(host: string, port: number): NodeIdentity {
  const hex = createHash('sha256').update(`${hostname()} ${host} ${port}`).digest('hex');
  const nodeId = hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { nodeId, url: null };
}
