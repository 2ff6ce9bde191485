/**
 * Statements that carry the context of a request: it is set in the same transaction and the same round trip as the statement, so
 * a connection never keeps that of another request.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import type { PrismaClient } from './generated/client.ts';
import { FIND_TENANT_ROLE, TENANT_ROLE } from './tenant-role.ts';

/** Known to triggers and policies of the database while a statement runs. */
export interface RequestContext {
  /** The actor and its address as JSON, for the audit log (`app.request`). */
  readonly request: string;
  /** The organization whose rows the statements see (`app.organization_id`); null: those of all. */
  readonly organizationId: string | null;
}

const SET_CONTEXT = {
  name: 'request_context',
  text: `
    SELECT set_config('app.request', $1, true), set_config('app.organization_id', $2, true), set_config('role', $3, true)`,
};
const NO_CONTEXT = ['', '', 'none'];

/** Reaches the pool through Prisma Client, which cannot be given a connection. Only `connect` reads it. */
const current = new AsyncLocalStorage<RequestContext>();

/** Parts of pg's connections and queries without types of their own. */
interface Wire {
  bind(message: { statement: string; values: readonly string[] }): void;
  execute(message: object): void;
}
interface PreparedQuery extends pg.Submittable {
  prepare(connection: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: unknown): void;
}
type QueryArguments = readonly [config: object, values?: unknown, callback?: unknown];
const PreparedQueryBase = pg.Query as unknown as new (...args: QueryArguments) => PreparedQuery;

/** A statement after its context: the server runs both in one transaction, which the client's one Sync ends. */
class QueryInContext extends PreparedQueryBase {
  readonly #values: readonly string[];
  #isContextSet = false;

  constructor(values: readonly string[], args: QueryArguments) {
    super(...args);
    this.#values = values;
  }

  override prepare(connection: Wire): void {
    connection.bind({ statement: SET_CONTEXT.name, values: this.#values });
    connection.execute({});
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.#isContextSet) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: unknown): void {
    if (this.#isContextSet) super.handleCommandComplete(message, connection);
    this.#isContextSet = true;
  }
}

/** Statements that begin and end transactions work in an aborted transaction, too, where a context cannot be set. */
const BOUNDARY = /^\s*(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET)\b/i;

class ClientInContext extends pg.Client {
  context: RequestContext | null = null;
  /** Looked for once: a look for each statement took 45 µs. */
  hasTenantRole = false;

  // The overloads of pg are those of one method.
  override query(...args: unknown[]): never {
    const [given, values, callback] = args;
    const config = (typeof given === 'string' ? { text: given } : given) as {
      readonly text: string;
      readonly name?: string;
    };
    const plain = super.query.bind(this) as (...given: unknown[]) => never;
    if (this.context === null || BOUNDARY.test(config.text)) return plain(...args);
    const [bound, done] = typeof values === 'function' ? [undefined, values] : [values, callback];
    const { request, organizationId } = this.context;
    const isWalled = organizationId !== null && this.hasTenantRole;
    const context = [request, organizationId ?? '', isWalled ? TENANT_ROLE : 'none'];
    const extended = {
      ...config,
      // Extended, also without values: a simple query would be a message of its own.
      queryMode: 'extended',
      // A plan is that of one role: the server would parse and plan a shared name again at each change.
      ...(isWalled && config.name !== undefined ? { name: `${config.name}_walled` } : {}),
    };
    if (done !== undefined) return plain(new QueryInContext(context, [extended, bound, done]));
    return new Promise((resolve, reject) => {
      plain(
        new QueryInContext(context, [
          extended,
          bound,
          (error: Error | null, result: unknown) => (error === null ? resolve(result) : reject(error)),
        ]),
      );
    }) as never;
  }
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A pool whose connections have the context of their present user. */
export class PoolInContext extends pg.Pool {
  constructor(config: pg.PoolConfig) {
    super({
      ...config,
      Client: ClientInContext as never,
      // The pool waits for it, though its type has no promise.
      onConnect: (async (client: ClientInContext) => {
        client.hasTenantRole = (await (client as pg.Client).query(FIND_TENANT_ROLE)).rowCount === 1;
        await (client as pg.Client).query({ ...SET_CONTEXT, values: NO_CONTEXT });
      }) as never,
    });
  }

  // Called by `query`, too.
  override connect(connected?: Connected): never {
    const context = current.getStore() ?? null;
    const adopt = <Client extends pg.PoolClient | undefined>(client: Client): Client => {
      if (client !== undefined) (client as unknown as ClientInContext).context = context;
      return client;
    };
    if (connected === undefined) return super.connect().then(adopt) as never;
    return super.connect((error, client, done) => connected(error, adopt(client), done)) as never;
  }
}

/** Connects and queries of `work` have the context. @param context null: none */
export const inContext = <T>(context: RequestContext | null, work: () => T): T =>
  context === null ? work() : current.run(context, work);

/** Returns a client of the same engine whose statements have the context. */
export function bindPrisma(prisma: PrismaClient, context: RequestContext): PrismaClient {
  const bound = prisma.$extends({
    // Prisma begins a query when it is awaited.
    query: { $allOperations: ({ args, query }) => inContext(context, async () => await query(args)) },
  }) as unknown as PrismaClient;
  const transact = bound.$transaction.bind(bound) as (
    work: (tx: unknown) => Promise<unknown>,
    options?: object,
  ) => Promise<unknown>;
  return new Proxy(bound, {
    get: (target, name) =>
      name === '$transaction'
        ? (work: (tx: unknown) => Promise<unknown>, options?: object) =>
            // The work itself may use other connections, which are not the request's.
            inContext(context, () => transact((tx) => current.exit(() => work(tx)), options))
        : (Reflect.get(target, name) as unknown),
  });
}
