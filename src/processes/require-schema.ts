/** Fails the start of a process whose database does not suit its build: it would answer requests that it cannot serve. */
import type { Db } from '../base/db/client.ts';
import { compareMigrations } from '../base/db/migrations.ts';
import type { Logger } from '../base/log.ts';
import { StartError } from './process.ts';

/**
 * Requires the migrations of this build. A database of a later build is fine until it has removed what this one uses, and an unavailable
 * one does not fail the start.
 * @throws StartError that says what to run
 */
export async function requireSchema({
  db,
  log,
}: {
  readonly db: Pick<Db, 'query'>;
  readonly log: Logger;
}): Promise<void> {
  let compared: Awaited<ReturnType<typeof compareMigrations>>;
  try {
    compared = await compareMigrations(db);
  } catch (error) {
    log.warn({ err: error }, 'could not check the migrations of the database');
    return;
  }
  const { missing, newer, required } = compared;
  if (required !== null)
    throw new StartError(
      `The database needs a version that has the migration ${required}: it has removed what this one uses. ` +
        'Start such a version, or restore the backup from before that upgrade.',
    );
  if (newer.length > 0) log.info({ newer }, 'the database has migrations of a later version');
  const [first, ...others] = missing;
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  throw new StartError(
    `The database lacks the migration ${first}${more}. Run \`npm run migrate\` first (in the image: \`node dist/src/base/db/migrate.js\`).`,
  );
}
