/** Runs whose first advance was done before their start, and whose start did not come through then. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { END, START, chain, edge, node, transform, workflow } from '../support/definitions.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { closedAs, eventually, questionsOf, resume } from '../support/journeys.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => engine.close());

const startsOnceLate = () =>
  vi.spyOn(engine.engine, 'start').mockRejectedValueOnce(new Error('Temporal is away'));
/** Nothing is left to tell Temporal. */
const delivered = () =>
  eventually(async () => {
    const entries = await engine.db.query('SELECT 1 FROM outbox');
    return entries.length === 0 ? true : null;
  });

test('a run that was over before Temporal heard of it is there too, once it does', async () => {
  const start = startsOnceLate();
  const played = await engine.play(chain(transform('one')));
  expect(played.end.type).toBe('run_completed');
  await delivered();
  expect(start).toHaveBeenCalledTimes(2);
  expect(await closedAs(engine, played.accepted)).toBe('COMPLETED');
  const [row] = await engine.db.query('SELECT status, last_seq FROM runs WHERE id = $1', [
    played.accepted.runPk,
  ]);
  expect(row).toEqual({ status: 'completed', last_seq: played.end.seq });
});

test('a question that was asked before Temporal heard of the run can be answered', async () => {
  const start = startsOnceLate();
  const ask = node('ask', 'interrupt', { kind: 'input', title: 'Why?' });
  const asked = await engine.play(
    workflow([ask, transform('after')], [edge(START, 'ask'), edge('ask', 'after'), edge('after', END)]),
  );
  expect(asked.end.type).toBe('run_interrupted');
  await delivered();
  expect(start).toHaveBeenCalledTimes(2);
  const { end } = await resume(engine, asked, { interrupt_id: questionsOf(asked)['ask'] ?? '', data: 'so' });
  expect(end.type).toBe('run_completed');
  expect(await closedAs(engine, asked.accepted)).toBe('COMPLETED');
});
