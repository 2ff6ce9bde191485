/** Starts whose first workflow task finds no worker for a while, as when the worker that began the run is lost with it. */
import { randomUUID } from 'node:crypto';
import { NativeConnection, Worker } from '@temporalio/worker';
import { vi } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { createLog } from '../../src/log.ts';
import { createInterpreterActivities } from '../../temporal/activities/bookkeeping.ts';
import { connectEngine } from '../../temporal/client/client.ts';
import { interpreterBundle, type Played, type TestEngine } from './engine.ts';
import { answer, eventually, questionsOf } from './journeys.ts';

/** Nothing is left to tell Temporal. */
export const delivered = (engine: TestEngine): Promise<true> =>
  eventually(async () => ((await engine.db.query('SELECT 1 FROM outbox')).length === 0 ? true : null));

/**
 * Plays a run that is started where nobody polls, and answers its node `ask`; then a worker comes, whose first task of the run
 * has the start and the answer.
 * @param ask plays the run until it asks
 * @returns the run as it asked, and the one that the answer began, at its end
 */
export async function answeredBeforeTheFirstTask(
  engine: TestEngine,
  ask: () => Promise<Played>,
): Promise<{ readonly asked: Played; readonly ended: Played }> {
  const taskQueue = `late-${randomUUID()}`;
  const config: Config = { ...engine.config, temporal: { ...engine.config.temporal, taskQueue } };
  const elsewhere = await connectEngine(config, createLog('silent', 'test'));
  const start = vi.spyOn(engine.engine, 'start');
  start.mockImplementationOnce((run, begun) => elsewhere.start(run, begun));
  const connection = await NativeConnection.connect({ address: config.temporal.address });
  try {
    const asked = await ask();
    await delivered(engine);
    const next = await answer(engine, asked, { interrupt_id: questionsOf(asked)['ask'] ?? '', data: 'so' });
    await delivered(engine);
    const worker = await Worker.create({
      connection,
      taskQueue,
      ...interpreterBundle(),
      activities: createInterpreterActivities(engine.deps),
    });
    return { asked, ended: await worker.runUntil(() => engine.follow(next)) };
  } finally {
    start.mockRestore();
    await elsewhere.close();
    await connection.close();
  }
}
