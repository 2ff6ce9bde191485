/** One connection to the database, for a thread that has nothing else of the service. */
import pg from 'pg';
import type { Sql } from './client.ts';

const CONNECT_WITHIN_MS = 5_000;
const STATEMENT_WITHIN_MS = 5_000;

/** Opens the way; connects with the first statement, and again after a loss. Statements fail within seconds. */
export function openPlainSql(url: string, name: string): Sql & { close(): Promise<void> } {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    application_name: name,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    statement_timeout: STATEMENT_WITHIN_MS,
    query_timeout: STATEMENT_WITHIN_MS,
  });
  // A connection that breaks while it is idle is opened again by the next statement.
  pool.on('error', () => undefined);
  return {
    async query<Row extends object>(text: string, params: readonly unknown[] = []): Promise<Row[]> {
      const { rows } = await pool.query<Row & pg.QueryResultRow>(text, [...params]);
      return rows;
    },
    close: () => pool.end(),
  };
}
