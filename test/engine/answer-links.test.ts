/** A person without an account would get no link to a question, the link of somebody else, or answer in vain. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { answerByLink } from '../../src/engine/runs/accept/resume.ts';
import { findLinkedQuestion } from '../../src/engine/runs/ledger/questions/answer-links.ts';
import { chain, edge, END, http, node, START, transform, workflow } from '../support/definitions.ts';
import type { Played, TestEngine } from '../support/engine.ts';
import { startEngineWithRecorder } from '../support/engine-with-servers.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { eventually, nextSegment, owner, questionsOf } from '../support/journeys.ts';

let engine: TestEngine;
let recorder: HttpRecorder;
beforeAll(async () => {
  ({ engine, recorder } = await startEngineWithRecorder());
});
afterAll(() => engine.close());

const play = (config: JsonObject, input: JsonObject): Promise<Played> =>
  engine.play(
    chain(
      node('ask', 'interrupt', { kind: 'approval', actions: [{ id: 'approve' }], ...config }),
      transform('last', { by: '{{ask.responded_email}}', action: '{{ask.action}}' }),
    ),
    input,
  );

test('each recipient has a link with the question; the answer at one continues the run', async () => {
  const played = await play(
    {
      title: 'Refund?',
      assignees: { emails: ['{{input.manager}}', 'Bob@Example.com'] },
      notify: [
        { kind: 'slack', url: 'https://hooks.slack.example/{{input.channel}}' },
        { kind: 'slack', url: 'https://hooks.slack.example/C2' },
      ],
      remind_after_seconds: 3_600,
      escalate_to: ['head@example.com'],
      escalate_after_seconds: 7_200,
    },
    { manager: 'ada@example.com', channel: 'C1' },
  );
  const interruptId = questionsOf(played)['ask'] ?? '';
  const links = await engine.db.query(
    `SELECT address, channel, url, remind_seconds AS remind,
            round(extract(epoch FROM due_at - created_at) / 3600)::int AS hours
     FROM answer_links WHERE interrupt_id = $1 ORDER BY address`,
    [interruptId],
  );
  const mail = { channel: 'email', url: null, remind: 3_600 };
  expect(links).toEqual([
    { address: 'ada@example.com', ...mail, hours: 0 },
    { address: 'bob@example.com', ...mail, hours: 0 },
    { address: 'head@example.com', ...mail, hours: 2 },
    { address: 'slack', channel: 'slack', url: 'https://hooks.slack.example/C1', remind: 3_600, hours: 0 },
    { address: 'slack-2', channel: 'slack', url: 'https://hooks.slack.example/C2', remind: 3_600, hours: 0 },
  ]);
  expect(played.of('interrupt', 'ask')[0]).toMatchObject({
    assignees: {
      roles: [],
      user_ids: [],
      emails: ['ada@example.com', 'bob@example.com', 'head@example.com'],
    },
  });
  expect(JSON.stringify(played.frames)).not.toContain('hooks.slack.example');

  const { organizationId, subscription } = owner(engine);
  const link = { organizationId, rootRunPk: played.accepted.runPk, interruptId, address: 'bob@example.com' };
  expect(await findLinkedQuestion(engine.db, link)).toMatchObject({
    status: 'pending',
    workflow_name: 'Test',
  });
  const outcome = await answerByLink(engine, { ...link, subscription }, { action: 'approve', data: {} });
  expect(outcome).toBe('resumed');
  const next = await engine.follow(await nextSegment(engine, played));
  expect(next.output).toEqual({ by: 'bob@example.com', action: 'approve' });
});

test('an answer at a link while other branches run is taken in the same segment', async () => {
  const slow = crypto.randomUUID();
  const accepted = await engine.accept(
    workflow(
      [
        node('ask', 'interrupt', {
          kind: 'approval',
          actions: [{ id: 'approve' }],
          assignees: { emails: ['ada@example.com'] },
        }),
        http('slow', recorder.url(slow, { hold: 1 })),
        transform('last', { action: '{{ask.action}}', slow: '{{slow.status}}' }),
      ],
      [edge(START, 'ask'), edge(START, 'slow'), edge('ask', 'last'), edge('slow', 'last'), edge('last', END)],
    ),
  );
  await recorder.waitFor(slow, 1);
  const interruptId = await eventually(async () => {
    const [open] = await engine.db.query<{ id: string }>(
      'SELECT id FROM run_interrupts WHERE root_run_pk = $1',
      [accepted.runPk],
    );
    return open?.id;
  });
  const { organizationId, subscription } = owner(engine);
  const link = { organizationId, rootRunPk: accepted.runPk, interruptId, address: 'ada@example.com' };
  const answer = { action: 'approve', data: {} };
  expect(await answerByLink(engine, { ...link, subscription }, answer)).toBe('resumed');
  recorder.release(({ tag }) => tag === slow);
  expect((await engine.follow(accepted)).output).toEqual({ action: 'approve', slow: 200 });
});

test.each([
  'ada@example.com, eve@example.com',
  'Ada <ada@example.com>',
  'ada',
  'ada@example.com\r\nBcc: e@x.com',
])('a template cannot make more recipients of one: %j fails the node', async (manager) => {
  const played = await play({ assignees: { emails: ['{{input.manager}}'] } }, { manager });
  expect(played.end).toMatchObject({
    type: 'run_failed',
    error: { code: 'invalid_assignee', node_id: 'ask' },
  });
});
