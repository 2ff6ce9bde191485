/** A person would be asked what no node of the run waits for, while a long call runs. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { END, START, edge, http, node, rule, workflow } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { happened, stepsOf } from '../support/records.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
beforeAll(async () => {
  ({ engine, recorder } = await startEngineWithRecorder());
});
afterAll(() => engine.close());

test('a question that a call overtakes is cancelled while the next call runs, without another pure node', async () => {
  const [join, again] = [randomUUID(), randomUUID()];
  const first = rule('{{loop.again.iteration}}', 'eq', 0);
  const accepted = await engine.accept(
    workflow(
      [
        // The interpreter starts it by itself, in the second round, too.
        http('head', `${recorder.origin}/${again}-{{loop.again.iteration}}?hold=1`),
        node('ask', 'interrupt', { kind: 'input' }),
        http('join', recorder.url(join), {}, { join: 'any' }),
      ],
      [
        edge(START, 'head'),
        edge('head', 'ask', undefined, { when: first }),
        edge('head', 'join'),
        edge('ask', 'join'),
        edge('join', 'head', undefined, { id: 'again', when: first }),
        edge('join', END, undefined, { when: rule('{{loop.again.iteration}}', 'gt', 0) }),
      ],
    ),
  );
  await recorder.waitFor(`${again}-0`, 1);
  recorder.release();
  await recorder.waitFor(`${again}-1`, 1);
  await happened(engine.db, accepted.runPk, 'interrupt_resolved', 'ask');
  recorder.release();
  const played = await engine.follow(accepted);
  expect(played.end.type).toBe('run_completed');
  const steps = await stepsOf(engine.db, accepted.runPk, 'ask');
  expect(steps.map(({ status }) => status)).toEqual(['cancelled', 'skipped']);
});
