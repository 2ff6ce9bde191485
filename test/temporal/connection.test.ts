/** Whether a connection to Temporal stands: what runs rely on that call before their start. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { isConnected, openConnection } from '../../temporal/client/connection.ts';
import { testTemporal } from '../support/temporal.ts';
import { eventually } from '../support/waiting.ts';

const open = new Set<Socket>();
const server = createServer((near) => {
  const [host = '', port] = testTemporal().address.split(':');
  const far = connect(Number(port), host);
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    open.add(from);
    from.on('error', () => undefined);
    from.on('close', () => to.destroy());
    from.pipe(to);
  }
});
const listen = async (port: number): Promise<number> => {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
};
const cut = (): void => {
  server.close();
  for (const socket of open) socket.destroy();
  open.clear();
};
afterEach(cut);

test('a connection stands when it was asked for, falls with its socket, and comes back', async () => {
  const port = await listen(0);
  const connection = openConnection(
    readConfig({ APP_ENV: 'test', DATABASE_URL: 'postgresql://none', TEMPORAL_ADDRESS: `127.0.0.1:${port}` }),
  );
  const becomes = (value: boolean): Promise<true> =>
    eventually(`isConnected to be ${value}`, 20_000, () => (isConnected(connection) === value ? true : null));
  expect(isConnected(connection)).toBe(false);
  await becomes(true);
  cut();
  await becomes(false);
  await listen(port);
  await becomes(true);
  await connection.close();
});
