/** Tells a database that is away from a fault of ours: the answer is the same, but worth asking for again soon. */

/** Seconds until a client should ask again: a restart of PostgreSQL takes about so long. */
export const OUTAGE_RETRY_SECONDS = 5;

/** SQLSTATE classes of connections and shutdowns, the socket's errors, and Prisma's own names for both. */
const CODE =
  /^(?:08\w{3}|57P0[123]|53300|E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NOTFOUND)|P10(?:01|02|08|17)|P2024|P2037)$/;
/** What the driver says without a code. */
const WORDS =
  /^(?:timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error)/;

/** True if an error says that PostgreSQL cannot be reached, is starting or stopping, or does not answer. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return CODE.test(code) || WORDS.test(error.message) || isOutage(error.cause);
}
