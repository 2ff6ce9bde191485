/** Identity of this process as an owner of rooms. */
import { createHash } from 'node:crypto';
import { hostname, networkInterfaces } from 'node:os';

export interface NodeIdentity {
  /** A UUID. */
  readonly nodeId: string;
  /** URL at which the other nodes reach this one; null in leases of nodes that cannot be reached. */
  readonly url: string | null;
}

/** Finds the host at which other machines reach a server that listens on `host`. */
function findPeerHost(host: string): string {
  const isEvery = host === '0.0.0.0' || host === '::';
  const outside = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const name = isEvery ? (outside.find(({ internal }) => !internal)?.address ?? '127.0.0.1') : host;
  return name.includes(':') ? `[${name}]` : name;
}

/**
 * Derives the identity from host name, address and port: after a restart the process claims its own rooms without waiting for
 * their leases to expire. Only one process can listen on an address, so no two share an identity.
 * @param peerUrl overrides the URL that follows from the address
 */
export function deriveNodeIdentity(host: string, port: number, peerUrl?: string): NodeIdentity {
  const hex = createHash('sha256').update(`${hostname()} ${host} ${port}`).digest('hex');
  const nodeId = hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { nodeId, url: peerUrl ?? `http://${findPeerHost(host)}:${port}` };
}
