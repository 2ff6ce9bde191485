/** Findings of the doctor's checks, with their remedies. */
import { NamespaceMissing } from '../base/errors.ts';
import { readSqlState } from '../base/db/transient-error.ts';

export type Status = 'ok' | 'warning' | 'failed';

export interface Finding {
  readonly check: string;
  readonly status: Status;
  readonly message: string;
  /** How to fix it; null when there is nothing to fix. */
  readonly remedy: string | null;
}

export const REACH_DATABASE = 'Check DATABASE_URL, and that PostgreSQL runs and can be reached from here.';
export const MIGRATE = 'Run `node dist/src/base/db/migrate.js`.';
const SET_UP_TEMPORAL =
  'Run `node dist/src/processes/admin.js temporal:setup`, or correct TEMPORAL_NAMESPACE.';

/** The check has found nothing to mend. */
export const pass = (check: string, message: string): Finding => ({
  check,
  status: 'ok',
  message,
  remedy: null,
});
/** The service works, and may not for long. */
export const warn = (check: string, message: string, remedy: string): Finding => ({
  check,
  status: 'warning',
  message,
  remedy,
});
/** The service does not work. */
export const fail = (check: string, message: string, remedy: string): Finding => ({
  check,
  status: 'failed',
  message,
  remedy,
});
/** Describes an error in words. */
export const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Chooses the remedy of a check that broke: it may read the database for another purpose. */
function chooseRemedy(error: unknown, remedy: string): string {
  if (error instanceof NamespaceMissing) return SET_UP_TEMPORAL;
  // 42P01 and 42703: a table or a column is missing.
  if (/^42(?:P01|703)$/.test(readSqlState(error))) return MIGRATE;
  return remedy;
}

/** Runs a check; an error of it is its finding. */
export async function attempt(
  name: string,
  remedy: string,
  check: () => Promise<Finding | Finding[]>,
): Promise<Finding[]> {
  try {
    return [await check()].flat();
  } catch (error) {
    return [fail(name, describe(error), chooseRemedy(error, remedy))];
  }
}
