/** One pool of connections for Prisma Client and for SQL text; prisma/README.md says which statements are SQL, and why. */
import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { Batcher, readKind, type BatchKind } from './batcher.ts';
import { PrismaClient } from './generated/client.ts';
import type { Pace } from './notice-pace.ts';
import { Notifier } from './notify-after-commit.ts';
import {
  beginInContext,
  bindPrisma,
  refuseOpenTransactions,
  type RequestContext,
} from './request-context.ts';

export interface Sql {
  /** Runs one statement with bound parameters; the rows. */
  query<Row extends object = Record<string, unknown>>(
    text: string,
    params?: readonly unknown[],
  ): Promise<Row[]>;
}

/** Runs writes: in one transaction, or on the pool, where each statement is a transaction. */
export interface Tx extends Sql {
  /**
   * Notifies the listeners of a channel after the commit (notify-after-commit.ts).
   * @param message without a line break
   * @param pace delays a notice that only wakes its listeners; without one it is sent immediately
   */
  readonly notifyAfterCommit: (channel: string, message: string, pace?: Pace) => void;
}

/** A transaction that begins with its first statement. */
export interface DeferredTx extends Tx {
  /**
   * Runs a statement that begins no transaction: the last one, or a read of what nobody else changes. It runs in the transaction once
   * that has begun, because transactions that want a second connection may wait for each other.
   */
  readonly queryWithoutBegin: Sql['query'];
}

export interface BatchedReads {
  /**
   * Reads the rows of one key; concurrent reads by the same text share one statement (batcher.ts).
   * @param text a constant statement on arrays, one per part of the key; each row has the `place` of its key
   */
  readonly batched: <Row extends object>(text: string, key: readonly unknown[]) => Promise<Row[]>;
}

/** A kind of write whose items share statements. `run` gets the pool; `name` is unique. */
export interface SharedWrite<Item, Result> extends Omit<BatchKind<Item, Result>, 'run'> {
  readonly name: string;
  run(sql: Tx, items: readonly Item[]): Promise<readonly Result[]>;
}

/** The connections of a pool. */
export interface PoolState {
  readonly max: number;
  readonly used: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly queued: number;
}

export interface Db extends Tx, BatchedReads {
  /** Writes an item; concurrent items of one kind share one statement, which is a transaction (batcher.ts). */
  share<Item, Result>(write: SharedWrite<Item, Result>, item: Item): Promise<Result>;
  readonly prisma: PrismaClient;
  /** Runs `work` in one transaction (READ COMMITTED); rolls back when it throws. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a transaction that begins with its first statement, after `lockRows` has locked the rows that it relies on.
   * Work that only calls `queryWithoutBegin` once costs one round trip.
   */
  deferred<T>(lockRows: (tx: Tx) => Promise<void>, work: (tx: DeferredTx) => Promise<T>): Promise<T>;
  /**
   * Returns the same pool for a request: its queries, transactions and `prisma` have the context. `batched` has its organization
   * alone, and `share` nothing, because requests share their statements.
   */
  within(context: RequestContext): Db;
  /** Reads the state of the pool, for metrics. */
  readPool(): PoolState;
  close(): Promise<void>;
}

// Whole numbers of count(*) and bigserial stay far below 2^53 here.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Prepared statements per pool at most; text beyond it, usually composed by a call, is sent unnamed. */
const MAX_NAMED = 400;

/**
 * The prepared statements of a pool: the server parses and plans each once per connection (measured: of 8.6 ms of statement
 * time per effectful node, 6.8 ms were parse and bind).
 */
class Statements {
  readonly #names = new Map<string, string>();

  /** Returns a query function for one connection within the context, or for any connection of the pool. */
  over(client: pg.Pool | pg.PoolClient, context: RequestContext | null = null): Sql['query'] {
    // A plan is that of one role: the server would parse and plan a shared name again at each change.
    const suffix = (context?.organizationId ?? null) === null ? '' : '_tenant';
    return async <Row extends object>(text: string, params: readonly unknown[] = []) => {
      const name = params.length === 0 ? undefined : this.#findName(text);
      const result = await client.query<Row & pg.QueryResultRow>({
        text,
        values: [...params],
        ...(name === undefined ? {} : { name: `${name}${suffix}` }),
      });
      return result.rows;
    };
  }

  #findName(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= MAX_NAMED) return known;
    const name = `s${this.#names.size}_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
    this.#names.set(text, name);
    return name;
  }
}

/** Concurrent statements of one batched read: the second runs while the rows of the first are processed. */
const CONCURRENT_READS = 2;

/** A key of a batched read; the requests of one organization share statements, which see its rows alone. */
interface BatchedRead {
  readonly key: readonly unknown[];
  readonly organizationId: string | null;
}

/** The batchers of a pool, one for each batched read and each shared write. */
class Batchers {
  readonly #sql: Tx;
  readonly #queryWithin: (context: RequestContext | null) => Sql['query'];
  readonly #reads = new Map<string, Batcher<BatchedRead, object[]>>();
  readonly #writes = new Map<string, Batcher<unknown, unknown>>();

  constructor(sql: Tx, queryWithin: (context: RequestContext | null) => Sql['query']) {
    this.#sql = sql;
    this.#queryWithin = queryWithin;
  }

  read<Row extends object>(text: string, read: BatchedRead): Promise<Row[]> {
    const known = this.#reads.get(text) ?? new Batcher(this.#readKind(text));
    this.#reads.set(text, known);
    return known.add(read) as Promise<Row[]>;
  }

  #readKind(text: string): BatchKind<BatchedRead, object[]> {
    return {
      maxConcurrent: CONCURRENT_READS,
      getKey: ({ organizationId }) => organizationId ?? '',
      run: (reads) => {
        const organizationId = reads[0]?.organizationId ?? null;
        const query = this.#queryWithin(organizationId === null ? null : { request: '', organizationId });
        const { run } = readKind<object>((columns) => query(text, columns), CONCURRENT_READS);
        return run(reads.map(({ key }) => key));
      },
    };
  }

  write<Item, Result>(write: SharedWrite<Item, Result>, item: Item): Promise<Result> {
    const known =
      (this.#writes.get(write.name) as Batcher<Item, Result> | undefined) ??
      new Batcher({ ...write, run: (items: readonly Item[]) => write.run(this.#sql, items) });
    this.#writes.set(write.name, known as Batcher<unknown, unknown>);
    return known.add(item);
  }
}

/** Above `statement_timeout`, so it passes only if the server has stopped responding. */
const SILENCE_MS = 18_000;
/** Tells that the server stopped responding, for which pg has no code: the connection cannot even roll back. */
const isSilent = (error: unknown): error is Error =>
  error instanceof Error && error.message === 'Query read timeout';

/** Opens a pool whose broken connections do not end the process: the next query on one fails instead. */
function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ connectionTimeoutMillis: 3_000, idleTimeoutMillis: 30_000, ...config });
  // The pool replaces an idle connection that breaks, as in a restart of the server.
  pool.on('error', () => undefined);
  // The pool does not listen to connections in use, and an unhandled error between two queries would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Passed to the work of a transaction: opens its connection and collects its notices. */
interface TransactionStart extends Pick<Tx, 'notifyAfterCommit'> {
  /** Called once at most. */
  readonly begin: () => Promise<pg.PoolClient>;
}

/** Commits after `work` and sends its notices; rolls back when it throws. */
async function inTransaction<T>(
  { pool, context }: { readonly pool: pg.Pool; readonly context: RequestContext | null },
  sql: Tx,
  work: (start: TransactionStart) => Promise<T>,
): Promise<T> {
  let client: pg.PoolClient | null = null;
  let broken: Error | undefined;
  const notices: Parameters<Tx['notifyAfterCommit']>[] = [];
  const begin = async (): Promise<pg.PoolClient> => {
    client = await pool.connect();
    await beginInContext(client, context);
    return client;
  };
  const held = (): pg.PoolClient | null => client;
  try {
    const result = await work({
      begin,
      notifyAfterCommit: (...notice) => void notices.push(notice),
    });
    // The statement of `queryWithin` has been sent with its end.
    if (held()?.getTransactionStatus() !== 'I') await held()?.query('COMMIT');
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

/** Runs one statement within a context; the round trip that sends it also ends its transaction. */
const queryWithin =
  (start: Parameters<typeof inTransaction>[0], statements: Statements, sql: Tx): Sql['query'] =>
  (text, params) =>
    inTransaction(start, sql, async ({ begin }) => {
      const client = await begin();
      const rows = statements.over(client, start.context)(text, params);
      // It arrives behind the statement, and rolls back when that has failed.
      const ended = client.query('COMMIT');
      return (await Promise.all([rows, ended]))[0] as never;
    });

export interface OwnPool extends Tx {
  close(): Promise<void>;
}

interface OwnPoolOptions {
  readonly max: number;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly name: string;
  /** False: a commit returns before it is on disk, so a crash of the server may lose the latest ones. */
  readonly awaitsDisk?: boolean;
}

/**
 * Opens a small pool for work that must not wait behind requests. Queries fail a second after `statement_timeout`, in case
 * the server does not respond.
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

/** Opens one connection for statements that may take hours, such as building an index. @param url a postgresql:// URL */
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
    // A transaction begins, is given its context, and ends without a round trip for each.
    pipeline: true,
  });
  refuseOpenTransactions(pool);
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
    // A transaction may wait for a connection and for locks as long as one on `Sql` may.
    transactionOptions: { maxWait: 5_000, timeout: 15_000 },
  });
  // A separate connection: a busy pool would delay the notices.
  const notifying = openOwnPool(url, {
    max: 1,
    statementTimeoutMs: 5_000,
    lockTimeoutMs: 5_000,
    name: 'workflow-automation-service notices',
  });
  const statements = new Statements();
  const queryPool = statements.over(pool);
  const sql: Tx = {
    query: queryPool,
    notifyAfterCommit: (...notice) => notifying.notifyAfterCommit(...notice),
  };
  const within = (context: RequestContext | null): Sql['query'] =>
    context === null ? queryPool : queryWithin({ pool, context }, statements, sql);
  const batchers = new Batchers(sql, within);
  const shared: Pick<Db, 'notifyAfterCommit' | 'share' | 'readPool' | 'close'> = {
    notifyAfterCommit: sql.notifyAfterCommit,
    share: (write, item) => batchers.write(write, item),
    readPool: () => ({
      max,
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      queued: pool.waitingCount,
    }),
    async close() {
      await prisma.$disconnect();
      await pool.end().catch(() => undefined);
      await notifying.close();
    },
  };
  const open = (context: RequestContext | null): Db => {
    const start = { pool, context };
    const query = within(context);
    return {
      ...shared,
      query,
      batched: (text, key) => batchers.read(text, { key, organizationId: context?.organizationId ?? null }),
      get prisma() {
        return context === null ? prisma : bindPrisma(prisma, context);
      },
      within: open,
      transaction: (work) =>
        inTransaction(start, sql, async ({ begin, notifyAfterCommit }) => {
          const client = await begin();
          return work({ query: statements.over(client, context), notifyAfterCommit });
        }),
      deferred: (lockRows, work) =>
        inTransaction(start, sql, ({ begin, notifyAfterCommit }) => {
          let opening: Promise<Tx> | null = null;
          const opened = async (): Promise<Tx> => {
            const tx = { query: statements.over(await begin(), context), notifyAfterCommit };
            await lockRows(tx);
            return tx;
          };
          const queryTx: Sql['query'] = async (text, params) =>
            (await (opening ??= opened())).query(text, params);
          const queryWithoutBegin: Sql['query'] = (text, params) =>
            opening === null ? query(text, params) : queryTx(text, params);
          return work({ query: queryTx, queryWithoutBegin, notifyAfterCommit });
        }),
    };
  };
  return open(null);
}
