/** Finds free loopback ports: the configured or default port, else the next free one. */
import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/** Default ports by the variable that overrides them. */
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

export const PORTS_HELP = `Port variables (the next free port is used when a port is taken):
${Object.entries(PORTS)
  .map(([name, port]) => `  ${name.padEnd(24)}${port}`)
  .join('\n')}`;

/** @returns the configured or default port @throws Error when the variable is not a port */
export function readPort(name: keyof typeof PORTS, environment: NodeJS.ProcessEnv = process.env): number {
  const text = environment[name] ?? '';
  if (text === '') return PORTS[name];
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= LAST_PORT) return port;
  throw new Error(`${name}: must be a port from 1 to ${LAST_PORT}`);
}

const LAST_PORT = 65_535;
const ATTEMPTS = 200;

/** @returns whether the server listens on the port now; it may be asked again with another one */
function tryToListen(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const onError = (): void => {
      server.off('listening', onListening);
      resolve(false);
    };
    const onListening = (): void => {
      server.off('error', onError);
      resolve(true);
    };
    server.once('error', onError).once('listening', onListening);
    server.listen({ port, host: '127.0.0.1', exclusive: true });
  });
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const isListening = await tryToListen(probe, port);
  if (isListening) await new Promise((resolve) => probe.close(resolve));
  return isListening;
}

/**
 * Listens on loopback, on the first free port from `preferred` upwards. A port that was found before could be taken meanwhile.
 * @returns the port
 * @throws Error when none of the next two hundred is free
 */
export async function listenOnFreePort(server: Server, preferred: number): Promise<number> {
  for (let port = preferred; port < preferred + ATTEMPTS && port <= LAST_PORT; port += 1)
    if (await tryToListen(server, port)) return port;
  throw new Error(`no free port from ${preferred} on`);
}

/**
 * Finds the first free port from `preferred` upwards. Another process may take it before it is used.
 * @param taken ports that are reserved for others
 * @throws Error when none of the next two hundred is free
 */
export async function findFreePort(
  preferred: number,
  taken: ReadonlySet<number> = new Set(),
): Promise<number> {
  for (let port = preferred; port < preferred + ATTEMPTS && port <= LAST_PORT; port += 1) {
    if (!taken.has(port) && (await isFree(port))) return port;
  }
  throw new Error(`no free port from ${preferred} on`);
}

/**
 * Finds a free port for servers that start concurrently in tests. The system chooses ports of connections, and of servers on port 0,
 * above this range (32768 on Linux, 49152 elsewhere): none of them takes it before it is used.
 * @throws Error when none of two hundred is free
 */
export async function findAnyPort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(10_000, 32_768);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port from 10000 to 32767');
}
