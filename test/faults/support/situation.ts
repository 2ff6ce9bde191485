/** What every fault test stands on: a service of real processes, what its runs call, and a look into its records. */
import { Client, Connection } from '@temporalio/client';
import { openDb, type Db } from '../../../src/base/db/client.ts';
import { testDatabase } from '../../support/database.ts';
import { startHttpRecorder, type HttpRecorder } from '../../support/http-recorder.ts';
import { startModelServer, type ModelServer } from '../../support/model-server.ts';
import { startService, type Service } from '../../support/service.ts';
import { testTemporal } from '../../support/temporal.ts';

export interface Situation {
  readonly service: Service;
  readonly recorder: HttpRecorder;
  readonly model: ModelServer;
  readonly db: Db;
  readonly temporal: Client;
  readonly temporalAddress: string;
  readonly databaseUrl: string;
  close(): Promise<void>;
}

interface Own {
  /** Servers of the test's own, in place of the shared ones. */
  readonly temporalAddress?: string;
  readonly databaseUrl?: string;
  /** The build that the processes run; the one under test unless given. */
  readonly built?: string;
  /** Beside what every situation sets. */
  readonly environment?: Readonly<Record<string, string>>;
}

export async function startSituation(own: Own = {}): Promise<Situation> {
  const database =
    own.databaseUrl === undefined ? await testDatabase() : { url: own.databaseUrl, drop: async () => {} };
  const temporalAddress = own.temporalAddress ?? testTemporal().address;
  const [recorder, model] = await Promise.all([startHttpRecorder(), startModelServer()]);
  const service = await startService({
    databaseUrl: database.url,
    temporalAddress,
    built: own.built,
    environment: {
      OUTBOUND_ALLOW: `${recorder.hostPort},${model.hostPort}`,
      MANAGED_LLM_BASE_URL: model.baseUrl,
      MANAGED_LLM_API_KEY: 'managed-llm-key',
      MANAGED_LLM_MODEL: 'test-model',
      MANAGED_EMBEDDING_BASE_URL: model.baseUrl,
      MANAGED_EMBEDDING_MODEL: 'test-embedding',
      ...own.environment,
    },
  });
  const db = openDb(database.url, 5);
  const connection = Connection.lazy({ address: temporalAddress });
  // The tests are about faults, not about what a plan allows.
  await db.query(`UPDATE organizations SET plan = 'enterprise'`);
  return {
    service,
    recorder,
    model,
    db,
    temporal: new Client({ connection }),
    temporalAddress,
    databaseUrl: database.url,
    async close() {
      await service.close();
      await Promise.all([recorder.close(), model.close(), connection.close()]);
      await db.close();
      await database.drop();
    },
  };
}
