/** A run, followed to its end: a live tree on a terminal, lines elsewhere, JSON for tools; questions are asked in between. */
import type { Answer, Run, RunEnd, RunEvent } from '../client/client.ts';
import { parseExactJson } from '../graph/exact-json.ts';
import { CommandError, EXIT } from './exit.ts';
import { RunTree, seconds } from './run-tree.ts';
import { jsonText } from './screen.ts';
import type { Session } from './session.ts';

const FRAME_MS = 100;

type Question = NonNullable<Extract<RunEnd, { type: 'run_interrupted' }>['interrupts']>[number];

interface View {
  take(event: RunEvent): void;
  close(): void;
}

async function liveView({ screen }: Session): Promise<View> {
  const tree = new RunTree();
  // Loaded here alone: most commands draw nothing, and would start later for it.
  const { createLogUpdate } = await import('log-update');
  const draw = createLogUpdate(process.stdout);
  let tick = 0;
  const show = (): void => {
    const columns = process.stdout.columns;
    const lines = tree.lines(tick, columns).map((parts) => screen.render(parts));
    draw(lines.join('\n'));
  };
  const timer = setInterval(() => {
    tick += 1;
    show();
  }, FRAME_MS);
  return {
    take: (event) => tree.take(event),
    close: () => {
      clearInterval(timer);
      show();
      draw.done();
    },
  };
}

/** Heartbeats and tokens would fill a log. */
const QUIET = new Set(['heartbeat', 'snapshot', 'state_updated', 'progress', 'token', 'token_reset']);

function lineView({ screen, isJson }: Session): View {
  return {
    take(event) {
      if (isJson) screen.json(event);
      else if (!QUIET.has(event.type)) {
        const node = 'node_id' in event ? ` ${String(event.node_id)}` : '';
        const error = event.type === 'node_failed' ? ` ${event.error.message}` : '';
        screen.line(`${event.timestamp} ${event.type}${node}${error}`);
      }
    },
    close: () => undefined,
  };
}

/** Reads events until the run has ended. @returns null when Ctrl-C stopped it; the run goes on */
async function watch(run: Run, session: Session): Promise<RunEnd | null> {
  const controller = new AbortController();
  // Not `once`: log-update ends the process where its own listener is the only one left.
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.stopped);
    controller.abort();
  };
  process.on('SIGINT', stop);
  const view = session.screen.isLive && !session.isJson ? await liveView(session) : lineView(session);
  try {
    for await (const event of run.events({ signal: controller.signal })) view.take(event);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
  } finally {
    view.close();
    process.removeListener('SIGINT', stop);
  }
  return controller.signal.aborted ? null : run.result();
}

/** @returns null when the question was left open */
async function askAnswer({ screen }: Session, question: Question): Promise<Answer | null> {
  screen.line('\n', screen.paint('bold', question.title), `\n${question.message}`);
  const choices = question.actions.map(({ id, label }) => ({ value: id, label }));
  const action = choices.length === 0 ? 'submit' : await screen.choose('Your answer', choices);
  if (action === null) return null;
  const properties = question.form?.['properties'];
  if (typeof properties !== 'object' || properties === null) return { action };
  const data: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(
    properties as Record<string, { type?: string; title?: string }>,
  )) {
    const said = await screen.text(schema.title ?? name);
    if (said === null) return null;
    if (said === '') continue;
    data[name] = schema.type === undefined || schema.type === 'string' ? said : parsed(said);
  }
  return { action, data: data as NonNullable<Answer['data']> };
}

/** What is no JSON is sent as text: the service knows what the form takes, and says so. */
function parsed(said: string): unknown {
  try {
    return parseExactJson(said);
  } catch {
    return said;
  }
}

/** @returns the run that goes on; null when the questions stay open */
async function answerAll(run: Run, end: RunEnd, session: Session): Promise<Run | null> {
  const questions = end.type === 'run_interrupted' ? (end.interrupts ?? []) : [];
  if (!session.screen.canAsk || session.isJson || questions.length === 0) return null;
  const responses = [];
  for (const question of questions) {
    const answer = await askAnswer(session, question);
    if (answer === null) return null;
    responses.push({ ...answer, interrupt_id: question.interrupt_id });
  }
  const [only] = responses;
  return responses.length === 1 && only !== undefined ? run.resume(only) : run.resume({ responses } as never);
}

function tellEnd(end: RunEnd, runId: string, { screen }: Session): number {
  switch (end.type) {
    case 'run_completed':
      screen.line(screen.paint('green', 'completed'), ` in ${seconds(end.duration_ms)}`);
      screen.line(jsonText(end.output, 2));
      return EXIT.completed;
    case 'run_failed':
      screen.note(screen.paint('red', 'failed'), `: ${end.error?.message ?? 'no reason'}`);
      return EXIT.failed;
    case 'run_cancelled':
      screen.note('cancelled');
      return EXIT.cancelled;
    case 'run_interrupted':
      screen.note(`The run waits for an answer: workflow runs answer ${runId}`);
      return EXIT.interrupted;
  }
}

const codeOf = ({ type }: RunEnd): number =>
  ({
    run_completed: EXIT.completed,
    run_failed: EXIT.failed,
    run_cancelled: EXIT.cancelled,
    run_interrupted: EXIT.interrupted,
  })[type];

/** Follows a run over its questions. @returns the exit code of its outcome */
export async function follow(run: Run, session: Session): Promise<number> {
  let current: Run | null = run;
  while (current !== null) {
    const end = await watch(current, session);
    if (end === null) {
      session.screen.note(`The run goes on. Follow it: workflow runs logs ${current.runId} --follow`);
      return EXIT.stopped;
    }
    // Somebody else may have answered.
    const next: Run | null = (await current.continuation()) ?? (await answerAll(current, end, session));
    if (next === null) return session.isJson ? codeOf(end) : tellEnd(end, current.runId, session);
    current = next;
  }
  return EXIT.completed;
}

/** Answers without following first. @throws CommandError when nothing waits */
export async function answerRun(run: Run, session: Session): Promise<number> {
  const end = await run.result();
  if (end.type !== 'run_interrupted' || end.resumed_by_run_id !== undefined)
    throw new CommandError('The run waits for no answer');
  const next = await answerAll(run, end, session);
  return next === null ? tellEnd(end, run.runId, session) : follow(next, session);
}
