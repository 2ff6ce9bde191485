/**
 * Transactions that have the context of a request: it is set for the transaction alone, before the first statement is sent, so a
 * statement runs in its context or not at all, and a connection keeps none.
 */
import type pg from 'pg';
import { Prisma, type PrismaClient } from './generated/client.ts';
import { FIND_TENANT_ROLE, TENANT_ROLE } from './tenant-role.ts';

/** Known to triggers and policies of the database while a statement runs. */
export interface RequestContext {
  /** The actor and its address as JSON, for the audit log (`app.request`). */
  readonly request: string;
  /** The organization whose rows the statements see (`app.organization_id`); null: those of all. */
  readonly organizationId: string | null;
}

/** The role of an organization's statements, looked up each time: a transaction pooler changes the session between two transactions. */
const ROLE = `CASE WHEN EXISTS (${FIND_TENANT_ROLE}) THEN '${TENANT_ROLE}' ELSE 'none' END`;

/** Begins a transaction whose statements have the context. @param client in pipeline mode, which sends both in one round trip */
export async function beginInContext(client: pg.ClientBase, context: RequestContext | null): Promise<void> {
  const begun = client.query('BEGIN');
  if (context === null) return void (await begun);
  const set = client.query({
    name: 'request_context',
    text: `
      SELECT set_config('app.request', $1, true), set_config('app.organization_id', $2, true),
        set_config('role', CASE WHEN $2 = '' THEN 'none' ELSE ${ROLE} END, true)`,
    values: [context.request, context.organizationId ?? ''],
  });
  await Promise.all([begun, set]);
}

/** Closes connections that come back to the pool within a transaction: their next statement would have its context. */
export function refuseOpenTransactions(pool: pg.Pool): void {
  pool.on('release', (_error, client) => {
    if (client.getTransactionStatus() !== 'I') void client.end();
  });
}

/** Returns a client of the same engine whose operations and transactions have the context. */
export function bindPrisma(prisma: PrismaClient, context: RequestContext): PrismaClient {
  const setContext = (client: Pick<Prisma.TransactionClient, '$executeRaw'>): Prisma.PrismaPromise<number> =>
    client.$executeRaw`
      SELECT set_config('app.request', ${context.request}, true), set_config('app.organization_id', ${context.organizationId ?? ''}, true),
        set_config('role', CASE WHEN ${context.organizationId === null} THEN 'none' ELSE ${Prisma.raw(ROLE)} END, true)`;
  return prisma.$extends({
    query: {
      async $allOperations({ args, query }) {
        // Prisma merges lookups of one tick, but those of different transactions never.
        const operation = query(args) as Prisma.PrismaPromise<unknown>;
        const [, result] = await prisma.$transaction([setContext(prisma), operation]);
        return result;
      },
    },
    client: {
      $transaction: <T>(work: (tx: Prisma.TransactionClient) => Promise<T>, options?: object): Promise<T> =>
        prisma.$transaction(async (tx) => {
          await setContext(tx);
          return work(tx);
        }, options),
    },
  }) as unknown as PrismaClient;
}
