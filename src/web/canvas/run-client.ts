/** Starts, follows, answers and cancels runs, and writes the events of the stream to the board. */
import { readChildWaits } from '../../client/child-waits.ts';
import { WorkflowApiError, type Body, type RunEvent, type WorkflowClient } from '../../client/client.ts';
import { ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import { words } from '../words.ts';
import { toNodeRun, toStreamStatus } from './run-steps.ts';
import type { Question, RunBoard } from './run-board.ts';

interface AnswerTo {
  readonly question: Question;
  readonly action: string | null;
  readonly data: Json;
}

/** Describes an error to a user. */
const describeRefusal = (error: unknown): string =>
  error instanceof WorkflowApiError && error.status === 410
    ? words.canvas.answered
    : (error as Error).message;

export class RunClient {
  readonly #client: WorkflowClient;
  readonly #board: RunBoard;
  #following: AbortController | null = null;

  constructor(client: WorkflowClient, board: RunBoard) {
    this.#client = client;
    this.#board = board;
  }

  /** Follows answers that others give. @returns how to end that */
  open(): () => void {
    const stop = this.#board.onContinuation(() => this.#continueIfAnswered());
    return () => {
      stop();
      this.#following?.abort();
    };
  }

  /** @returns why it did not start; null when it did */
  start(body: JsonObject): Promise<string | null> {
    return this.#unlessRefused(async () => {
      const run = await this.#client.runs.start(body as Body<'startRun'>);
      this.#board.keepInput(ownValue(body, 'input'));
      this.follow(run.runId);
      this.#board.keepDefinition(ownValue(body, 'workflow'));
    });
  }

  /**
   * Shows a run from its first event on.
   * @param isOwn false: it was found, not started or opened here
   */
  follow(runId: string, isOwn = true): void {
    this.#board.begin(runId, { isFollowed: true, isOwn });
    void this.#follow(runId);
  }

  /** Reads what became of a run that waits, or that others have started, while this page was not connected to its room. */
  async catchUp(): Promise<void> {
    const board = this.#board;
    const { runId, status, isFollowed } = board.run;
    if (runId === null || board.hasEnded || (isFollowed && status !== 'interrupted')) return;
    const record = await this.#client.runs
      .byRunId(runId)
      .record()
      .catch(() => null);
    if (record === null || board.run.runId !== runId) return;
    if (!isFollowed) for (const step of record.steps) board.set(step.node_id, toNodeRun(step));
    const [next] = record.resumed_by_run_ids;
    if (next !== undefined) {
      board.noteContinuation(runId, next);
      return this.catchUp();
    }
    board.change({
      status: toStreamStatus(record.status),
      ...(record.status === 'interrupted' ? {} : { questions: [] }),
    });
  }

  /** @returns why the answers were not taken; null when they were */
  answer(answers: readonly AnswerTo[]): Promise<string | null> {
    const responses = answers.map(({ question, action, data }) => ({
      interrupt_id: question.interruptId,
      ...(action === null ? {} : { action }),
      ...(data === null ? {} : { data }),
    }));
    return this.#unlessRefused(async () => {
      const run = this.#client.runs.byRunId(String(this.#board.run.runId));
      const { runId } = await run.resume({ responses } as Body<'resumeRun'>);
      this.#continueAs(runId);
    });
  }

  /** Cancels the followed run. @returns why it was not cancelled; null when it was, or nothing runs */
  async cancel(): Promise<string | null> {
    const { runId, status, isFollowed } = this.#board.run;
    // A colleague's run is cancelled on its own page, where its owner is named.
    if (runId === null || !isFollowed) return null;
    return this.#unlessRefused(async () => {
      await this.#client.runs.byRunId(runId).cancel();
      // The stream of a run that waits has ended: nobody else tells.
      if (status === 'interrupted') this.#board.change({ status: 'cancelled', questions: [] });
    });
  }

  /** Follows the segment that continues the run after an answer; the room may have reported it before. */
  #continueAs(runId: string): void {
    if (this.#board.run.runId === runId) return;
    this.#board.continueAs(runId);
    void this.#follow(runId);
  }

  /** Follows the answered run further, but not before its stream has ended: its last events would be lost. */
  #continueIfAnswered(): void {
    const { run, continuation } = this.#board;
    if (run.status === 'interrupted' && continuation !== undefined) this.#continueAs(continuation);
  }

  async #unlessRefused(act: () => Promise<void>): Promise<string | null> {
    try {
      await act();
      return null;
    } catch (error) {
      return describeRefusal(error);
    }
  }

  async #follow(runId: string): Promise<void> {
    this.#following?.abort();
    const stop = new AbortController();
    this.#following = stop;
    const onReconnect = (): void => this.#board.change({ isLost: true });
    try {
      const events = this.#client.runs.byRunId(runId).events({ signal: stop.signal, onReconnect });
      for await (const event of events) {
        if (this.#board.run.isLost) this.#board.change({ isLost: false });
        this.#take(event);
      }
    } catch (error) {
      if (!stop.signal.aborted) this.#board.change({ isLost: false, error: describeRefusal(error) });
    }
  }

  #take(event: RunEvent): void {
    const board = this.#board;
    switch (event.type) {
      case 'node_started':
        return board.set(event.node_id, { status: 'running', stepId: event.step_id });
      case 'node_retry':
        return board.set(event.node_id, { status: 'retrying', error: event.error.message });
      case 'node_failed':
        return board.set(event.node_id, { status: 'failed', error: event.error.message });
      case 'node_skipped':
        return board.set(event.node_id, { status: 'skipped' });
      case 'node_reused':
        return board.set(event.node_id, { status: 'reused', handle: event.selected_handle });
      case 'node_completed':
        return board.set(event.node_id, {
          status: 'completed',
          output: event.output as Json,
          handle: event.selected_handle,
          durationMs: event.duration_ms,
          credits: event.credits,
          stepId: event.step_id,
        });
      case 'token':
        return event.channel === 'reasoning' ? undefined : board.append(event.node_id, event.delta);
      case 'token_reset':
        return board.forget(event.node_id);
      case 'interrupt': {
        board.set(event.node_id, { status: 'waiting' });
        return board.change({ questions: [...this.#othersThan(event.interrupt_id), toQuestion(event)] });
      }
      case 'interrupt_resolved':
        return board.change({ questions: this.#othersThan(event.interrupt_id) });
      case 'run_completed':
        return board.change({ status: event.status, output: event.output as Json });
      case 'run_failed':
        return board.change({ status: event.status, error: event.error?.message ?? '' });
      case 'run_interrupted': {
        board.change({ status: event.status });
        if (event.resumed_by_run_id !== undefined) this.#continueAs(event.resumed_by_run_id);
        else this.#continueIfAnswered();
        return;
      }
      case 'run_cancelled':
        return board.change({ status: event.status, questions: [] });
      case 'progress': {
        const runs = readChildWaits(event);
        if (runs !== null) board.set(event.node_id, { status: runs.length > 0 ? 'waiting' : 'running' });
        return;
      }
      case 'heartbeat':
      case 'paused':
      case 'run_started':
      case 'snapshot':
      case 'state_updated':
      case 'stream_error':
      case 'tool_call':
      // The canvas shows nothing of these.
    }
  }

  #othersThan(gone: string): Question[] {
    return this.#board.run.questions.filter(({ interruptId }) => interruptId !== gone);
  }
}

const toQuestion = (event: Extract<RunEvent, { type: 'interrupt' }>): Question => ({
  interruptId: event.interrupt_id,
  nodeId: event.node_id,
  title: event.title,
  message: event.message,
  actions: event.actions,
  form: event.form as JsonObject | null,
});
