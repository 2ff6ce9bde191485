/** What is done of a run before its start: how operators see it, and what becomes of it when the start does not come through. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { END, START, chain, edge, http, node, transform, workflow } from '../support/definitions.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import type { Played } from '../support/engine.ts';
import { openHistories, type History, type HistoryReader } from '../support/histories.ts';
import { startHttpRecorder, type HttpRecorder } from '../support/http-recorder.ts';
import { answeredBeforeTheFirstTask, delivered } from '../support/first-task.ts';
import { closedAs, questionsOf, resume, workflowIdOf } from '../support/journeys.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let histories: HistoryReader;
beforeAll(async () => {
  recorder = await startHttpRecorder();
  engine = await startEngine({ OUTBOUND_ALLOW: recorder.hostPort });
  histories = await openHistories();
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  await histories.close();
  await engine.close();
  await recorder.close();
});

/** The one history of a run, once it is closed. */
async function historyOf({ accepted }: Played): Promise<History> {
  await closedAs(engine, accepted);
  const [history] = await histories.chain(workflowIdOf(engine, accepted));
  if (history === undefined) throw new Error('There is no history');
  return history;
}

/** What stands above the history in Temporal's UI. */
const detailsIn = ({ events }: History): string =>
  String(JSON.parse(Buffer.from(events?.[0]?.userMetadata?.details?.data ?? []).toString()));

/** Which activities a history has. */
const activitiesIn = ({ events }: History): (string | null | undefined)[] =>
  (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled ? [scheduled.activityId] : [],
  );

const startsOnceLate = () =>
  vi.spyOn(engine.engine, 'start').mockRejectedValueOnce(new Error('Temporal is away'));

test('a run that was over before Temporal heard of it is there too, once it does', async () => {
  const start = startsOnceLate();
  const played = await engine.play(chain(transform('one')));
  expect(played.end.type).toBe('run_completed');
  await delivered(engine);
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
  await delivered(engine);
  expect(start).toHaveBeenCalledTimes(2);
  const { end } = await resume(engine, asked, { interrupt_id: questionsOf(asked)['ask'] ?? '', data: 'so' });
  expect(end.type).toBe('run_completed');
  expect(await closedAs(engine, asked.accepted)).toBe('COMPLETED');
});

test('REL-G1: an answer that comes before the first task of the run is taken', async () => {
  const ask = node('ask', 'interrupt', { kind: 'input', title: 'Why?' });
  const { asked, ended } = await answeredBeforeTheFirstTask(engine, () =>
    engine.play(chain(ask, transform('after'))),
  );
  expect(ended.end.type).toBe('run_completed');
  expect(await closedAs(engine, asked.accepted)).toBe('COMPLETED');
});

test('a run of short calls is over before its start; operators read what was called', async () => {
  const tag = randomUUID();
  const nodes = Array.from({ length: 22 }, (_, at) => http(`h${at}`, recorder.url(tag)));
  const played = await engine.play(chain(...nodes, transform('t')));
  expect(played.end.type).toBe('run_completed');
  const history = await historyOf(played);
  // Started, three events of the task, completed.
  expect(history.events).toHaveLength(5);
  expect(detailsIn(history)).toMatch(
    /- \*\*called before the start\*\*: Tool · h0 \(h0\), .*, Tool · h19 \(h19\) and 2 more$/u,
  );
});

test('a call that takes long is an activity after the start, in the same place; pure nodes alone name nothing', async () => {
  const [tag, later] = [randomUUID(), randomUUID()];
  const played = await engine.play(
    chain(
      http('quick', recorder.url(tag)),
      http('slow', recorder.url(tag, { delay_ms: 1_500 })),
      http('later', recorder.url(later)),
    ),
  );
  expect(played.end.type).toBe('run_completed');
  expect([recorder.calls(tag).length, recorder.calls(later).length]).toEqual([2, 1]);
  const history = await historyOf(played);
  expect(activitiesIn(history)).toEqual(['slow#1']);
  expect(detailsIn(history)).toMatch(/: Tool · quick \(quick\), Tool · slow \(slow\)$/u);
  const pure = await engine.play(chain(transform('t')));
  expect(detailsIn(await historyOf(pure))).not.toContain('called before');
});

test('a call that was under way when its start did not come through is made once, and the run goes on from it', async () => {
  const tag = randomUUID();
  const start = startsOnceLate();
  const played = await engine.play(
    chain(http('slow', recorder.url(tag, { delay_ms: 4_000 })), transform('t')),
  );
  expect(played.end.type).toBe('run_completed');
  expect(start).toHaveBeenCalledTimes(2);
  expect(recorder.calls(tag)).toHaveLength(1);
  expect(played.of('node_retry')).toEqual([]);
});
