/** One connection to the database for a worker thread that loads nothing else of the service. */
import pg from 'pg';
import type { Sql } from './client.ts';

const CONNECT_WITHIN_MS = 5_000;
const STATEMENT_WITHIN_MS = 5_000;

/** Connects with the first statement and reconnects after a loss. Statements fail after 5 s. */
export function openPlainSql(url: string, name: string): Sql & { close(): Promise<void> } {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    application_name: name,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    statement_timeout: STATEMENT_WITHIN_MS,
    query_timeout: STATEMENT_WITHIN_MS,
  });
  // The next statement reconnects when an idle connection breaks.
  pool.on('error', () => undefined);
  return {
    async query<Row extends object>(text: string, params: readonly unknown[] = []): Promise<Row[]> {
      const { rows } = await pool.query<Row & pg.QueryResultRow>(text, [...params]);
      return rows;
    },
    close: () => pool.end(),
  };
}
