/** Starts, follows, answers and cancels runs over the public API; what the stream tells goes to the board. */
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import { textOf } from './binding.ts';
import type { Question, RunBoard } from './run-board.ts';

type Request = (path: string, init?: RequestInit) => Promise<Response>;

const RETRY_MS = 1_000;
const ENDS: readonly string[] = ['run_completed', 'run_failed', 'run_cancelled', 'run_interrupted'];

/** What an answer of the API that is no success says, for people. */
export async function refusalOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const detail = isObject(body) ? (ownValue(body, 'detail') ?? ownValue(body, 'message')) : null;
  if (typeof detail === 'string') return detail;
  if (isObject(detail)) return textOf(detail, 'message') || JSON.stringify(detail);
  return Array.isArray(detail)
    ? detail.map((one) => (isObject(one) ? textOf(one, 'msg') : '')).join('; ')
    : `HTTP ${response.status}`;
}

const post = (request: Request, path: string, body: JsonObject): Promise<Response> =>
  request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

export class RunClient {
  readonly #request: Request;
  readonly #board: RunBoard;
  #following: AbortController | null = null;

  constructor(request: Request, board: RunBoard) {
    this.#request = request;
    this.#board = board;
  }

  /** @returns why it did not start; null when it did */
  async start(body: JsonObject): Promise<string | null> {
    const response = await post(this.#request, '/workflows/run', body);
    if (!response.ok) return refusalOf(response);
    const started: unknown = await response.json();
    this.follow(isObject(started) ? textOf(started, 'run_id') : '');
    return null;
  }

  /** Shows a run from its first event on. */
  follow(runId: string): void {
    this.#board.begin(runId, true);
    void this.#follow(runId);
  }

  async answer(
    questions: readonly {
      readonly question: Question;
      readonly action: string | null;
      readonly data: Json;
    }[],
  ): Promise<string | null> {
    const { runId } = this.#board.run;
    const responses = questions.map(({ question, action, data }) => ({
      interrupt_id: question.interruptId,
      ...(action === null ? {} : { action }),
      ...(data === null ? {} : { data }),
    }));
    const response = await post(this.#request, `/workflows/resume/${String(runId)}`, { responses });
    if (response.status === 410) return 'Somebody else has answered already.';
    if (!response.ok) return refusalOf(response);
    const resumed: unknown = await response.json();
    const next = isObject(resumed) ? textOf(resumed, 'run_id') : '';
    this.#board.goOn(next);
    void this.#follow(next);
    return null;
  }

  async cancel(): Promise<string | null> {
    const { runId, status } = this.#board.run;
    if (runId === null) return null;
    const response = await post(this.#request, `/workflows/cancel/${runId}`, {});
    if (!response.ok) return refusalOf(response);
    // The stream of a run that waits has ended: nobody else tells.
    if (status === 'interrupted') this.#board.change({ status: 'cancelled', questions: [] });
    return null;
  }

  dispose(): void {
    this.#following?.abort();
  }

  async #follow(runId: string): Promise<void> {
    this.#following?.abort();
    const stop = new AbortController();
    this.#following = stop;
    let seq = 0;
    while (!stop.signal.aborted) {
      try {
        const response = await this.#request(`/workflows/listen/${runId}?after_seq=${seq}`, {
          signal: stop.signal,
        });
        if (response.status === 204) return;
        if (response.body === null || !response.ok) throw new Error(`HTTP ${response.status}`);
        this.#board.change({ isLost: false });
        for await (const frame of framesOf(response.body)) {
          const at = ownValue(frame, 'seq');
          if (typeof at === 'number') seq = at;
          this.#take(frame);
          if (ENDS.includes(textOf(frame, 'type'))) return;
        }
      } catch {
        if (stop.signal.aborted) return;
        this.#board.change({ isLost: true });
      }
      await new Promise((resolve) => window.setTimeout(resolve, RETRY_MS));
    }
  }

  #take(frame: JsonObject): void {
    const type = textOf(frame, 'type');
    const nodeId = textOf(frame, 'node_id');
    const board = this.#board;
    if (type === 'node_started') board.set(nodeId, { status: 'running', stepId: textOf(frame, 'step_id') });
    else if (type === 'node_retry') board.set(nodeId, { status: 'retrying', error: failureText(frame) });
    else if (type === 'node_failed') board.set(nodeId, { status: 'failed', error: failureText(frame) });
    else if (type === 'node_skipped') board.set(nodeId, { status: 'skipped' });
    else if (type === 'node_reused')
      board.set(nodeId, { status: 'reused', handle: textOf(frame, 'selected_handle') || null });
    else if (type === 'token' && frame['channel'] !== 'reasoning')
      board.append(nodeId, textOf(frame, 'delta'));
    else if (type === 'token_reset') board.set(nodeId, { text: '' });
    else if (type === 'interrupt') {
      board.set(nodeId, { status: 'waiting' });
      const question = questionOf(frame);
      const others = board.run.questions.filter(({ interruptId }) => interruptId !== question.interruptId);
      board.change({ questions: [...others, question] });
    } else if (type === 'interrupt_resolved') {
      const gone = textOf(frame, 'interrupt_id');
      board.change({ questions: board.run.questions.filter(({ interruptId }) => interruptId !== gone) });
    } else if (type === 'node_completed') {
      board.set(nodeId, {
        status: 'completed',
        output: ownValue(frame, 'output') ?? null,
        handle: textOf(frame, 'selected_handle') || null,
        durationMs: Number(ownValue(frame, 'duration_ms') ?? 0),
        credits: Number(ownValue(frame, 'credits') ?? 0),
        stepId: textOf(frame, 'step_id'),
      });
    } else if (ENDS.includes(type)) {
      board.change({
        status: type.slice('run_'.length),
        output: ownValue(frame, 'output') ?? null,
        error: failureText(frame),
      });
    }
  }
}

function failureText(frame: JsonObject): string {
  const error = ownValue(frame, 'error');
  return isObject(error) ? textOf(error, 'message') : '';
}

function questionOf(frame: JsonObject): Question {
  const actions = ownValue(frame, 'actions');
  const form = ownValue(frame, 'form');
  return {
    interruptId: textOf(frame, 'interrupt_id'),
    nodeId: textOf(frame, 'node_id'),
    title: textOf(frame, 'title'),
    message: textOf(frame, 'message'),
    actions: (Array.isArray(actions) ? actions : [])
      .filter((one) => isObject(one))
      .map((one) => ({
        id: textOf(one, 'id'),
        label: textOf(one, 'label') || textOf(one, 'id'),
      })),
    form: isObject(form) ? form : null,
  };
}

/** The frames of an event stream (WHATWG HTML, server-sent events): `data` lines up to an empty line. */
async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<JsonObject> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (rest + part.value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trim())
        .join('\n');
      if (data === '') continue;
      const frame: unknown = JSON.parse(data);
      if (isObject(frame)) yield frame;
    }
  }
}
