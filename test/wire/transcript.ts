/** What one session of a client heard, line by line, and its comparison with the recorded corpus. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkAnswer, checkFrame } from '../support/described.ts';
import { expect } from 'vitest';
import { Scrubber } from './scrubber.ts';

const CORPUS = fileURLToPath(new URL('corpus', import.meta.url));
/** `WIRE_RECORD=1` writes the corpus anew, for a change of the wire that is meant. */
const IS_RECORDING = process.env['WIRE_RECORD'] === '1';
/** Set by the connection or the clock, and no part of the contract. */
const UNRECORDED_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
]);
/** Differ with the clock, not with the answer. */
const CLOCK_HEADERS: ReadonlySet<string> = new Set(['x-ratelimit-reset', 'retry-after']);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface Heard {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; null when it is not JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the session reads ids out of answers of every shape
  readonly body: any;
}

export interface Request {
  readonly as?: { readonly token: string; readonly org?: string } | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** A body that is not made of JSON. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
}

/** Headers of the request that are the caller's credentials. */
const credentials = ({ as: caller }: Request): Record<string, string> => ({
  ...(caller === undefined ? {} : { authorization: `Bearer ${caller.token}` }),
  ...(caller?.org === undefined ? {} : { 'x-organization-id': caller.org }),
});

export class Transcript {
  readonly #baseUrl: string;
  readonly #isApi: boolean;
  readonly #scrubber = new Scrubber();
  readonly #lines: string[] = [];
  #headersBefore: Readonly<Record<string, string>> = {};

  /** @param isApi its answers are held against the OpenAPI document, too */
  constructor(baseUrl: string, isApi = true) {
    this.#baseUrl = baseUrl;
    this.#isApi = isApi;
  }

  /** Adds a line of JSON whose texts are scrubbed. */
  note(entry: Readonly<Record<string, unknown>>): void {
    this.#lines.push(this.#scrubber.scrub(JSON.stringify(entry)));
  }

  /** Sends a request that leaves no line. */
  async send(method: string, path: string, request: Request = {}): Promise<Heard> {
    const body = request.raw ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
    const response = await fetch(this.#baseUrl + path, {
      method,
      headers: {
        ...credentials(request),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
    });
    const text = await response.text();
    const contentType = response.headers.get('content-type') ?? '';
    if (this.#isApi) checkAnswer(method, path, { status: response.status, contentType, text });
    const isJson = contentType.includes('json') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : null,
    };
  }

  /**
   * Sends a request and records the answer: its status, its headers by name, its text.
   * @param keepsText false for a body that is compared elsewhere, or that is another one each time
   */
  async call(method: string, path: string, request: Request = {}, keepsText = true): Promise<Heard> {
    const heard = await this.send(method, path, request);
    // Scrubbed apart from the line: within JSON its quotes are escaped, and the patterns would not fit.
    const text = keepsText ? { text: this.#scrubber.scrub(heard.text) } : {};
    this.note({
      request: `${method} ${path}`,
      status: heard.status,
      headers: this.#changedHeaders(heard.headers),
      ...text,
    });
    return heard;
  }

  /** Reads an event stream to its end and records each event as it stood on the wire. Comments are heartbeats. */
  async stream(path: string, request: Request): Promise<void> {
    const heard = await this.send('GET', path, request);
    const headers = this.#changedHeaders(heard.headers);
    this.note({ request: `GET ${path}`, status: heard.status, headers });
    for (const line of heard.text.split('\n'))
      if (line.startsWith('data: ')) checkFrame(JSON.parse(line.slice(6)));
    for (const event of heard.text.split('\n\n')) {
      if (event !== '' && !event.startsWith(':')) this.note({ event: this.#scrubber.scrub(compact(event)) });
    }
  }

  /** The headers that differ from those of the answer before; null for one that is gone. */
  #changedHeaders(headers: Headers): Record<string, string | null> {
    const before = this.#headersBefore;
    const now = recordedHeaders(headers);
    this.#headersBefore = now;
    const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].toSorted();
    const changed = names.filter((name) => before[name] !== now[name]);
    return Object.fromEntries(changed.map((name) => [name, now[name] ?? null]));
  }

  /** Compares the lines with `corpus/<name>.jsonl`, or writes that file when recording. */
  finish(name: string): void {
    compareFile(`${name}.jsonl`, `${this.#lines.join('\n')}\n`);
  }
}

/** Compares a whole text with a file of the corpus, byte for byte. */
export function compareFile(name: string, text: string): void {
  const path = join(CORPUS, name);
  if (IS_RECORDING) {
    writeFileSync(path, text);
    return;
  }
  expect(existsSync(path), `${name} was never recorded`).toBe(true);
  expect(text.split('\n')).toEqual(readFileSync(path, 'utf8').split('\n'));
}

function recordedHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers]
      .filter(([name]) => !UNRECORDED_HEADERS.has(name))
      .map(([name, value]) => {
        if (CLOCK_HEADERS.has(name)) return [name, '<clock>'];
        return [name, UUID.test(value) ? '<uuid>' : value];
      }),
  );
}

/**
 * Without white space between the tokens of an event's JSON: whether a frame was written by `json_build_object` of
 * PostgreSQL, which puts some, or by JSON.stringify is no part of the contract.
 */
function compact(event: string): string {
  return event.replace(/^data: ([^\n]*)$/gm, (_, data: string) => {
    const tokens = data.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_all, quoted?: string) => quoted ?? '');
    return `data: ${tokens}`;
  });
}
