/**
 * A developer could not choose a port of the local system, or would not be told that it is none (SPEC
 * SRV-local-ports).
 */
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import {
  PORTS,
  PORTS_HELP,
  findAnyPort,
  findFreePort,
  listenOnFreePort,
  readPort,
} from '../../../src/processes/local/ports.ts';

const names = Object.keys(PORTS) as (keyof typeof PORTS)[];

test.each(names)('%s can be set, empty counts as unset, and --help names it', (name) => {
  expect(readPort(name, {})).toBe(PORTS[name]);
  expect(readPort(name, { [name]: '' })).toBe(PORTS[name]);
  expect(readPort(name, { [name]: '1' })).toBe(1);
  expect(readPort(name, { [name]: '65535' })).toBe(65_535);
  for (const wrong of ['0', '65536', '80a', '-1', ' 80', '1.5'])
    expect(() => readPort(name, { [name]: wrong })).toThrow(`${name}: must be a port`);
  expect(PORTS_HELP).toContain(name);
});

test('servers that begin at one port at the same time each get one of their own', async () => {
  const preferred = await findAnyPort();
  const servers = Array.from({ length: 5 }, () => createServer());
  const ports = await Promise.all(servers.map((server) => listenOnFreePort(server, preferred)));
  try {
    expect(new Set(ports).size).toBe(5);
    expect(Math.min(...ports)).toBeGreaterThanOrEqual(preferred);
  } finally {
    for (const server of servers) server.close();
  }
});

test('a port that is taken gives way to the next that is free', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const taken = (server.address() as AddressInfo).port;
  try {
    expect(await findFreePort(taken)).toBeGreaterThan(taken);
  } finally {
    server.close();
  }
});
