/** Tells load balancers whether this process may get requests: the database answers, has what this build needs, and nothing drains. */
import { systemClock } from '../../base/clock.ts';
import type { Db } from '../../base/db/client.ts';
import type { DependencyName, DependencyWatch } from '../../base/observe/dependencies.ts';
import { isServable, readSchemaState, type SchemaState } from '../../base/db/migrations.ts';

/** The route is public: callers within this time share one read of the database. */
const CACHE_MS = 500;

export interface ReadinessReport {
  readonly status: 'ready' | 'not_ready';
  readonly database: boolean;
  /** Null: the database does not answer. */
  readonly schema: SchemaState | null;
  readonly draining: boolean;
  /** Names of dependencies that did not work when they were last asked. They decide nothing: other processes serve no better. */
  readonly failing: readonly DependencyName[];
}

interface ReadinessDeps {
  readonly db: Pick<Db, 'query'>;
  readonly watch: Pick<DependencyWatch, 'listFailing'>;
}

export class Readiness {
  #schema: Promise<SchemaState | null> = Promise.resolve(null);
  #cachedUntilMs = -Infinity;

  async read({ db, watch }: ReadinessDeps, draining: boolean): Promise<ReadinessReport> {
    if (this.#cachedUntilMs <= systemClock.monotonic()) {
      this.#cachedUntilMs = systemClock.monotonic() + CACHE_MS;
      this.#schema = readSchemaState(db);
    }
    const schema = await this.#schema;
    const isReady = isServable(schema) && !draining;
    const status = isReady ? 'ready' : 'not_ready';
    return { status, database: schema !== null, schema, draining, failing: watch.listFailing() };
  }
}
