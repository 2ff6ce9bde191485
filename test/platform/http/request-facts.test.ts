/** Every answer would be searched for the ids of runs: the bytes of a file one by one, which held the event loop for seconds. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { beginFacts, noteRun } from '../../../src/platform/http/request-facts.ts';

test('the ids of a run are read by name, and an answer is not searched for them', () => {
  const ctx = { state: {} };
  const facts = beginFacts(ctx, 'request');
  const runPk = randomUUID();
  const search = () => {
    throw new Error('The answer was searched');
  };
  noteRun(ctx, new Proxy({ run_pk: runPk, run_id: 'not an id' }, { ownKeys: search }));
  noteRun(ctx, new Proxy(Buffer.from('file'), { ownKeys: search }));
  expect(facts.run).toEqual({ run_pk: runPk });
});
