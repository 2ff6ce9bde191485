/** Tells load balancers whether this process may get requests: the database answers, has what this build needs, and nothing drains. */
import { systemClock } from '../../clock.ts';
import type { Db } from '../../db/client.ts';
import { readSchemaState, type SchemaState } from '../../db/migrations.ts';

/** The route is public: callers share one look at the database within this time. */
const LOOK_MS = 500;

export interface ReadinessReport {
  readonly status: 'ready' | 'not_ready';
  readonly database: boolean;
  /** Null: the database does not answer. */
  readonly schema: SchemaState | null;
  readonly draining: boolean;
}

export class Readiness {
  #look: Promise<SchemaState | null> = Promise.resolve(null);
  #endsMs = -Infinity;

  async read(db: Pick<Db, 'query'>, draining: boolean): Promise<ReadinessReport> {
    if (this.#endsMs <= systemClock.monotonic()) {
      this.#endsMs = systemClock.monotonic() + LOOK_MS;
      this.#look = readSchemaState(db);
    }
    const schema = await this.#look;
    const isReady = schema !== null && schema !== 'older' && !draining;
    return { status: isReady ? 'ready' : 'not_ready', database: schema !== null, schema, draining };
  }
}
