/** Sessions of runs: started, followed, asked, answered, cancelled, looked up. */
import { eventually } from '../support/waiting.ts';
import { chat, failing, pure, refund } from './definitions.ts';
import { signIn, type Person } from './people.ts';
import type { Processes } from './processes.ts';
import { Transcript } from './transcript.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

interface Started {
  readonly runId: string;
  readonly runPk: string;
}

/** Waits until the run rests. @returns its key in the history */
async function rested(transcript: Transcript, as: Person, runId: string): Promise<Started> {
  return eventually(`the run ${runId} to rest`, 60_000, async () => {
    const { body } = await transcript.send('GET', '/workflow-runs?limit=100', { as });
    const row = body.runs.find((run: { run_id: string }) => run.run_id === runId);
    return row === undefined || row.status === 'running' ? null : { runId, runPk: row.id };
  });
}

/** Starts a run, waits until it rests, and records its whole stream and its record. */
async function play(transcript: Transcript, as: Person, body: object): Promise<Started> {
  const reply = await transcript.call('POST', '/workflows/run', { as, body });
  if (reply.status !== 200) throw new Error(`the run was refused: ${reply.text}`);
  const run = await rested(transcript, as, reply.body.run_id);
  await transcript.stream(`/workflows/listen/${run.runId}`, { as });
  await transcript.call('GET', `/workflow-runs/${run.runPk}`, { as });
  return run;
}

/** Runs that end by themselves: well, badly, with a model; what is refused; the history. */
export async function runs(processes: Processes): Promise<void> {
  const transcript = new Transcript(processes.apiUrl);
  const as = await signIn(processes, 'rita');
  const stranger = await signIn(processes, 'oscar');
  const made = await transcript.send('POST', '/workflows', {
    as,
    body: { name: 'Pure', workflow_schema: pure() },
  });
  const workflowId: string = made.body.id;
  await transcript.call('POST', '/workflows/run', { as, body: { workflow_id: workflowId } });
  await transcript.send('POST', `/workflows/${workflowId}/deploy`, { as });
  const run = await play(transcript, as, { workflow_id: workflowId, input: { text: 'Hi', n: 1.5 } });
  await transcript.stream(`/workflows/listen/${run.runId}?after_seq=3`, { as });
  await transcript.stream(`/workflows/listen/${run.runId}`, { as, headers: { 'last-event-id': '4' } });
  await transcript.call('GET', `/workflows/listen/${run.runId}?after_seq=x`, { as });
  await transcript.call('GET', `/workflows/listen/${NOBODY}`, { as });
  await transcript.call('GET', `/workflows/listen/${run.runId}`, { as: stranger });
  const { body } = await transcript.send('GET', `/workflow-runs/${run.runPk}`, { as });
  await transcript.call('GET', `/workflow-runs/${run.runPk}/steps/${body.steps[0].step_id}`, { as });
  await transcript.call('GET', `/workflow-runs/${run.runPk}/steps/${NOBODY}`, { as });
  await transcript.call('POST', `/workflows/cancel/${run.runId}`, { as, body: { reason: 'too late' } });
  await transcript.call('POST', `/workflows/resume/${run.runId}`, { as, body: { interrupt_id: 'int_x' } });
  await play(transcript, as, { workflow: failing() });
  await play(transcript, as, { workflow: chat(), input: { name: 'Ada' }, config: { thread_id: 'a-thread' } });
  const once = { as, body: { workflow: pure() }, headers: { 'idempotency-key': 'order-4711' } };
  const first = await transcript.call('POST', '/workflows/run', once);
  await transcript.call('POST', '/workflows/run', once);
  await transcript.call('POST', '/workflows/run', { ...once, body: { workflow: refund() } });
  await rested(transcript, as, first.body.run_id);
  await transcript.call('POST', '/workflows/run', { as, body: {} });
  await transcript.call('POST', '/workflows/run', { as, body: { llm: { model: 'x' } } });
  await transcript.call('POST', '/workflows/run', { as, body: { workflow: { nodes: [] } } });
  await transcript.call('POST', '/workflows/run', { as, body: { workflow_id: NOBODY } });
  await transcript.call('POST', '/workflows/run', { as, body: { workflow_id: 'x', input: 5 } });
  await transcript.call('GET', '/workflow-runs?limit=2', { as });
  await transcript.call('GET', '/workflow-runs?limit=2&offset=2', { as });
  await transcript.call('GET', `/workflow-runs?workflow_id=${workflowId}&status=completed`, { as });
  await transcript.call('GET', '/workflow-runs?status=odd&limit=1000', { as });
  await transcript.call('GET', `/workflow-runs/${NOBODY}`, { as });
  transcript.finish('runs');
}

/** A run that asks: its answer, a second answer, wrong answers, its end by cancellation. */
export async function questions(processes: Processes): Promise<void> {
  const transcript = new Transcript(processes.apiUrl);
  const as = await signIn(processes, 'quinn');
  const run = await play(transcript, as, { workflow: refund(), input: { amount: 250 } });
  const asked = await transcript.send('GET', `/workflow-runs/${run.runPk}`, { as });
  const interruptId: string = asked.body.interrupts[0].interrupt_id;
  const resume = `/workflows/resume/${run.runId}`;
  await transcript.call('POST', resume, { as, body: { interrupt_id: interruptId, action: 'explode' } });
  await transcript.call('POST', resume, { as, body: { interrupt_id: interruptId, data: { comment: 5 } } });
  await transcript.call('POST', resume, { as, body: { interrupt_id: 'int_unknown', action: 'approve' } });
  await transcript.call('POST', resume, { as, body: {} });
  const answer = { interrupt_id: interruptId, action: 'approve', data: { comment: 'ok' } };
  const resumed = await transcript.call('POST', resume, { as, body: answer });
  await transcript.call('POST', resume, { as, body: answer });
  const next = await rested(transcript, as, resumed.body.run_id);
  await transcript.stream(`/workflows/listen/${next.runId}`, { as });
  await transcript.call('GET', `/workflow-runs/${next.runPk}`, { as });
  await transcript.call('GET', `/workflow-runs/${run.runPk}`, { as });
  const waiting = await play(transcript, as, { workflow: refund(), input: { amount: 300 } });
  await transcript.call('POST', `/workflows/cancel/${waiting.runId}`, {
    as,
    body: { reason: 'asked twice' },
  });
  await transcript.call('POST', `/workflows/cancel/${waiting.runId}`, { as });
  await transcript.stream(`/workflows/listen/${waiting.runId}`, { as });
  await transcript.call('POST', `/workflows/cancel/${NOBODY}`, { as });
  await transcript.call('GET', `/workflow-runs/${waiting.runPk}`, { as });
  transcript.finish('questions');
}

/** The Assistant's chats. */
export async function chats(processes: Processes): Promise<void> {
  const transcript = new Transcript(processes.apiUrl);
  const as = await signIn(processes, 'carla');
  const said = await transcript.call('POST', '/assistant/chat', {
    as,
    body: { message: 'What can you do?' },
  });
  const id: string = said.body.chat_id;
  await eventually('the answer', 60_000, async () => {
    const { body } = await transcript.send('GET', `/assistant/chats/${id}`, { as });
    return body.status === 'idle' || null;
  });
  await transcript.stream(said.body.stream_url, { as });
  await transcript.call('POST', '/assistant/chat', { as, body: { message: '' } });
  await transcript.call('GET', '/assistant/chats?limit=1', { as });
  await transcript.call('GET', `/assistant/chats/${id}`, { as });
  await transcript.call('GET', `/assistant/chats/${id}/messages?limit=1`, { as });
  await transcript.call('PATCH', `/assistant/chats/${id}`, { as, body: { title: 'First', pinned: true } });
  await transcript.call('PATCH', `/assistant/chats/${id}`, { as, body: { title: '' } });
  await transcript.call('DELETE', `/assistant/chats/${id}`, { as });
  await transcript.call('GET', `/assistant/chats/${id}`, { as });
  await transcript.call('POST', '/composer/chat', { as, body: {} });
  await transcript.call('GET', '/composer/chats', { as });
  transcript.finish('chats');
}
