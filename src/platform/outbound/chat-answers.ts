/**
 * Rewrites the responses of models into the shapes that the AI SDK accepts. The SDK ends a stream at the first unexpected
 * event, and a discarded response is paid for again by the next attempt.
 */
import { createParser } from 'eventsource-parser';
import { isDeeperThan, isObject } from '../../language/graph/values/value.ts';
import type { Json, JsonObject } from '../../language/graph/values/value.ts';
import type { BodyEdit } from './guarded-fetch.ts';

/** Rewrites the data of one event; null drops the event. */
type EditEvent = (data: string) => string | null;

const END = '[DONE]';

/** Deeper than any real response, and shallow enough for JSON.stringify. */
const MAX_DEPTH = 64;

/** @returns null for anything but an object, and for one that is nested too deeply */
function parseObject(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) && !isDeeperThan(value, MAX_DEPTH) ? value : null;
  } catch {
    return null;
  }
}

/** Formats one event (HTML standard, server-sent events). */
const formatEvent = (data: string): string => `data: ${data.replaceAll(/\r?\n/g, '\ndata: ')}\n\n`;

/** Picks the numbers of a usage object and of its details; servers add other fields that the SDK rejects. */
function pickNumbers(counts: Json | undefined): JsonObject | null {
  if (!isObject(counts)) return null;
  const read = Object.entries(counts).map(([name, count]) => [
    name,
    typeof count === 'number' ? count : pickNumbers(count),
  ]);
  return Object.fromEntries(read) as JsonObject;
}

/** @returns the error of a chunk in the only shape that the SDK recognizes; null when it has none */
function findFailure({ error }: JsonObject): JsonObject | null {
  if (error === undefined || error === null || error === false || error === '') return null;
  const message = isObject(error) ? error['message'] : error;
  return { error: { message: typeof message === 'string' ? message : 'unknown error' } };
}

/** Gives each tool call of a stream its own index: some servers send index 0 for all and distinguish them by id. */
class CallIndexes {
  readonly #open = new Map<number, { readonly id: string; readonly index: number }>();
  #next = 0;

  assign(given: number, id: Json | undefined, name: Json | undefined): number {
    const open = this.#open.get(given);
    const isNamed = typeof id === 'string' && id !== '' && typeof name === 'string' && name !== '';
    // Other servers send a new id with each piece of a call; only a piece with a name starts a call.
    if (open !== undefined && (!isNamed || open.id === '' || open.id === id)) return open.index;
    const started = { id: isNamed ? id : '', index: this.#next };
    this.#open.set(given, started);
    this.#next += 1;
    return started.index;
  }
}

/** Rewrites one response in OpenAI's protocol, whole or chunk by chunk. */
class ChatAnswer {
  readonly #indexes = new CallIndexes();
  #hasRefused = false;
  #isEnded = false;

  /** Rewrites one event of a stream. Invalid events after the end are dropped, so that they cannot fail the response. */
  readonly editEvent: EditEvent = (data) => {
    if (data === END) return data;
    const chunk = parseObject(data);
    const failure = chunk === null ? null : findFailure(chunk);
    if (failure === null && chunk !== null && mayHaveChoices(chunk))
      return JSON.stringify(this.#edit(chunk, 'delta'));
    if (this.#isEnded) return null;
    return failure === null ? data : JSON.stringify(failure);
  };

  /** Rewrites a response that is not a stream. */
  editWhole(text: string): string {
    const answer = parseObject(text);
    return answer !== null && Array.isArray(answer['choices'])
      ? JSON.stringify(this.#edit(answer, 'message'))
      : text;
  }

  #edit(answer: JsonObject, part: 'delta' | 'message'): JsonObject {
    const { model, choices } = answer;
    return {
      ...(typeof model === 'string' ? { model } : {}),
      choices: (Array.isArray(choices) ? choices : []).map((choice) =>
        isObject(choice) ? this.#editChoice(choice, part) : choice,
      ),
      usage: pickNumbers(answer['usage']),
    };
  }

  #editChoice(choice: JsonObject, part: 'delta' | 'message'): JsonObject {
    // Servers that cannot stream send `message` in place of `delta`.
    const message = choice[part] ?? choice['message'];
    const edited = isObject(message) ? this.#editMessage(message) : (message ?? null);
    const reason = choice['finish_reason'];
    if (typeof reason !== 'string' || reason === '') return { [part]: edited, finish_reason: null };
    this.#isEnded = reason !== 'error';
    return { [part]: edited, finish_reason: this.#hasRefused ? 'refusal' : reason };
  }

  /** Moves a refusal into the content and the finish reason, because the SDK has no field for it. */
  #editMessage({
    content,
    refusal,
    reasoning_content,
    reasoning,
    tool_calls: calls,
  }: JsonObject): JsonObject {
    const refused = typeof refusal === 'string' ? refusal : '';
    if (refused !== '') this.#hasRefused = true;
    return {
      content: refused === '' ? (content ?? null) : `${typeof content === 'string' ? content : ''}${refused}`,
      reasoning_content: reasoning_content ?? null,
      reasoning: reasoning ?? null,
      tool_calls: Array.isArray(calls) ? calls.filter(isObject).map((call) => this.#editCall(call)) : null,
    };
  }

  #editCall({ index, id, function: given }: JsonObject): JsonObject {
    const { name, arguments: text } = isObject(given) ? given : ({} as JsonObject);
    return {
      ...(typeof index === 'number' ? { index: this.#indexes.assign(index, id, name) } : {}),
      id: id ?? null,
      function: {
        ...(name === undefined ? {} : { name }),
        arguments: isObject(text) ? JSON.stringify(text) : (text ?? ''),
      },
    };
  }
}

/** Pings and cost reports have no choices. */
const mayHaveChoices = ({ choices = null }: JsonObject): boolean =>
  choices === null || Array.isArray(choices);

/** Events of Anthropic's protocol; a client must ignore others. */
const ANTHROPIC_EVENTS: ReadonlySet<Json | undefined> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'error',
]);

function editAnthropicEvent(data: string): string | null {
  const event = parseObject(data);
  return event === null || ANTHROPIC_EVENTS.has(event['type']) ? data : null;
}

/** Edits a stream event by event. */
class EventEdit implements BodyEdit {
  readonly #decoder = new TextDecoder();
  readonly #encoder = new TextEncoder();
  readonly #parser;
  #edited = '';

  constructor(edit: EditEvent) {
    this.#parser = createParser({
      onEvent: ({ data }) => {
        const edited = edit(data);
        if (edited !== null) this.#edited += formatEvent(edited);
      },
    });
  }

  push(bytes: Uint8Array): Uint8Array | null {
    this.#parser.feed(this.#decoder.decode(bytes, { stream: true }));
    return this.#takeEdited();
  }

  /** The last event may lack its empty line. */
  end(): Uint8Array | null {
    this.#parser.feed(`${this.#decoder.decode()}\n\n`);
    return this.#takeEdited();
  }

  #takeEdited(): Uint8Array | null {
    const edited = this.#edited;
    this.#edited = '';
    return edited === '' ? null : this.#encoder.encode(edited);
  }
}

/** Edits a response after its last byte. */
class WholeEdit implements BodyEdit {
  readonly #edit: (text: string) => string;
  readonly #parts: Uint8Array[] = [];

  constructor(edit: (text: string) => string) {
    this.#edit = edit;
  }

  push(bytes: Uint8Array): null {
    this.#parts.push(bytes);
    return null;
  }

  end(): Uint8Array {
    return Buffer.from(this.#edit(new TextDecoder().decode(Buffer.concat(this.#parts))));
  }
}

/**
 * Creates the edits for the responses of a provider; null for error responses.
 * @param isStreamed whether the request has `stream: true`; a JSON response to it becomes a stream
 */
export function createAnswerEdit(
  provider: string,
  isStreamed: boolean,
): (status: number, headers: Headers) => BodyEdit | null {
  return (status, headers) => {
    if (status !== 200) return null;
    if (provider === 'anthropic') return isStreamed ? new EventEdit(editAnthropicEvent) : null;
    const answer = new ChatAnswer();
    if (!isStreamed) return new WholeEdit((text) => answer.editWhole(text));
    const isJson = /^application\/json\b/i.test(headers.get('content-type') ?? '');
    if (!isJson) return new EventEdit(answer.editEvent);
    return new WholeEdit((text) => formatEvent(answer.editEvent(text) ?? text));
  };
}
