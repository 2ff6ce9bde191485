/** Starts, follows, answers and cancels runs, and writes the events of the stream to the board. */
import { systemClock } from '../../../base/clock.ts';
import { readChildWaits } from '../../client/child-waits.ts';
import { WorkflowApiError, type Body, type RunEvent, type WorkflowClient } from '../../client/client.ts';
import { ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { describeError } from '../kit/describe-error.ts';
import { hasCode } from '../kit/has-code.ts';
import { editorWords } from '../words-editor.ts';
import { toNodeRun, toStreamStatus } from './run-steps.ts';
import type { Question, RunBoard } from './run-board.ts';

/** A workflow that runs each second must not use up the page's requests: a free plan has 60 a minute. */
const READ_MS = 10_000;

interface AnswerTo {
  readonly question: Question;
  readonly action: string | null;
  readonly data: Json;
}

const describeRefusal = (error: unknown): string =>
  error instanceof WorkflowApiError && error.status === 410
    ? editorWords.canvas.answered
    : describeError(error as Error);

export class RunClient {
  readonly #client: WorkflowClient;
  readonly #board: RunBoard;
  #following: AbortController | null = null;
  readonly #shownListeners = new Set<() => void>();
  /** The colleague's run whose definition was loaded last, and when. */
  #readRunId: string | null = null;
  #readAt = -Infinity;

  constructor(client: WorkflowClient, board: RunBoard) {
    this.#client = client;
    this.#board = board;
  }

  /** Continues runs that others answer, and loads the definitions of their runs. @returns a function that stops both */
  open(): () => void {
    const stops = [
      this.#board.onContinuation(() => this.#continueIfAnswered()),
      this.#board.subscribe(() => this.#readEnded()),
    ];
    return () => {
      for (const stop of stops) stop();
      this.#following?.abort();
    };
  }

  /** Calls the listener when the canvas shows another run than the one that it was opened with. */
  readonly onRunShown = (listener: () => void): (() => void) => {
    this.#shownListeners.add(listener);
    return () => this.#shownListeners.delete(listener);
  };

  /** @returns why it did not start; null when it did */
  start(body: JsonObject): Promise<string | null> {
    return this.#unlessRefused(async () => {
      const run = await this.#client.runs.start(body as Body<'startRun'>);
      this.#board.keepInput(ownValue(body, 'input'));
      this.showRun(run.runId, ownValue(body, 'workflow'));
    });
  }

  /** Shows a run that was started here. @param definition what it runs, where it was sent along */
  showRun(runId: string, definition?: Json): void {
    this.follow(runId, { definition });
    for (const listener of this.#shownListeners) listener();
  }

  /**
   * Shows a run from its first event on.
   * @param how isOwn false: it was found, not started or opened here
   */
  follow(
    runId: string,
    how: { readonly isOwn?: boolean; readonly definition?: Json | undefined } = {},
  ): void {
    const { isOwn = true, definition } = how;
    this.#board.begin(runId, { isFollowed: true, isOwn });
    void this.#follow(runId);
    if (definition === undefined) void this.#readDefinition(runId);
    else this.#board.keepDefinition(definition);
  }

  /** Loads the values and questions of a run that is known from presence events alone, because somebody opened it. */
  watch(): void {
    const runId = this.#board.watch();
    if (runId === null) return;
    void this.#follow(runId);
    void this.#readDefinition(runId);
  }

  /** Shows the run that began while the shown one was kept. */
  showNewer(): void {
    this.#board.beginNewer();
    this.watch();
    for (const listener of this.#shownListeners) listener();
  }

  /** Catches up on the shown run after a reconnect. */
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
      try {
        const { runId } = await run.resume({ responses } as Body<'resumeRun'>);
        this.#continueAs(runId);
      } catch (error) {
        // The person's earlier answer stands, and the question still waits for others.
        if (!hasCode(error, 'already_responded')) throw error;
      }
    });
  }

  /** Reads the address at which another service answers a question; null when it is closed. */
  async readCallbackUrl({ interruptId }: Question): Promise<string | null> {
    const { interrupts } = await this.#client.runs.byRunId(String(this.#board.run.runId)).record();
    return interrupts.find(({ interrupt_id: id }) => id === interruptId)?.callback_url ?? null;
  }

  /** Cancels the followed run. @returns why it was not cancelled; null when it was, or nothing runs */
  async cancel(): Promise<string | null> {
    const { runId, status, isFollowed, isWatched } = this.#board.run;
    // A colleague's run is cancelled on its own page, where its owner is named.
    if (runId === null || !isFollowed || isWatched) return null;
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

  /** Loads the definition that a colleague's run executed, once it has ended: presence events lack it. */
  #readEnded(): void {
    const { firstRunId, isFollowed } = this.#board.run;
    if (firstRunId === null || isFollowed || !this.#board.hasEnded || firstRunId === this.#readRunId) return;
    const now = systemClock.monotonic();
    if (now - this.#readAt < READ_MS) return;
    this.#readAt = now;
    this.#readRunId = firstRunId;
    void this.#readDefinition(firstRunId);
  }

  /** Loads the definition of the shown run, by which nodes that were edited since are marked. */
  async #readDefinition(runId: string): Promise<void> {
    const client = this.#client;
    try {
      const [record] = (await client.runs.list({ run_id: runId }).page()).runs;
      if (record === undefined) return;
      const path = { run_pk: record.id };
      const { definition } = await client.request('GET', '/workflow-runs/{run_pk}/definition', { path });
      if (this.#board.run.firstRunId === runId) this.#board.keepDefinition(definition);
    } catch {
      // Ignored: the stream of the run reports the error.
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
        this.#applyEvent(event);
      }
    } catch (error) {
      if (!stop.signal.aborted) this.#board.change({ isLost: false, error: describeRefusal(error) });
    }
  }

  #applyEvent(event: RunEvent): void {
    const board = this.#board;
    switch (event.type) {
      case 'node_started':
        return board.set(event.node_id, { status: 'running', stepId: event.step_id });
      case 'node_retry':
        return board.set(event.node_id, { status: 'retrying', ...toFailure(event) });
      case 'node_failed':
        return board.set(event.node_id, {
          status: 'failed',
          ...toFailure(event),
          handle: toFailedHandle(event),
        });
      case 'node_skipped':
        return board.set(event.node_id, {
          status: 'skipped',
          handle: event.reason === 'disabled' ? 'default' : null,
        });
      case 'node_reused':
        return board.set(event.node_id, { status: 'reused', handle: event.selected_handle });
      case 'node_completed':
        board.forget(toPlace(event));
        return board.set(event.node_id, {
          status: 'completed',
          output: event.output as Json,
          handle: event.selected_handle,
          durationMs: event.duration_ms,
          credits: event.credits,
          stepId: event.step_id,
        });
      case 'token':
        return event.channel === 'reasoning' ? undefined : board.append(toPlace(event), event.delta);
      case 'token_reset':
        return board.forget(toPlace(event));
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

const toPlace = ({
  node_id: nodeId,
  step_id: stepId,
}: {
  readonly node_id: string;
  readonly step_id: string;
}) => ({
  nodeId,
  stepId,
});

/** The handle whose edges a failure has taken; null when it ended the run. */
const toFailure = ({ error }: Extract<RunEvent, { type: 'node_failed' | 'node_retry' }>) => ({
  error: error.message,
  response: error.response,
});

const toFailedHandle = ({ handled, on_error: policy }: Extract<RunEvent, { type: 'node_failed' }>) =>
  handled ? (policy === 'branch' ? 'error' : 'default') : null;

const toQuestion = (event: Extract<RunEvent, { type: 'interrupt' }>): Question => ({
  interruptId: event.interrupt_id,
  nodeId: event.node_id,
  kind: event.kind,
  isCallback: event.kind === 'callback',
  title: event.title,
  message: event.message,
  payload: event.payload as Json,
  actions: event.actions,
  form: event.form as JsonObject | null,
  required: event.required_responses ?? 1,
  expiresAt: event.expires_at,
});
