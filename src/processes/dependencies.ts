/** The questions of each process to what it relies on, which the doctor asks, too. */
import { askIdentityProvider } from '../platform/access/provider-json.ts';
import { askMailServer } from '../features/answers/mail.ts';
import type { Config } from '../base/config/config.ts';
import type { Sql } from '../base/db/client.ts';
import type { Dependency } from '../base/observe/dependencies.ts';
import { askModelServer } from '../platform/outbound/ask-model-server.ts';
import type { RunEngine } from '../engine/runs/engine.ts';
import { requireFired } from '../engine/schedules/overdue.ts';

/** Servers of the installation: their questions cost a millisecond. */
const OWN_MS = 5_000;
/** Servers of others, and counts. */
const OTHERS_MS = 15_000;

/** Asks PostgreSQL. */
export const onDatabase = (db: Sql): Dependency[] => [
  { name: 'database', everyMs: OWN_MS, ask: () => db.query('SELECT 1') },
];

/** Asks Temporal for the namespace, and the record for schedules that did not fire. */
export const onTemporal = (engine: Pick<RunEngine, 'readNamespace'>, db: Sql): Dependency[] => [
  { name: 'temporal', everyMs: OWN_MS, ask: () => engine.readNamespace() },
  { name: 'schedules', everyMs: OTHERS_MS, ask: () => requireFired(db) },
];

/** Asks for the provider's key set. */
export const onIdentityProvider = ({ auth: { jwksUrl } }: Pick<Config, 'auth'>): Dependency[] =>
  jwksUrl === undefined
    ? []
    : [{ name: 'identity_provider', everyMs: OTHERS_MS, ask: () => askIdentityProvider(jwksUrl) }];

/** Asks the server of the managed model. */
export const onModel = ({ managedLlm }: Pick<Config, 'managedLlm'>): Dependency[] =>
  managedLlm === null ? [] : [{ name: 'model', everyMs: OTHERS_MS, ask: () => askModelServer(managedLlm) }];

/** Asks the server of the managed embedding model. */
export const onEmbeddingModel = ({ managedEmbedding }: Pick<Config, 'managedEmbedding'>): Dependency[] =>
  managedEmbedding === null
    ? []
    : [{ name: 'embedding_model', everyMs: OTHERS_MS, ask: () => askModelServer(managedEmbedding) }];

/** Asks the mail server. */
export const onMail = ({ mail }: Pick<Config, 'mail'>): Dependency[] =>
  mail === null ? [] : [{ name: 'smtp', everyMs: OTHERS_MS, ask: () => askMailServer(mail) }];
