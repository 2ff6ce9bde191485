/**
 * The short way of a model's words. A token of text would pass six stages of the provider SDK to become the string that
 * it was (measured: 200 µs of CPU each; 65 here), so text in a stream of chat completions (OpenAI's protocol) is told as
 * it arrives, and given to the SDK in few large pieces. Everything else in a stream is the SDK's, as it came.
 */
import { storableText } from '../graph/storable.ts';
import { isObject } from '../graph/value.ts';
import type { Json, JsonObject } from '../graph/value.ts';
import type { BodyEdit } from './guarded-fetch.ts';

export type TextChannel = 'content' | 'reasoning';
export type TellText = (text: string, channel: TextChannel) => void;

/** An event that is longer is no piece of text; from there on a stream is passed on as it comes. */
const MAX_EVENT = 65_536;

const CHANNELS: ReadonlyMap<string, TextChannel> = new Map([
  ['content', 'content'],
  ['reasoning_content', 'reasoning'],
  ['reasoning', 'reasoning'],
]);

/** A chunk of a completion that says a piece of text and nothing else. */
interface TextChunk {
  readonly chunk: JsonObject;
  readonly delta: JsonObject;
  readonly field: string;
  readonly channel: TextChannel;
  readonly text: string;
}

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

function parsed(event: string): Json {
  if (!event.startsWith('data: {') || event.includes('\n')) return null;
  try {
    return JSON.parse(event.slice('data: '.length)) as Json;
  } catch {
    return null;
  }
}

/** The text of one event; `silent` when it certainly holds none, `unclear` when only the SDK can say. */
function textOf(event: string): TextChunk | 'silent' | 'unclear' {
  if (event === 'data: [DONE]' || /^:[^\n]*$/.test(event)) return 'silent';
  const chunk = parsed(event);
  const choices = isObject(chunk) ? chunk['choices'] : null;
  if (!isObject(chunk) || 'error' in chunk || !Array.isArray(choices)) return 'unclear';
  const [choice, another] = choices;
  if (choice === undefined) return 'silent';
  if (!isObject(choice) || another !== undefined) return 'unclear';
  const { delta } = choice;
  if (isEmpty(delta)) return 'silent';
  if (!isObject(delta)) return 'unclear';
  const said = Object.keys(delta).filter((field) => field !== 'role' && !isEmpty(delta[field]));
  if (!said.some((field) => CHANNELS.has(field))) return 'silent';
  const [field = ''] = said;
  const text = delta[field];
  const channel = CHANNELS.get(field);
  const isMore = said.length !== 1 || !isEmpty(choice['finish_reason']) || !isEmpty(chunk['usage']);
  // Of two fields for reasoning the SDK reads the first, even if it is the empty one.
  const isHidden = field === 'reasoning' && delta['reasoning_content'] === '';
  if (isMore || isHidden || channel === undefined || typeof text !== 'string') return 'unclear';
  return { chunk, delta, field, channel, text };
}

/** Takes the events of one stream apart; what it passes on is what the SDK shall read. */
class TextTeller implements BodyEdit {
  readonly #tell: TellText;
  readonly #decoder = new TextDecoder();
  readonly #encoder = new TextEncoder();
  #pending = '';
  /** The first of the text chunks that were told and not passed on, and the text of all of them. */
  #held: TextChunk | null = null;
  #text = '';
  #isPassing = false;

  constructor(tell: TellText) {
    this.#tell = tell;
  }

  push(bytes: Uint8Array): Uint8Array | null {
    return this.#encoded(this.#read(bytes));
  }

  end(): Uint8Array | null {
    return this.#encoded(this.#release() + this.#pending + this.#decoder.decode());
  }

  #encoded(text: string): Uint8Array | null {
    return text === '' ? null : this.#encoder.encode(text);
  }

  #read(bytes: Uint8Array): string {
    const text = this.#pending + this.#decoder.decode(bytes, { stream: true });
    if (this.#isPassing) return text;
    const events = text.split(/\r?\n\r?\n/);
    this.#pending = events.pop() ?? '';
    const passed = events.map((event) => this.#event(event)).join('');
    if (!this.#isPassing && this.#pending.length <= MAX_EVENT) return passed;
    this.#isPassing = true;
    const rest = passed + this.#release() + this.#pending;
    this.#pending = '';
    return rest;
  }

  #event(event: string): string {
    const heard = this.#isPassing ? 'unclear' : textOf(event);
    if (typeof heard === 'string') {
      // What comes after text that is the SDK's to tell must not be told before it.
      if (heard === 'unclear') this.#isPassing = true;
      return `${this.#release()}${event}\n\n`;
    }
    const before = this.#held?.field === heard.field ? '' : this.#release();
    this.#held ??= heard;
    this.#text += heard.text;
    this.#tell(heard.text, heard.channel);
    return before;
  }

  /** One chunk with the text of all that were held. */
  #release(): string {
    if (this.#held === null) return '';
    const { chunk, delta, field } = this.#held;
    delta[field] = this.#text;
    this.#held = null;
    this.#text = '';
    return `data: ${JSON.stringify(chunk)}\n\n`;
  }
}

/** Tells the text of a stream as soon as it is there; null for answers that are no stream. */
export function textTeller(tell: TellText): (status: number, headers: Headers) => BodyEdit | null {
  return (status, headers) => {
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
    return status === 200 && isStream ? new TextTeller(tell) : null;
  };
}

const HALF_A_PAIR = /[\ud800-\udbff]$/;

/**
 * The text of an answer, of which a part may have been told early: each character is told once, and whole, for half of
 * one cannot be stored.
 */
export class ToldText {
  readonly #tell: (text: string) => void;
  #text = '';
  #told = 0;
  /** Half a character at the end of what came: its other half may be next. */
  #half = '';

  constructor(tell: (text: string) => void) {
    this.#tell = tell;
  }

  get text(): string {
    return this.#text;
  }

  early(piece: string): void {
    this.#told += piece.length;
    this.#say(piece);
  }

  /** What the SDK has read: always in the same order, never before it was told early. */
  add(piece: string): void {
    this.#text += piece;
    if (this.#text.length <= this.#told) return;
    const untold = this.#text.slice(this.#told);
    this.#told = this.#text.length;
    this.#say(untold);
  }

  /** Tells what was held back: nothing follows. */
  end(): void {
    if (this.#half !== '') this.#tell(storableText(this.#half));
    this.#half = '';
  }

  #say(piece: string): void {
    const text = this.#half + piece;
    this.#half = HALF_A_PAIR.exec(text)?.[0] ?? '';
    const whole = text.slice(0, text.length - this.#half.length);
    if (whole !== '') this.#tell(storableText(whole));
  }
}
