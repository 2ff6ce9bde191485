/** An orchestrator would kill a worker that polls, or keep one that has ended. */
import { expect, test } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { openWorkerPort } from '../../temporal/worker/port.ts';
import { startEngine } from '../support/engine.ts';

test('it is ready once all four workers poll, and no longer when they have ended', async () => {
  const engine = await startEngine();
  const { config, db, workers } = engine;
  const watch = { listFailing: () => [] };
  const deps = { config, db, watch, log: createLog('silent', 'test'), workers: { ...workers } };
  const port = await openWorkerPort(deps, 0);
  const ready = async (): Promise<unknown> => (await fetch(`http://127.0.0.1:${port?.port}/ready`)).json();
  await expect.poll(ready).toEqual({
    status: 'ready',
    database: true,
    schema: 'current',
    polling: { interpreter: true, nodes: true, ingest: true, own: true },
    failing: [],
  });
  await engine.close();
  expect(await ready()).toEqual({
    status: 'not_ready',
    database: false,
    schema: null,
    polling: { interpreter: false, nodes: false, ingest: false, own: false },
    failing: [],
  });
  await port?.close();
});
