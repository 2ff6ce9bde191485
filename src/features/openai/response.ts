/** Responses: the object of a run, and the numbered events of a running one. */
import { isObject, ownValue, type JsonObject } from '../../language/graph/values/value.ts';
import type { RunFrame } from '../../engine/runs/stream/read-frames.ts';
import type { RunOutcome } from '../../engine/runs/stream/run-ending.ts';
import { isUuid } from '../../base/uuid.ts';
import { findCutReason, readAnswerText, type AnswerText } from './answer.ts';

const PREFIX = 'resp_';

/** Builds the id of the response of a run. */
const toResponseId = (runId: string): string => `${PREFIX}${runId}`;

/** Reads the run of a response; null for an id that no response has. */
export function parseResponseId(id: string): string | null {
  const runId = id.slice(PREFIX.length);
  return id.startsWith(PREFIX) && isUuid(runId) ? runId : null;
}

/** The fields of a request that every answer with its response repeats. */
export interface ResponseRequestFields {
  readonly model: string;
  readonly background: boolean;
  readonly instructions: string | null;
  readonly previousResponseId: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** The settings of the model, in the form of a response. */
  readonly settings: JsonObject;
}

export interface ResponseHead extends Omit<ResponseRequestFields, 'metadata'> {
  readonly runId: string;
  /** Unix seconds. */
  readonly createdSeconds: number;
  readonly store: boolean;
  readonly metadata: JsonObject;
}

/** Writes the fields of a request, to be kept with its run. */
export const writeRequest = (request: ResponseRequestFields): JsonObject => ({
  model: request.model,
  background: request.background,
  instructions: request.instructions,
  previous_response_id: request.previousResponseId,
  metadata: request.metadata,
  settings: request.settings,
});

/**
 * Reads the fields of a request from where they are kept.
 * @param kept null: the run was started at another door or by an earlier release, or its values were deleted
 * @param otherwise what the run itself has to show instead
 */
export function readRequest(
  kept: JsonObject | null,
  otherwise: Pick<ResponseHead, 'model' | 'metadata'>,
): Omit<ResponseHead, 'runId' | 'createdSeconds' | 'store'> {
  const request = kept ?? {};
  const readText = (name: string): string | null => {
    const text = ownValue(request, name);
    return typeof text === 'string' ? text : null;
  };
  const metadata = ownValue(request, 'metadata');
  const settings = ownValue(request, 'settings');
  return {
    model: readText('model') ?? otherwise.model,
    background: ownValue(request, 'background') !== false,
    instructions: readText('instructions'),
    previousResponseId: readText('previous_response_id'),
    metadata: isObject(metadata) ? metadata : otherwise.metadata,
    settings: isObject(settings) ? settings : {},
  };
}

/** Converts to Unix seconds. */
export const toSeconds = (moment: Date): number => Math.floor(moment.getTime() / 1_000);

export const readCount = (usage: JsonObject | null, name: string): number => {
  const count = ownValue(usage ?? {}, name);
  return typeof count === 'number' ? count : 0;
};

const presentUsage = (usage: JsonObject | null): JsonObject | null =>
  usage === null
    ? null
    : {
        input_tokens: readCount(usage, 'input_tokens'),
        input_tokens_details: { cached_tokens: readCount(usage, 'cached_tokens') },
        output_tokens: readCount(usage, 'output_tokens'),
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: readCount(usage, 'total_tokens'),
      };

const presentText = (text: string): JsonObject => ({
  type: 'output_text',
  text,
  annotations: [],
  logprobs: [],
});

const presentMessage = (runId: string, status: string, content: JsonObject[]): JsonObject => ({
  id: `msg_${runId}`,
  type: 'message',
  status,
  role: 'assistant',
  content,
});

/** The state of a response, whose names differ from those of runs. */
const STATUSES = {
  output: 'completed',
  run_failed: 'failed',
  run_cancelled: 'cancelled',
  run_not_ended: 'in_progress',
  input_required: 'incomplete',
} as const;

const INCOMPLETE_REASONS = { length: 'max_output_tokens', content_filter: 'content_filter' } as const;

/** Says why a response is incomplete: its answer was cut, or a person is asked; null for a whole one. */
function presentIncomplete(ending: RunOutcome): JsonObject | null {
  if (ending.kind === 'input_required') return { reason: ending.kind, message: ending.message };
  const cut = ending.kind === 'output' ? findCutReason(ending.cuts) : null;
  return cut === null ? null : { reason: INCOMPLETE_REASONS[cut] };
}

function presentError(ending: RunOutcome): JsonObject | null {
  return ending.kind === 'run_failed' ? { code: 'server_error', message: ending.message } : null;
}

/** The settings of a model call that the request does not have: the specification wants their usual values. */
const SETTINGS: JsonObject = {
  tools: [],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  truncation: 'disabled',
  text: { format: { type: 'text' } },
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  top_logprobs: 0,
  reasoning: null,
  max_output_tokens: null,
  max_tool_calls: null,
  service_tier: 'default',
  safety_identifier: null,
  prompt_cache_key: null,
  user: null,
};

/**
 * Presents the response of a run.
 * @param output the message as it was streamed; by default the text of the output
 */
export function presentResponse(
  head: ResponseHead,
  ending: RunOutcome,
  output: JsonObject[] | null = null,
): JsonObject {
  const incomplete = presentIncomplete(ending);
  const status = incomplete === null ? STATUSES[ending.kind] : 'incomplete';
  const own =
    ending.kind === 'output'
      ? [presentMessage(head.runId, status, [presentText(readAnswerText(ending.output))])]
      : [];
  return {
    id: toResponseId(head.runId),
    object: 'response',
    created_at: head.createdSeconds,
    completed_at: ending.kind === 'output' && incomplete === null ? toSeconds(ending.completedAt) : null,
    status,
    background: head.background,
    error: presentError(ending),
    incomplete_details: incomplete,
    instructions: head.instructions,
    model: head.model,
    output: output ?? own,
    previous_response_id: head.previousResponseId,
    store: head.store,
    usage: presentUsage(ending.usage),
    metadata: head.metadata,
    ...SETTINGS,
    ...head.settings,
  };
}

const LAST_EVENTS = {
  output: 'response.completed',
  run_failed: 'response.failed',
  run_cancelled: 'response.failed',
  input_required: 'response.incomplete',
} as const;

interface EventSource {
  readonly head: ResponseHead;
  readonly frames: AsyncIterable<RunFrame>;
  readonly answer: AnswerText;
  /** Reads the end of the run, after its last frame. */
  readonly readEnding: () => Promise<RunOutcome>;
}

export type ResponseEvent = JsonObject & { readonly type: string };

/**
 * Converts the frames of a run to the events of its response, numbered from 0; an event of type `ping` has no number. The
 * frames are stored, so a repetition gives the same events under the same numbers.
 */
export async function* streamResponse({
  head,
  frames,
  answer,
  readEnding,
}: EventSource): AsyncGenerator<ResponseEvent> {
  let number = 0;
  const build = (type: string, fields: JsonObject): ResponseEvent => ({
    type,
    sequence_number: number++,
    ...fields,
  });
  const place = { item_id: `msg_${head.runId}`, output_index: 0, content_index: 0 };
  const running = presentResponse(head, { kind: 'run_not_ended', message: '', usage: null });
  const open = (): ResponseEvent[] => {
    const item = presentMessage(head.runId, 'in_progress', []);
    return [
      build('response.output_item.added', { output_index: 0, item }),
      build('response.content_part.added', { ...place, part: presentText('') }),
    ];
  };
  const buildDelta = (delta: string): ResponseEvent[] => [
    ...(answer.sent === delta ? open() : []),
    build('response.output_text.delta', { ...place, delta, logprobs: [] }),
  ];
  yield build('response.created', { response: running });
  yield build('response.in_progress', { response: running });
  for await (const frame of frames) {
    if (frame.type === 'ping') yield { type: 'ping' };
    const delta = answer.take(frame);
    if (delta !== '') yield* buildDelta(delta);
  }
  const ending = await readEnding();
  // Only the stream ended, not the run: the client continues after its last event.
  if (ending.kind === 'run_not_ended') return;
  const rest = ending.kind === 'output' ? answer.finish(readAnswerText(ending.output)) : '';
  if (rest !== '') yield* buildDelta(rest);
  else if (ending.kind === 'output' && answer.sent === '') yield* open();
  const isOpen = answer.sent !== '' || ending.kind === 'output';
  const part = presentText(answer.sent);
  const incomplete = presentIncomplete(ending);
  const isWhole = ending.kind === 'output' && incomplete === null;
  const item = presentMessage(head.runId, isWhole ? 'completed' : 'incomplete', [part]);
  if (isOpen) {
    yield build('response.output_text.done', { ...place, text: answer.sent, logprobs: [] });
    yield build('response.content_part.done', { ...place, part });
    yield build('response.output_item.done', { output_index: 0, item });
  }
  const response = presentResponse(head, ending, isOpen ? [item] : []);
  yield build(incomplete === null ? LAST_EVENTS[ending.kind] : 'response.incomplete', { response });
}

/** A page of the input of a response. */
export interface InputPage {
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  /** The id of the item before the page; null: from the first. */
  readonly after: string | null;
}

const ROLES: readonly string[] = ['user', 'assistant', 'system', 'developer'];

/** Lists the messages that a run has got, as items. */
function listInputItems(runId: string, input: JsonObject): JsonObject[] {
  const messages = ownValue(input, 'messages');
  const single = ownValue(input, 'message') ?? ownValue(input, 'text');
  const list = Array.isArray(messages) ? messages : [{ role: 'user', content: single ?? null }];
  return list.flatMap((message, index): JsonObject[] => {
    const [role, text] = [ownValue(message, 'role'), ownValue(message, 'content')];
    if (typeof text !== 'string') return [];
    const known = typeof role === 'string' && ROLES.includes(role) ? role : 'user';
    const type = known === 'assistant' ? 'output_text' : 'input_text';
    const content = type === 'output_text' ? presentText(text) : { type, text };
    return [
      { id: `msg_${runId}_${index}`, type: 'message', role: known, status: 'completed', content: [content] },
    ];
  });
}

/** Presents a page of the messages that a response answers; an unknown `after` is before the first. */
export function presentInputItems(
  runId: string,
  input: JsonObject,
  { limit, order, after }: InputPage,
): JsonObject {
  const items = listInputItems(runId, input);
  const ordered = order === 'asc' ? items : items.toReversed();
  const from = ordered.findIndex(({ id }) => id === after) + 1;
  const data = ordered.slice(from, from + limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.['id'] ?? null,
    last_id: data.at(-1)?.['id'] ?? null,
    has_more: from + limit < ordered.length,
  };
}

/** Presents the deletion of a response. */
export const presentDeleted = (id: string): JsonObject => ({ id, object: 'response', deleted: true });
