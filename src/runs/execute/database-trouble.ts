/** A database that is away says nothing about a run: how that is told from other errors, and how it is outlasted. */
import { sqlStateOf } from '../../db/sql-state.ts';
import { NodeError } from '../../nodes/kind.ts';

/** SQLSTATE classes of a server or connection in trouble, and of transactions that may be tried again. */
const TROUBLE = /^(08|25P03|40|53|55|57|58|XX)/;
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/** True when the error says nothing about the run, only about the database. */
export function isDatabaseTrouble(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof NodeError) return false;
  const code = sqlStateOf(error);
  if (code !== '') return TROUBLE.test(code) || NETWORK.has(code);
  return /connection|timeout exceeded|terminat/i.test(error.message);
}

/** A restart of the database is over by then; what lasts longer is left to Temporal's retries. */
const OUTLAST_MS = 10_000;
const PAUSE_MS = 250;

/** Repeats idempotent `work` for some seconds while the database is in trouble: what a node has done is worth it. */
export async function outlastTrouble<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + OUTLAST_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseTrouble(error) || performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
