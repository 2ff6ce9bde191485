/** Ports of the local system: each can be set, and what is no port is said (SPEC SRV-local-ports). */
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { PORTS, PORTS_HELP, anyPort, freePort, wantedPort } from '../../src/local/ports.ts';

const names = Object.keys(PORTS) as (keyof typeof PORTS)[];

test.each(names)('%s can be set, empty counts as unset, and --help names it', (name) => {
  expect(wantedPort(name, {})).toBe(PORTS[name]);
  expect(wantedPort(name, { [name]: '' })).toBe(PORTS[name]);
  expect(wantedPort(name, { [name]: '1' })).toBe(1);
  expect(wantedPort(name, { [name]: '65535' })).toBe(65_535);
  for (const wrong of ['0', '65536', '80a', '-1', ' 80', '1.5'])
    expect(() => wantedPort(name, { [name]: wrong })).toThrow(`${name}: must be a port`);
  expect(PORTS_HELP).toContain(name);
});

test('a port that is taken gives way to the next that is free', async () => {
  const taken = await anyPort();
  const server = createServer().listen(taken, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    expect(await freePort(taken)).toBeGreaterThan(taken);
  } finally {
    server.close();
  }
});
