/** The address and scheme of a caller behind proxies that the operator trusts (TRUSTED_PROXIES). */
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Network } from '../../base/config/config.ts';

/** A caller as the outermost trusted proxy saw it. */
interface Client {
  readonly address: string;
  /** Null: no trusted proxy told it. */
  readonly scheme: 'http' | 'https' | null;
}

/** Reads an address without its port and brackets; null when it is none. */
function readAddress(text: string): string | null {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? [];
  const [, v4] = /^(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/.exec(text) ?? [];
  const address = bracketed ?? v4 ?? text;
  // A server that listens on :: sees IPv4 peers so (RFC 4291, 2.5.5.2).
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
  return isIP(plain) === 0 ? null : plain;
}

export class TrustedProxies {
  readonly #networks = new BlockList();

  constructor(networks: readonly Network[]) {
    for (const { address, bits } of networks)
      this.#networks.addSubnet(address, bits, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }

  /**
   * Finds the caller: walks X-Forwarded-For from the right while the address is a trusted proxy, because a client may write
   * anything on the left.
   * @param peer the address of the connection
   */
  findClient(peer: string, headers: IncomingHttpHeaders): Client {
    let address = readAddress(peer) ?? peer;
    if (!this.#isTrusted(address)) return { address, scheme: null };
    const hops = readList(headers['x-forwarded-for']);
    while (this.#isTrusted(address)) {
      const next = readAddress(hops.pop() ?? '');
      if (next === null) break;
      address = next;
    }
    const [scheme = ''] = readList(headers['x-forwarded-proto']);
    const known = scheme.toLowerCase();
    return { address, scheme: known === 'https' || known === 'http' ? known : null };
  }

  #isTrusted(address: string): boolean {
    return isIP(address) !== 0 && this.#networks.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
}

/** Reads a list header; Node joins repeated ones. */
const readList = (value: string | string[] | undefined): string[] =>
  String(value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
