/** What an advance of a run needs, over a database of the test's own: no Temporal, as its activity is called directly. */
import { randomUUID } from 'node:crypto';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import { readConfig } from '../../src/base/config/config.ts';
import type { Db } from '../../src/base/db/client.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { storeDefinition } from '../../src/engine/runs/ledger/write/definitions.ts';
import { createLog } from '../../src/base/log.ts';
import { createCompositionPort } from '../../src/features/workflows/composition-port.ts';
import { buildNodeTools } from '../../temporal/worker/node-tools.ts';
import { BYTE_LIMITS } from '../../src/platform/outbound/answer-bytes.ts';
import { createExecuteDeps, type ExecuteDeps } from '../../src/engine/runs/execute/deps.ts';
import { ByteBudget } from '../../src/base/shares/byte-budget.ts';
import type { RunRef } from '../../src/engine/runs/engine.ts';
import type { Host } from '../../src/engine/runs/execute/host.ts';
import type { AdvanceInput, NodeTask } from '../../src/engine/runs/execute/protocol.ts';
import { createAttemptSlots, WORKER_SLOTS } from '../../temporal/worker/worker-slots.ts';
import { openTestDatabase } from './database.ts';
import { accept } from './runs.ts';

export interface Advancing {
  readonly db: Db;
  readonly deps: ExecuteDeps;
  /** An accepted run. @param organizationId one of its own when it is left out */
  run(definition: JsonObject, input?: JsonObject, organizationId?: string): Promise<RunRef>;
  close(): Promise<void>;
}

/** A host that waits for the end of an attempt, and hears of nothing else. */
export const patientHost: Host = {
  patienceMs: null,
  signal: new AbortController().signal,
  cancelRequested: () => false,
  startHeartbeat: () => () => undefined,
  awaitCancellation: () => Promise.resolve(),
};

/** The task of a run's first node. */
export const firstTask = ({ organizationId, rootRunPk }: RunRef, nodeId: string): NodeTask => ({
  organizationId,
  rootRunPk,
  runPk: rootRunPk,
  nodeId,
  visit: 1,
  depth: 1,
  position: 1,
  itemIndex: -1,
  iteration: null,
  loop: {},
});

/** The input of a run's first advance. */
export const firstAdvance = ({ organizationId, rootRunPk }: RunRef): AdvanceInput => ({
  organizationId,
  rootRunPk,
  advance: 1,
  progress: '',
  elapsed: [],
  skipped: [],
  inFlight: 0,
  wantsSkeleton: true,
});

/**
 * @param clock of the advances
 * @param connections of the pool
 */
export async function startAdvancing(
  environment: Record<string, string> = {},
  clock: Clock = systemClock,
  connections?: number,
): Promise<Advancing> {
  const worker = { workerId: randomUUID(), queue: 'worker' };
  const db = await openTestDatabase(connections);
  const config = readConfig({
    APP_ENV: 'test',
    DATABASE_URL: db.url,
    LOG_LEVEL: 'fatal',
    ...environment,
  });
  const log = createLog(config.logLevel, 'test');
  const tools = await buildNodeTools({ config, compositions: createCompositionPort(db), db, log });
  return {
    db,
    deps: createExecuteDeps({
      db,
      tools,
      log,
      clock,
      worker,
      ...createAttemptSlots(WORKER_SLOTS),
      bytes: new ByteBudget(BYTE_LIMITS),
    }),
    async run(definition, input = {}, given) {
      const organizationId = given ?? (await accept(db)).organizationId;
      const definitionHash = await storeDefinition(db, organizationId, definition);
      const { runPk } = await accept(db, {
        organizationId,
        definitionHash,
        runInput: input,
        recursionLimit: 2_000,
      });
      return { organizationId, rootRunPk: runPk };
    },
    async close() {
      await tools.close();
      await db.close();
    },
  };
}
