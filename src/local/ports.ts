/** Free loopback ports: the one that the environment names or the usual one when it is free, else the next. */
import { createServer, type AddressInfo } from 'node:net';

/** Where each server of the local system would like to listen, and the variable that says otherwise. */
export const PORTS = {
  PORT: 8_000,
  REALTIME_PORT: 3_001,
  LOCAL_POSTGRES_PORT: 54_320,
  LOCAL_TEMPORAL_PORT: 7_233,
  LOCAL_TEMPORAL_UI_PORT: 8_233,
  LOCAL_ISSUER_PORT: 9_080,
  LOCAL_MODEL_PORT: 9_090,
  LOCAL_WEB_PORT: 5_173,
} as const;

/** What `--help` says of them. */
export const PORTS_HELP = `Variables for ports; one that is taken gives way to the next that is free:
${Object.entries(PORTS)
  .map(([name, port]) => `  ${name.padEnd(24)}${port}`)
  .join('\n')}`;

/** The port that is wanted for a server. @throws Error when its variable is no port */
export function wantedPort(name: keyof typeof PORTS, environment: NodeJS.ProcessEnv = process.env): number {
  const text = environment[name] ?? '';
  if (text === '') return PORTS[name];
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= LAST_PORT) return port;
  throw new Error(`${name}: must be a port, from 1 to ${LAST_PORT}`);
}

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
