/**
 * The database: one pool, two ways in. Prisma for the plain resources; SQL text for the hot paths and for everything
 * that needs locks, compare-and-set or several effects in one statement.
 */
import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { AskedTogether } from './asked-together.ts';
import { PrismaClient } from './generated/client.ts';
import { Teller, tellsBy } from './told-after.ts';

export interface Sql {
  /** Runs one statement with bound parameters; the rows. */
  query<Row extends object = Record<string, unknown>>(
    text: string,
    params?: readonly unknown[],
  ): Promise<Row[]>;
}

export interface Asks {
  /**
   * Asks for the rows of one key, with everybody else who asks the same question at this moment (asked-together.ts).
   * @param question a constant statement on arrays, one for each part of the key, that returns `place` with each row
   */
  readonly ask: <Row extends object>(question: string, key: readonly unknown[]) => Promise<Row[]>;
}

export interface Db extends Sql, Asks {
  readonly prisma: PrismaClient;
  /** Runs `work` in one transaction (READ COMMITTED); rolls back when it throws. */
  transaction<T>(work: (tx: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

// Whole numbers of count(*) and bigserial stay far below 2^53 here.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Names of prepared statements, by text: the server parses and plans each once per connection (measured: of 8.6 ms of
 * statement time per effectful node, 6.8 ms were parse and bind). Bounded: text that is put together goes unnamed.
 */
const MAX_NAMED = 400;
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMED) return known;
  const name = `s${names.size}_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
  names.set(text, name);
  return name;
}

const over = (client: pg.Pool | pg.PoolClient): Sql['query'] => {
  return async <Row extends object>(text: string, params: readonly unknown[] = []) => {
    const name = params.length === 0 ? undefined : nameOf(text);
    const result = await client.query<Row & pg.QueryResultRow>({
      text,
      values: [...params],
      ...(name === undefined ? {} : { name }),
    });
    return result.rows;
  };
};

/** Statements of one question under way: a second goes out while the answers of the first are worked on. */
const ASKED_AT_ONCE = 2;

function asker(query: Sql['query']): Asks['ask'] {
  const asked = new Map<string, AskedTogether<object>>();
  return <Row extends object>(question: string, key: readonly unknown[]) => {
    const known =
      asked.get(question) ?? new AskedTogether((columns) => query(question, columns), ASKED_AT_ONCE);
    asked.set(question, known);
    return known.ask(key) as Promise<Row[]>;
  };
}

/** Above the server's own limit: passed only where the server does not even say that a statement took too long. */
const SILENCE_MS = 18_000;
/** A connection that fell silent: nothing more can be asked of it, not even to roll back. */
const isSilent = (error: unknown): error is Error =>
  error instanceof Error && error.message === 'Query read timeout';

/** Keeps what breaks between two queries from ending the process: the next query of the holder fails and tells. */
function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ connectionTimeoutMillis: 3_000, idleTimeoutMillis: 30_000, ...config });
  // An idle connection that breaks (a restart of the server) must not end the process; the pool replaces it.
  pool.on('error', () => undefined);
  // Nor one in use: the pool does not listen to those, and an error between two queries would be nobody's.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

export interface OwnPool extends Sql {
  close(): Promise<void>;
}

export interface OwnPoolOptions {
  readonly max: number;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly name: string;
  /** False: a commit is answered before it is on disk; a crash of the server may lose the last of them. */
  readonly awaitsDisk?: boolean;
}

/**
 * A small pool beside the main one, for work that must not wait behind requests. A server that has gone silent is given
 * up on a second after its own timeout should have spoken.
 * @param url a postgresql:// URL
 */
export function openOwnPool(url: string, options: OwnPoolOptions): OwnPool {
  const pool = openPool({
    connectionString: url,
    max: options.max,
    keepAlive: true,
    statement_timeout: options.statementTimeoutMs,
    lock_timeout: options.lockTimeoutMs,
    query_timeout: options.statementTimeoutMs + 1_000,
    application_name: options.name,
    ...(options.awaitsDisk === false ? { options: '-c synchronous_commit=off' } : {}),
  });
  return { query: over(pool), close: () => pool.end().catch(() => undefined) };
}

const DAY_MS = 86_400_000;

/** One connection for statements that may take hours, as the building of an index does. @param url a postgresql:// URL */
export function openPatientSession(url: string): OwnPool {
  const name = 'workflow-automation-service admin';
  return openOwnPool(url, { max: 1, statementTimeoutMs: DAY_MS, lockTimeoutMs: DAY_MS, name });
}

/**
 * Opens the pool.
 * @param url a postgresql:// URL
 * @param max connections at most
 */
export function openDb(url: string, max = 20): Db {
  const pool = openPool({
    connectionString: url,
    max,
    // SPEC REL-database: a statement that hangs must free its connection, or the pool runs dry.
    statement_timeout: 15_000,
    query_timeout: SILENCE_MS,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 10_000,
    application_name: 'workflow-automation-service',
  });
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  // A connection of its own: who waits for news must not wait for the pool, too.
  const news = openOwnPool(url, {
    max: 1,
    statementTimeoutMs: 5_000,
    lockTimeoutMs: 5_000,
    name: 'workflow-automation-service news',
  });
  const teller = new Teller((text, params) => news.query(text, params));
  const query = over(pool);
  const db: Db = {
    query,
    ask: asker(query),
    prisma,
    async transaction(work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      const tx: Sql = { query: over(client) };
      const untold: (readonly [channel: string, message: string])[] = [];
      tellsBy(tx, (channel, message) => void untold.push([channel, message]));
      try {
        await client.query('BEGIN');
        const result = await work(tx);
        await client.query('COMMIT');
        for (const notice of untold) teller.tell(...notice);
        return result;
      } catch (error) {
        if (isSilent(error)) broken = error;
        else
          await client.query('ROLLBACK').catch((cause: unknown) => {
            broken = cause instanceof Error ? cause : new Error('rollback failed');
          });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    async close() {
      await prisma.$disconnect();
      await pool.end().catch(() => undefined);
      await teller.end();
      await news.close();
    },
  };
  tellsBy(db, (channel, message) => teller.tell(channel, message));
  return db;
}
