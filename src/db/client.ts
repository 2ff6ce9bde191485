/** One pool of connections for Prisma Client and for SQL text; prisma/README.md says which statements are SQL, and why. */
import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { Batcher, readKind, type BatchKind } from './batcher.ts';
import { PrismaClient } from './generated/client.ts';
import type { Pace } from './notice-pace.ts';
import { Notifier } from './notify-after-commit.ts';

export interface Sql {
  /** Runs one statement with bound parameters; the rows. */
  query<Row extends object = Record<string, unknown>>(
    text: string,
    params?: readonly unknown[],
  ): Promise<Row[]>;
}

/** A way in for writes: a transaction, or the pool, where each statement is one. */
export interface Tx extends Sql {
  /**
   * Notifies the listeners of a channel once what was written through this is committed (notify-after-commit.ts).
   * @param message without a line break
   * @param pace of a notice that only wakes; others go out at once
   */
  readonly notifyAfterCommit: (channel: string, message: string, pace?: Pace) => void;
}

/** A transaction that begins with its first statement. */
export interface DeferredTx extends Tx {
  /** The last statement: where none came before it, it is a transaction by itself. */
  readonly queryLast: Sql['query'];
}

export interface BatchedReads {
  /**
   * Reads the rows of one key, in one statement with all who read the same at this moment (batcher.ts).
   * @param text a constant statement on arrays, one for each part of the key, that returns `place` with each row
   */
  readonly batched: <Row extends object>(text: string, key: readonly unknown[]) => Promise<Row[]>;
}

/** A kind of write whose statements are shared: `run` gets the pool. Its name tells it from all others. */
export interface SharedWrite<Item, Result> extends Omit<BatchKind<Item, Result>, 'run'> {
  readonly name: string;
  run(sql: Tx, items: readonly Item[]): Promise<readonly Result[]>;
}

export interface Db extends Tx, BatchedReads {
  /** Writes an item in one statement, which is a transaction, with others of its kind (batcher.ts). */
  share<Item, Result>(write: SharedWrite<Item, Result>, item: Item): Promise<Result>;
  readonly prisma: PrismaClient;
  /** Runs `work` in one transaction (READ COMMITTED); rolls back when it throws. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a transaction that begins when it asks for something; then `begun` runs first, which locks what the work
   * relies on. Work that only ends with a statement costs one round trip.
   */
  deferred<T>(begun: (tx: Tx) => Promise<void>, work: (tx: DeferredTx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

// Whole numbers of count(*) and bigserial stay far below 2^53 here.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Bounded: text that is put together goes unnamed. */
const MAX_NAMED = 400;

/**
 * The prepared statements of a pool: the server parses and plans each once per connection (measured: of 8.6 ms of statement
 * time per effectful node, 6.8 ms were parse and bind).
 */
class Statements {
  readonly #names = new Map<string, string>();

  /** Statements on a connection of the pool, or on any. */
  over(client: pg.Pool | pg.PoolClient): Sql['query'] {
    return async <Row extends object>(text: string, params: readonly unknown[] = []) => {
      const name = params.length === 0 ? undefined : this.#nameOf(text);
      const result = await client.query<Row & pg.QueryResultRow>({
        text,
        values: [...params],
        ...(name === undefined ? {} : { name }),
      });
      return result.rows;
    };
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= MAX_NAMED) return known;
    const name = `s${this.#names.size}_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
    this.#names.set(text, name);
    return name;
  }
}

/** Statements of one batched read under way: a second goes out while the rows of the first are worked on. */
const CONCURRENT_READS = 2;

/** The batchers of a pool, one for each batched read and each shared write. */
class Batchers {
  readonly #sql: Tx;
  readonly #reads = new Map<string, Batcher<readonly unknown[], object[]>>();
  readonly #writes = new Map<string, Batcher<unknown, unknown>>();

  constructor(sql: Tx) {
    this.#sql = sql;
  }

  read<Row extends object>(text: string, key: readonly unknown[]): Promise<Row[]> {
    const known =
      this.#reads.get(text) ??
      new Batcher(readKind((columns) => this.#sql.query(text, columns), CONCURRENT_READS));
    this.#reads.set(text, known);
    return known.add(key) as Promise<Row[]>;
  }

  write<Item, Result>(write: SharedWrite<Item, Result>, item: Item): Promise<Result> {
    const known =
      (this.#writes.get(write.name) as Batcher<Item, Result> | undefined) ??
      new Batcher({ ...write, run: (items: readonly Item[]) => write.run(this.#sql, items) });
    this.#writes.set(write.name, known as Batcher<unknown, unknown>);
    return known.add(item);
  }
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

/** What a transaction is made of: its connection, once `begin` is called, and its notices. */
interface Beginning extends Pick<Tx, 'notifyAfterCommit'> {
  /** Called once at most. */
  readonly begin: () => Promise<pg.PoolClient>;
}

/** Commits what `work` began, and tells its notices; rolls back when it throws. */
async function inTransaction<T>(
  pool: pg.Pool,
  sql: Tx,
  work: (beginning: Beginning) => Promise<T>,
): Promise<T> {
  let client: pg.PoolClient | null = null;
  let broken: Error | undefined;
  const notices: Parameters<Tx['notifyAfterCommit']>[] = [];
  const begin = async (): Promise<pg.PoolClient> => {
    client = await pool.connect();
    await client.query('BEGIN');
    return client;
  };
  const held = (): pg.PoolClient | null => client;
  try {
    const result = await work({
      begin,
      notifyAfterCommit: (...notice) => void notices.push(notice),
    });
    await held()?.query('COMMIT');
    for (const notice of notices) sql.notifyAfterCommit(...notice);
    return result;
  } catch (error) {
    if (isSilent(error)) broken = error;
    else
      await held()
        ?.query('ROLLBACK')
        .catch((cause: unknown) => {
          broken = cause instanceof Error ? cause : new Error('rollback failed');
        });
    throw error;
  } finally {
    held()?.release(broken);
  }
}

export interface OwnPool extends Tx {
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
  const query = new Statements().over(pool);
  const notifier = new Notifier(query);
  return {
    query,
    notifyAfterCommit: (...notice) => notifier.notify(...notice),
    async close() {
      await notifier.end();
      await pool.end().catch(() => undefined);
    },
  };
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
    // The adapter writes times without an offset and reads them as UTC, whatever the server's time zone is.
    options: '-c TimeZone=UTC',
  });
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
    // A transaction may wait for a connection and for locks as long as one on `Sql` may.
    transactionOptions: { maxWait: 5_000, timeout: 15_000 },
  });
  // A connection of its own: listeners who wait for notices must not wait for the pool, too.
  const notifying = openOwnPool(url, {
    max: 1,
    statementTimeoutMs: 5_000,
    lockTimeoutMs: 5_000,
    name: 'workflow-automation-service notices',
  });
  const statements = new Statements();
  const sql: Tx = {
    query: statements.over(pool),
    notifyAfterCommit: (...notice) => notifying.notifyAfterCommit(...notice),
  };
  const batchers = new Batchers(sql);
  return {
    ...sql,
    batched: (text, key) => batchers.read(text, key),
    share: (write, item) => batchers.write(write, item),
    prisma,
    transaction: (work) =>
      inTransaction(pool, sql, async ({ begin, notifyAfterCommit }) => {
        const client = await begin();
        return work({ query: statements.over(client), notifyAfterCommit });
      }),
    deferred: (begun, work) =>
      inTransaction(pool, sql, ({ begin, notifyAfterCommit }) => {
        let open: Promise<Tx> | null = null;
        const opened = async (): Promise<Tx> => {
          const tx = { query: statements.over(await begin()), notifyAfterCommit };
          await begun(tx);
          return tx;
        };
        const query: Sql['query'] = async (text, params) => (await (open ??= opened())).query(text, params);
        const queryLast: Sql['query'] = (text, params) =>
          open === null ? sql.query(text, params) : query(text, params);
        return work({ query, queryLast, notifyAfterCommit });
      }),
    async close() {
      await prisma.$disconnect();
      await pool.end().catch(() => undefined);
      await notifying.close();
    },
  };
}
