/** Follows a run to its end as a live tree, lines or JSON, and prompts for answers to its questions. */
import type { Answer, Run, RunEnd, RunEvent } from '../client/client.ts';
import { isObject, type Json, type JsonObject } from '../../language/graph/values/value.ts';
import { WorkflowApiError } from '../client/error.ts';
import { askForm } from './ask-form.ts';
import { describeCallbacks } from './callbacks.ts';
import { readInput } from './definition-files.ts';
import { describeResponse } from './describe-response.ts';
import { CommandError, EXIT, formatError } from './exit.ts';
import { formatSeconds, RunTree } from './run-tree.ts';
import { jsonText } from './screen.ts';
import type { Session } from './session.ts';

const FRAME_MS = 100;

type Question = NonNullable<Extract<RunEnd, { type: 'run_interrupted' }>['interrupts']>[number];

/** An answer that does not fit its question. */
const REFUSED: ReadonlySet<number> = new Set([400, 422]);

interface View {
  take(event: RunEvent): void;
  close(): void;
}

async function createLiveView({ screen }: Session): Promise<View> {
  const tree = new RunTree();
  // Loaded only here, because most commands draw nothing.
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

/** Frequent events that would flood a log. */
const OMITTED = new Set(['heartbeat', 'snapshot', 'state_updated', 'progress', 'token', 'token_reset']);

function createLineView({ screen, isJson }: Session): View {
  return {
    take(event) {
      if (isJson) screen.json(event);
      else if (!OMITTED.has(event.type)) {
        const node = 'node_id' in event ? ` ${String(event.node_id)}` : '';
        const error = event.type === 'node_failed' ? ` ${event.error.message}` : '';
        const said = event.type === 'node_failed' ? describeResponse(event.error) : null;
        screen.line(`${event.timestamp} ${event.type}${node}${error}${said === null ? '' : ` (${said})`}`);
      }
    },
    close: () => undefined,
  };
}

/** Shows events until the run ends. @returns null after Ctrl-C, which does not stop the run */
async function watch(run: Run, session: Session): Promise<RunEnd | null> {
  const controller = new AbortController();
  // Not `once`: log-update ends the process when its own listener is the only one left.
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.stopped);
    controller.abort();
  };
  process.on('SIGINT', stop);
  const view =
    session.screen.isLive && !session.isJson ? await createLiveView(session) : createLineView(session);
  try {
    for await (const event of run.events({ signal: controller.signal })) view.take(event);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
  } finally {
    view.close();
    process.removeListener('SIGINT', stop);
  }
  return controller.signal.aborted ? null : run.ownEnd();
}

/** @param before an answer that was refused, whose values are offered again @returns null when the user left the question with Ctrl-C */
async function askAnswer({ screen }: Session, question: Question, before: Answer): Promise<Answer | null> {
  screen.line('\n', screen.paint('bold', question.title), `\n${question.message}`);
  // People approve what they see.
  if (question.kind === 'effect_approval') screen.line(jsonText(question.payload as Json, 2));
  const choices = question.actions.map(({ id, label }) => ({ value: id, label }));
  // A question for input has a form and no actions.
  const action =
    choices.length === 0
      ? undefined
      : await screen.choose('Your answer', choices, before.action ?? undefined);
  if (action === null) return null;
  const chosen = action === undefined ? {} : { action };
  if (!isObject(question.form?.['properties'])) return chosen;
  const data = await askForm(screen, question.form as JsonObject, (before.data ?? {}) as JsonObject);
  return data === null ? null : { ...chosen, data: data as NonNullable<Answer['data']> };
}

const listQuestions = (end: RunEnd): readonly Question[] =>
  end.type === 'run_interrupted' ? (end.interrupts ?? []) : [];

/** @returns the run that continues; null when questions stay open */
async function answerAll(run: Run, end: RunEnd, session: Session): Promise<Run | null> {
  // Another service answers a callback.
  const questions = listQuestions(end).filter(({ kind }) => kind !== 'callback');
  if (!session.screen.canAsk || session.isJson || questions.length === 0) return null;
  const answers = new Map<string, Answer>();
  for (;;) {
    for (const question of questions) {
      const answer = await askAnswer(session, question, answers.get(question.interrupt_id) ?? {});
      if (answer === null) return null;
      answers.set(question.interrupt_id, answer);
    }
    const responses = [...answers].map(([id, answer]) => ({ ...answer, interrupt_id: id }));
    const [only] = responses;
    try {
      return await (responses.length === 1 && only !== undefined
        ? run.resume(only)
        : run.resume({ responses } as never));
    } catch (error) {
      // The questions are still open: what was entered is offered again.
      if (!(error instanceof WorkflowApiError) || !REFUSED.has(error.status)) throw error;
      session.screen.note(formatError(error));
    }
  }
}

/** Prints what a run waits for. */
async function printWaiting(run: Run, questions: readonly Question[], { screen }: Session): Promise<void> {
  const isCallback = ({ kind }: Question): boolean => kind === 'callback';
  if (questions.some(isCallback)) for (const line of describeCallbacks(await run.record())) screen.note(line);
  screen.note(
    questions.every(isCallback)
      ? `To follow the run, run: workflow runs logs ${run.runId} --follow`
      : `Waiting for an answer. To answer, run: workflow runs answer ${run.runId}`,
  );
}

/** @returns the exit code of the outcome */
async function printEnd(end: RunEnd, run: Run, session: Session): Promise<number> {
  const { screen } = session;
  switch (end.type) {
    case 'run_completed':
      screen.line(screen.paint('green', 'succeeded'), ` in ${formatSeconds(end.duration_ms)}`);
      screen.line(jsonText(end.output, 2));
      return EXIT.completed;
    case 'run_failed':
      screen.note(screen.paint('red', 'failed'), `: ${end.error?.message ?? 'no error message'}`);
      return EXIT.failed;
    case 'run_cancelled':
      screen.note('cancelled');
      return EXIT.cancelled;
    case 'run_interrupted':
      await printWaiting(run, listQuestions(end), session);
      return EXIT.interrupted;
  }
}

const toExitCode = ({ type }: RunEnd): number =>
  ({
    run_completed: EXIT.completed,
    run_failed: EXIT.failed,
    run_cancelled: EXIT.cancelled,
    run_interrupted: EXIT.interrupted,
  })[type];

/** Follows a run and the runs that continue it. @returns the exit code of the outcome */
export async function follow(run: Run, session: Session): Promise<number> {
  let current: Run | null = run;
  while (current !== null) {
    const end = await watch(current, session);
    if (end === null) {
      session.screen.note(
        `The run continues. To follow it, run: workflow runs logs ${current.runId} --follow`,
      );
      return EXIT.stopped;
    }
    // The run may have been answered elsewhere.
    const next: Run | null = (await current.continuation()) ?? (await answerAll(current, end, session));
    if (next === null) return session.isJson ? toExitCode(end) : printEnd(end, current, session);
    current = next;
  }
  return EXIT.completed;
}

/** An answer that is given by flags instead of prompts. */
export interface AnswerOptions {
  readonly action?: string;
  /** JSON, `@file`, or `-` for stdin. */
  readonly data?: string;
  readonly interrupt?: string;
}

/** @throws CommandError when several questions are open and none is named */
async function sendAnswer(run: Run, questions: readonly Question[], options: AnswerOptions): Promise<Run> {
  const { action, data, interrupt } = options;
  const [only, other] = questions;
  const interruptId = interrupt ?? (other === undefined ? only?.interrupt_id : undefined);
  if (interruptId === undefined) {
    const ids = questions.map(({ interrupt_id: id, title }) => `  ${id}  ${title}`).join('\n');
    throw new CommandError(`Several questions are open. Pass --interrupt with one of:\n${ids}`, EXIT.usage);
  }
  const answer = {
    ...(action === undefined ? {} : { action }),
    ...(data === undefined ? {} : { data: (await readInput(data)) as NonNullable<Answer['data']> }),
  };
  return run.answer(interruptId, answer);
}

/** Answers a run without following it first. @throws CommandError when it has no open question */
export async function answerRun(run: Run, options: AnswerOptions, session: Session): Promise<number> {
  const end = await run.ownEnd();
  if (end.type === 'run_interrupted' && end.resumed_by_run_id !== undefined)
    throw new CommandError(`The run was answered. It goes on as run ${end.resumed_by_run_id}`);
  if (end.type !== 'run_interrupted') throw new CommandError('The run has no open questions');
  if (Object.keys(options).length > 0)
    return follow(await sendAnswer(run, listQuestions(end), options), session);
  const next = await answerAll(run, end, session);
  return next === null ? printEnd(end, run, session) : follow(next, session);
}
