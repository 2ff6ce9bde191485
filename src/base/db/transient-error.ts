/** Classifies errors of PostgreSQL and of the connection to it: their code, and whether a retry may succeed. */
import { Prisma } from './generated/client.ts';

/** @returns the SQLSTATE that PostgreSQL refused a statement with, or another program's code; '' for an error without one */
export function readSqlState(error: unknown): string {
  if (error instanceof Prisma.PrismaClientKnownRequestError) return stateBehind(error) ?? error.code;
  const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : '';
}

/** The SQLSTATE that Prisma wraps; its own codes do not tell a lock timeout from a missing function (both are P2039). */
function stateBehind({ meta }: Prisma.PrismaClientKnownRequestError): string | undefined {
  const wrapped = meta?.['driverAdapterError'] as { cause?: { originalCode?: string } } | undefined;
  return wrapped?.cause?.originalCode;
}

/** True for a second row with the same unique key (SQLSTATE 23505). */
export const isUniqueViolation = (error: unknown): boolean => readSqlState(error) === '23505';

/**
 * SQLSTATE classes (PostgreSQL, Appendix A): 08 connection, 25P03 idle in transaction, 40 rollback (deadlock,
 * serialization), 53 resources, 55P03 lock timeout, 57 operator intervention (shutdown, statement timeout), 58 system,
 * XX internal.
 */
const SQL_STATE = /^(?:08\w{3}|25P03|40\w{3}|53\w{3}|55P03|57\w{3}|58\w{3}|XX\w{3})$/;
const NETWORK: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Prisma's codes: unreachable, timed out, closed, pool exhausted, no transaction in time, too many connections. */
const PRISMA: ReadonlySet<string> = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037']);
/** The errors of pg and pg-pool that carry no code. */
const DRIVER_MESSAGES: ReadonlySet<string> = new Set([
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Connection terminated',
  'Connection terminated due to connection timeout',
  'Connection terminated unexpectedly',
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
]);

/**
 * True when the database is unavailable, stopping, overloaded or rolled back a transaction, so that the same statement may
 * succeed later. Decided by the error's code, or without one by the exact message of the driver.
 */
export function isTransientDatabaseError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = readSqlState(error);
  if (code === '') return DRIVER_MESSAGES.has(error.message);
  return SQL_STATE.test(code) || NETWORK.has(code) || PRISMA.has(code);
}

/** Those of SQL_STATE that say that the server is away: broken connections, a stop, a start, no connection left. */
const AWAY_STATE = /^(?:08\w{3}|57P0[1-3]|53300)$/;

/** True when the database cannot be reached, stops, starts or has no connection left; decided as isTransientDatabaseError. */
export function isDatabaseAway(error: unknown): boolean {
  if (!isTransientDatabaseError(error)) return false;
  const code = readSqlState(error);
  return code === '' || AWAY_STATE.test(code) || NETWORK.has(code) || PRISMA.has(code);
}
