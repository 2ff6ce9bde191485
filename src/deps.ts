/** What services need, as one plain object: built once per process, passed first, faked in tests. */
import type { KeySet } from './access/jwt.ts';
import type { KeyUse } from './access/key-use.ts';
import type { TopupPort } from './billing/topup.ts';
import type { Config } from './config.ts';
import type { Db } from './db/client.ts';
import type { Dispatcher } from './runs/outbox/dispatcher.ts';
import type { EmbeddingPort } from './knowledge/embedding-port.ts';
import type { IngestSyncer } from './knowledge/ingest-syncer.ts';
import type { Logger } from './log.ts';
import type { RunFeed } from './runs/stream/feed.ts';
import type { Secrets } from './credentials/vault/secrets.ts';
import type { RunEngine } from './runs/engine.ts';
import type { ScheduleEngine } from './schedules/schedule-engine.ts';
import type { ScheduleSyncer } from './schedules/schedule-syncer.ts';

export interface Deps {
  readonly config: Config;
  readonly db: Db;
  readonly log: Logger;
  /** The identity provider's keys: verifies JWTs. */
  readonly keySet: KeySet;
  /** Coalesces last_used_at and last_used_ip updates of API keys. */
  readonly keyUse: KeyUse;
  /** The executions of runs in Temporal. */
  readonly engine: RunEngine;
  /** Temporal's Schedules. */
  readonly scheduleEngine: ScheduleEngine;
  /** Tells Temporal of changed schedules; kicked after each commit that changes one. */
  readonly scheduleSyncer: Pick<ScheduleSyncer, 'kick'>;
  /** Has Temporal ingest documents; kicked after each commit that accepts one. */
  readonly ingestSyncer: Pick<IngestSyncer, 'kick'>;
  /** Delivers the outbox to Temporal; kicked after each commit that adds to it. */
  readonly dispatcher: Dispatcher;
  /** Wakes the streams of this process when runs get new events. */
  readonly feed: RunFeed;
  /** The models of knowledge bases, for one request: every secret that it opens is added to `secrets`. */
  readonly embedder: (secrets: Secrets) => EmbeddingPort;
  /** Payments into wallets; null: this deployment has no payment provider. */
  readonly topups: TopupPort | null;
}
