/** Key rotation: finds the keys that stored credentials need, and wraps all data keys with the writing key. */
import type { Db } from '../../../base/db/client.ts';
import { ConfigError, type Config } from '../../../base/config/config.ts';
import type { Logger } from '../../../base/log.ts';
import { UnreadableError } from './envelope.ts';
import { SEALED_TABLES, Vault } from './vault.ts';

const BATCH = 200;

interface WrappedRow {
  readonly id: string;
  readonly organization_id: string;
  readonly key_id: string;
  readonly wrapped_key: Buffer;
}

interface RotationDeps {
  readonly db: Pick<Db, 'query'>;
  readonly config: Pick<Config, 'encryptionKeys'>;
  readonly log: Logger;
}

/**
 * Describes the keys that stored credentials need and that are not configured; null when there are none.
 * @throws when the database does not answer
 */
export async function describeMissingKeys(
  db: Pick<Db, 'query'>,
  config: Pick<Config, 'encryptionKeys'>,
): Promise<string | null> {
  const missing = await db.query<{ key_id: string; credentials: number }>(
    `SELECT key_id, count(*)::int AS credentials
     FROM (SELECT key_id FROM credentials UNION ALL SELECT key_id FROM hooks
           UNION ALL SELECT key_id FROM integration_types WHERE key_id IS NOT NULL
           UNION ALL SELECT key_id FROM notification_endpoints UNION ALL SELECT key_id FROM held_effects
           UNION ALL SELECT key_id FROM files) AS sealed
     WHERE NOT key_id = ANY ($1::text[]) GROUP BY key_id ORDER BY key_id`,
    [config.encryptionKeys.map(({ id }) => id)],
  );
  if (missing.length === 0) return null;
  const needs = missing
    .map(({ key_id, credentials }) => `${JSON.stringify(key_id)} (${credentials})`)
    .join(', ');
  return `ENCRYPTION_KEYS: stored credentials need keys that are not configured: ${needs}`;
}

/**
 * Fails the start when a stored credential needs a key that is not configured (SPEC SEC-Z05); development only logs it. An
 * unavailable database does not fail the start, because reading credentials would fail as well.
 * @throws ConfigError in staging and production
 */
export async function requireKeys(deps: {
  readonly db: Pick<Db, 'query'>;
  readonly config: Pick<Config, 'encryptionKeys' | 'env'>;
  readonly log: Logger;
}): Promise<void> {
  const { db, config, log } = deps;
  let message: string | null;
  try {
    message = await describeMissingKeys(db, config);
  } catch (error) {
    log.warn({ err: error }, 'could not check whether all encryption keys are configured');
    return;
  }
  if (message === null) return;
  if (config.env === 'staging' || config.env === 'production') throw new ConfigError(message);
  log.warn(message);
}

/**
 * Wraps every data key with the writing key. It may be repeated, and may run beside the service.
 * @returns how many were rewrapped and how many are unreadable
 */
export async function rewrapAll(
  deps: RotationDeps,
): Promise<{ readonly rewrapped: number; readonly unreadable: number }> {
  let rewrapped = 0;
  let unreadable = 0;
  for (const table of SEALED_TABLES) {
    const counts = await rewrapTable(deps, table);
    rewrapped += counts.rewrapped;
    unreadable += counts.unreadable;
  }
  return { rewrapped, unreadable };
}

async function rewrapTable(
  deps: RotationDeps,
  table: (typeof SEALED_TABLES)[number],
): Promise<{ readonly rewrapped: number; readonly unreadable: number }> {
  const vault = new Vault(deps);
  const writing = deps.config.encryptionKeys[0]?.id ?? '';
  let rewrapped = 0;
  let unreadable = 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const rows = await deps.db.query<WrappedRow>(
      `SELECT id, organization_id, key_id, wrapped_key FROM ${table}
       WHERE key_id <> $1 AND id > $2 ORDER BY id LIMIT ${BATCH}`,
      [writing, after],
    );
    for (const row of rows) {
      const owner = { organizationId: row.organization_id, credentialId: row.id };
      try {
        const sealed = { keyId: row.key_id, wrappedKey: row.wrapped_key };
        if (await vault.rewrap(owner, sealed, table)) rewrapped += 1;
      } catch (error) {
        if (!(error instanceof UnreadableError)) throw error;
        unreadable += 1;
        deps.log.error({ err: error, table, id: row.id }, 'a sealed secret is unreadable');
      }
    }
    const last = rows.at(-1);
    if (last === undefined) return { rewrapped, unreadable };
    after = last.id;
  }
}
