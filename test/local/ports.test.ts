/**
 * A developer could not choose a port of the local system, or would not be told that it is none (SPEC
 * SRV-local-ports).
 */
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { PORTS, PORTS_HELP, findAnyPort, findFreePort, readPort } from '../../src/local/ports.ts';

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

test('a port that is taken gives way to the next that is free', async () => {
  const taken = await findAnyPort();
  const server = createServer().listen(taken, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    expect(await findFreePort(taken)).toBeGreaterThan(taken);
  } finally {
    server.close();
  }
});
