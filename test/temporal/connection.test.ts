/** Whether a connection to Temporal stands: what runs rely on that call before their start. */
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { isConnected, openConnection } from '../../temporal/client/connection.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { testTemporal } from '../support/temporal.ts';
import { eventually } from '../support/waiting.ts';

test('a connection stands when it was asked for, falls with its socket, and comes back', async () => {
  const [host = '', port] = testTemporal().address.split(':');
  const proxy = await startTcpProxy({ host, port: Number(port) });
  const address = `127.0.0.1:${proxy.port}`;
  const connection = openConnection(
    readConfig({ APP_ENV: 'test', DATABASE_URL: 'postgresql://none', TEMPORAL_ADDRESS: address }),
  );
  const becomes = (value: boolean): Promise<true> =>
    eventually(`isConnected to be ${value}`, 20_000, () => (isConnected(connection) === value ? true : null));
  expect(isConnected(connection)).toBe(false);
  await becomes(true);
  proxy.become('refused');
  await becomes(false);
  proxy.become('open');
  await becomes(true);
  await connection.close();
  await proxy.close();
});
