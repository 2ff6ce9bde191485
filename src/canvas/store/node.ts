/** Identity of this process as an owner of rooms. */
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';

export interface NodeIdentity {
  /** A UUID. */
  readonly nodeId: string;
  /** URL at which clients reach this node directly; null when all nodes share one address. */
  readonly url: string | null;
}

/**
 * Derives the identity from host name, address and port: after a restart the process claims its own rooms without waiting for
 * their leases to expire. Only one process can listen on an address, so no two share an identity.
 */
export function deriveNodeIdentity(host: string, port: number): NodeIdentity {
  const hex = createHash('sha256').update(`${hostname()} ${host} ${port}`).digest('hex');
  const nodeId = hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { nodeId, url: null };
}
