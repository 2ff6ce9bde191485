/** Temporal would abort the workflow tasks of a busy run, which would then stall. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { START, edge, http, workflow } from '../support/definitions.ts';
import type { TestEngine } from '../support/engine.ts';
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import { openHistories } from '../support/histories.ts';
import type { HistoryReader } from '../support/histories.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { workflowIdOf } from '../support/journeys.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
let histories: HistoryReader;
beforeAll(async () => {
  ({ engine, recorder } = await startEngineWithRecorder());
  histories = await openHistories();
});
afterAll(async () => {
  await histories.close();
  await engine.close();
});

const get = (id: string, url: string, envelope: JsonObject = {}): JsonObject =>
  http(id, url, { method: 'GET' }, envelope);

/** Longer than what is short by nature: an activity from the start. */
const LONG = { timeout_ms: 200_000 };

/** A row of short calls. */
function row(count: number, url: string): { readonly nodes: JsonObject[]; readonly edges: JsonObject[] } {
  const ids = Array.from({ length: count }, (_, i) => `r${i}`);
  return {
    nodes: ids.map((id) => get(id, url)),
    edges: ids.map((id, i) => edge(i === 0 ? START : ids[i - 1]!, id)),
  };
}

test('the end of an activity is handled before a row of short nodes beside it is over', async () => {
  const name = randomUUID();
  const { nodes, edges } = row(80, recorder.url(`${name}r`, { delay_ms: 20 }));
  const played = await engine.play(
    workflow(
      [
        ...nodes,
        get('long', recorder.url(`${name}l`, { delay_ms: 100 }), LONG),
        get('after', recorder.url(name)),
      ],
      [...edges, edge(START, 'long'), edge('long', 'after')],
    ),
  );
  expect(played.end.type).toBe('run_completed');
  const seqOf = (type: string, nodeId: string): number =>
    played.frames.find((frame) => frame.type === type && frame['node_id'] === nodeId)?.seq ?? NaN;
  expect(seqOf('node_completed', 'after')).toBeLessThan(seqOf('node_started', 'r79'));
});

test('beside many activities short nodes are activities, too, so that nothing holds the workflow task', async () => {
  const name = randomUUID();
  const { nodes, edges } = row(8, recorder.url(`${name}r`));
  const held = Array.from({ length: 40 }, (_, i) => `h${i}`);
  const accepted = await engine.accept(
    workflow(
      [...held.map((id) => get(id, recorder.url(`${name}h`, { hold: held.length }), LONG)), ...nodes],
      [...held.map((id) => edge(START, id)), ...edges],
    ),
  );
  await recorder.waitFor(`${name}h`, held.length);
  await recorder.waitFor(`${name}r`, nodes.length);
  recorder.release();
  expect((await engine.follow(accepted, 60_000)).end.type).toBe('run_completed');
  const events = (await histories.chain(workflowIdOf(engine, accepted))).flatMap((each) => each.events ?? []);
  const ids = events.map((event) => event.activityTaskScheduledEventAttributes?.activityId);
  expect(ids).toEqual(expect.arrayContaining(nodes.map((node) => `${String(node['id'])}#1`)));
});
