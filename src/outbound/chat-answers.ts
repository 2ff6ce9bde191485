/**
 * Puts the answers of models into the shapes that the providers' SDK reads: it takes one odd event for the end of a
 * stream, and an answer that is thrown away is paid for again with each attempt.
 */
import { createParser } from 'eventsource-parser';
import { deeperThan, isObject } from '../graph/value.ts';
import type { Json, JsonObject } from '../graph/value.ts';
import type { BodyEdit } from './guarded-fetch.ts';

/** Reads the data of one event; null leaves the event out. */
type EditEvent = (data: string) => string | null;

const END = '[DONE]';

/** Deeper than any answer, and not so deep that it could not be written again. */
const MAX_DEPTH = 64;

/** Null for what is no object, or could not be written again. */
function parsed(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) && !deeperThan(value, MAX_DEPTH) ? value : null;
  } catch {
    return null;
  }
}

/** The lines of one event (HTML standard, server-sent events). */
const eventOf = (data: string): string => `data: ${data.replaceAll(/\r?\n/g, '\ndata: ')}\n\n`;

/** The numbers in what a server says was used, and in its details. */
function numbersOf(counts: Json | undefined): JsonObject | null {
  if (!isObject(counts)) return null;
  const read = Object.entries(counts).map(([name, count]) => [
    name,
    typeof count === 'number' ? count : numbersOf(count),
  ]);
  return Object.fromEntries(read) as JsonObject;
}

/** A failure in the one shape that the SDK takes for one; null when there is none. */
function failureIn({ error }: JsonObject): JsonObject | null {
  if (error === undefined || error === null || error === false || error === '') return null;
  const message = isObject(error) ? error['message'] : error;
  return { error: { message: typeof message === 'string' ? message : 'unknown error' } };
}

/** Gives each tool call of a stream an index of its own: some servers say 0 of all of them, and tell them apart by id. */
class CallIndexes {
  readonly #open = new Map<number, { readonly id: string; readonly index: number }>();
  #next = 0;

  of(given: number, id: Json | undefined, name: Json | undefined): number {
    const open = this.#open.get(given);
    const isNamed = typeof id === 'string' && id !== '' && typeof name === 'string' && name !== '';
    // Other servers invent an id for each piece of a call: only a piece with a name begins one.
    if (open !== undefined && (!isNamed || open.id === '' || open.id === id)) return open.index;
    const begun = { id: isNamed ? id : '', index: this.#next };
    this.#open.set(given, begun);
    this.#next += 1;
    return begun.index;
  }
}

/** Reads what one server sends for one request: whole, or chunk by chunk. */
class ChatAnswer {
  readonly #indexes = new CallIndexes();
  #hasRefused = false;
  #isEnded = false;

  /** The data of one event, for a stream. What comes behind the end cannot spoil the answer. */
  readonly editEvent: EditEvent = (data) => {
    if (data === END) return data;
    const chunk = parsed(data);
    const failure = chunk === null ? null : failureIn(chunk);
    if (failure === null && chunk !== null && mayHaveChoices(chunk))
      return JSON.stringify(this.#edit(chunk, 'delta'));
    if (this.#isEnded) return null;
    return failure === null ? data : JSON.stringify(failure);
  };

  /** The text of a whole answer. */
  editWhole(text: string): string {
    const answer = parsed(text);
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
      usage: numbersOf(answer['usage']),
    };
  }

  #editChoice(choice: JsonObject, part: 'delta' | 'message'): JsonObject {
    // Servers that cannot stream send a message where a delta was asked for.
    const said = choice[part] ?? choice['message'];
    const edited = isObject(said) ? this.#editSaid(said) : (said ?? null);
    const reason = choice['finish_reason'];
    if (typeof reason !== 'string' || reason === '') return { [part]: edited, finish_reason: null };
    this.#isEnded = reason !== 'error';
    return { [part]: edited, finish_reason: this.#hasRefused ? 'refusal' : reason };
  }

  /** A refusal becomes what was said, and the reason why the answer ended: the SDK knows no other place for it. */
  #editSaid({ content, refusal, reasoning_content, reasoning, tool_calls: calls }: JsonObject): JsonObject {
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
      ...(typeof index === 'number' ? { index: this.#indexes.of(index, id, name) } : {}),
      id: id ?? null,
      function: {
        ...(name === undefined ? {} : { name }),
        arguments: isObject(text) ? JSON.stringify(text) : (text ?? ''),
      },
    };
  }
}

/** Pings, and what a call has cost, come without choices. */
const mayHaveChoices = ({ choices = null }: JsonObject): boolean =>
  choices === null || Array.isArray(choices);

/** The events of Anthropic's protocol: it may get others, which are to be passed over. */
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
  const event = parsed(data);
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
        if (edited !== null) this.#edited += eventOf(edited);
      },
    });
  }

  push(bytes: Uint8Array): Uint8Array | null {
    this.#parser.feed(this.#decoder.decode(bytes, { stream: true }));
    return this.#taken();
  }

  /** The last event may lack its empty line. */
  end(): Uint8Array | null {
    this.#parser.feed(`${this.#decoder.decode()}\n\n`);
    return this.#taken();
  }

  #taken(): Uint8Array | null {
    const edited = this.#edited;
    this.#edited = '';
    return edited === '' ? null : this.#encoder.encode(edited);
  }
}

/** Edits an answer when all of it is there. */
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
 * Edits the answers of a provider; null for those that are failures.
 * @param isStreamed whether the request asked for a stream: an answer that is none becomes one
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
    return new WholeEdit((text) => eventOf(answer.editEvent(text) ?? text));
  };
}
