/** A local system would lose or expose its database. */
import pg from 'pg';
import { expect, test } from 'vitest';
import { isOpenToOthers } from '../../../src/processes/local/postgres-binaries.ts';
import { startPostgres } from '../../../src/processes/local/postgres.ts';

async function ask(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = await client.query<{ answer: unknown }>(statement);
    return result.rows[0]?.answer;
  } finally {
    await client.end();
  }
}

test('two servers run side by side, and what a throwaway one held is gone with it', async () => {
  const say = (): void => {};
  const servers = await Promise.all([
    startPostgres({ say, throwaway: true }),
    startPostgres({ say, throwaway: true }),
  ]);
  try {
    const [first, second] = servers.map((server) => server.url);
    expect(first).not.toBe(second);
    expect(
      Number(await ask(first ?? '', "SELECT current_setting('server_version_num') AS answer")),
    ).toBeGreaterThan(160_000);
    expect(await ask(second ?? '', "SELECT lower('ÄÖ') || upper('é') AS answer")).toBe('äöÉ');
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
  await expect(ask(servers[0]?.url ?? '', 'SELECT 1 AS answer')).rejects.toThrow('ECONNREFUSED');
});

test('others cannot enter below a closed directory', () => {
  expect(isOpenToOthers('/')).toBe(true);
  expect(isOpenToOthers('/usr/bin')).toBe(true);
});
