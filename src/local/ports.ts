/** Free loopback ports: the usual one when it is free, else the next. */
import { createServer, type AddressInfo } from 'node:net';

const LAST_PORT = 65_535;
const ATTEMPTS = 200;

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/**
 * The first free port from `preferred` upwards. Somebody else may take it before it is used; starting again helps.
 * @param taken ports that are promised to others
 * @throws when none of the next two hundred is free
 */
export async function freePort(preferred: number, taken: ReadonlySet<number> = new Set()): Promise<number> {
  for (let port = preferred; port < preferred + ATTEMPTS && port <= LAST_PORT; port += 1) {
    if (!taken.has(port) && (await isFree(port))) return port;
  }
  throw new Error(`no free port from ${preferred} on`);
}

/** A free port that the system picks: for servers whose address nobody has to remember, several starting at once. */
export function anyPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ port: 0, host: '127.0.0.1' }, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
