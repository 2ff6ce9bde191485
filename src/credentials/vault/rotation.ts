/** Rotation of the keys: which ones stored credentials still need, and moving all of them to the one that writes. */
import type { Db } from '../../db/client.ts';
import { ConfigError, type Config } from '../../config/config.ts';
import type { Logger } from '../../log.ts';
import { UnreadableError } from './envelope.ts';
import { Vault } from './vault.ts';

const BATCH = 200;

interface WrappedRow {
  readonly id: string;
  readonly organization_id: string;
  readonly key_id: string;
  readonly wrapped_key: Buffer;
}

/** Keys that stored credentials need and that are not configured. */
async function missingKeys(
  db: Pick<Db, 'query'>,
  config: Pick<Config, 'encryptionKeys'>,
): Promise<{ readonly key_id: string; readonly credentials: number }[]> {
  return db.query(
    `SELECT key_id, count(*)::int AS credentials FROM credentials
     WHERE NOT key_id = ANY ($1::text[]) GROUP BY key_id ORDER BY key_id`,
    [config.encryptionKeys.map(({ id }) => id)],
  );
}

/**
 * Refuses a start that would find credentials it cannot read (SPEC SEC-Z05); in development it is only said.
 * A database that is away does not hold a start up: reading fails then, too.
 * @throws ConfigError in staging and production
 */
export async function requireKeys(deps: {
  readonly db: Pick<Db, 'query'>;
  readonly config: Pick<Config, 'encryptionKeys' | 'env'>;
  readonly log: Logger;
}): Promise<void> {
  const { db, config, log } = deps;
  let missing: Awaited<ReturnType<typeof missingKeys>>;
  try {
    missing = await missingKeys(db, config);
  } catch (error) {
    log.warn({ err: error }, 'whether all encryption keys are configured could not be checked');
    return;
  }
  if (missing.length === 0) return;
  const needs = missing
    .map(({ key_id, credentials }) => `${JSON.stringify(key_id)} (${credentials})`)
    .join(', ');
  const message = `ENCRYPTION_KEYS: stored credentials need keys that are not configured: ${needs}`;
  if (config.env === 'staging' || config.env === 'production') throw new ConfigError(message);
  log.warn(message);
}

/**
 * Wraps every credential with the key that writes. Safe to repeat and to run beside the service.
 * @returns how many were changed, and how many cannot be read
 */
export async function rewrapAll(deps: {
  readonly db: Pick<Db, 'query'>;
  readonly config: Pick<Config, 'encryptionKeys'>;
  readonly log: Logger;
}): Promise<{ readonly rewrapped: number; readonly unreadable: number }> {
  const vault = new Vault(deps);
  const writing = deps.config.encryptionKeys[0]?.id ?? '';
  let rewrapped = 0;
  let unreadable = 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const rows = await deps.db.query<WrappedRow>(
      `SELECT id, organization_id, key_id, wrapped_key FROM credentials
       WHERE key_id <> $1 AND id > $2 ORDER BY id LIMIT ${BATCH}`,
      [writing, after],
    );
    for (const row of rows) {
      const owner = { organizationId: row.organization_id, credentialId: row.id };
      try {
        if (await vault.rewrap(owner, { keyId: row.key_id, wrappedKey: row.wrapped_key })) rewrapped += 1;
      } catch (error) {
        if (!(error instanceof UnreadableError)) throw error;
        unreadable += 1;
        deps.log.error({ err: error, credential_id: row.id }, 'a credential cannot be read');
      }
    }
    const last = rows.at(-1);
    if (last === undefined) return { rewrapped, unreadable };
    after = last.id;
  }
}
