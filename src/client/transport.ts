/** HTTP under the client: credentials, bounded sockets, time limits, and calls that are sent again where they may be. */
import { errorOf, WorkflowApiError } from './error.ts';
import type { CallOptions, Method } from './operations.ts';
import { backoffMs, mayRepeat, pause } from './retry.ts';
import { Semaphore } from './semaphore.ts';
import { Token, type TokenSource } from './token.ts';

export type Fetch = typeof globalThis.fetch;

export interface ClientOptions {
  readonly baseUrl: string;
  /** An API key, or a function that brings a token; it is called at the first request and once whenever one has expired. */
  readonly token: TokenSource;
  readonly organizationId?: string | undefined;
  readonly fetch?: Fetch | undefined;
  /** For one attempt, until its answer is read: 30 s. */
  readonly timeoutMs?: number | undefined;
  /** How often a call that may be repeated is sent again: 3. */
  readonly retries?: number | undefined;
}

export type Values = Readonly<Record<string, unknown>>;

/** One call, as the document knows it. */
export interface Call extends CallOptions {
  readonly method: Method;
  /** With its parameters in braces. */
  readonly path: string;
  readonly parameters?: Values | undefined;
  readonly query?: Values | undefined;
  /** Sent as it is when it is a form, else as JSON. */
  readonly body?: unknown;
  /** In place of the client's own: an upload that tells its progress. */
  readonly fetch?: Fetch | undefined;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 3;
/**
 * Together well below 64 sockets: those that are being closed count, too. Streams have their own, so that calls never wait
 * for a run to end.
 */
const CALLS_AT_A_TIME = 14;
const STREAMS_AT_A_TIME = 36;

/** @throws for a parameter of the path that is missing: the request would go to another resource */
function addressOf({ path, parameters, query }: Call): string {
  if (parameters === undefined && query === undefined && !path.includes('{')) return path;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters?.[name];
    if (typeof value !== 'string' || value === '') throw new Error(`${path} needs ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null)
      search.append(name, String(value as string | number | boolean));
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}

const shownCall = ({ method, path }: Call): string => `${method} ${path}`;

/** A limit of time and the caller's signal as one signal. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #leave = (): void => this.#controller.abort(this.#caller?.reason);
  isOver = false;

  constructor(ms: number, caller: AbortSignal | undefined) {
    this.#caller = caller;
    if (caller?.aborted === true) this.#leave();
    else caller?.addEventListener('abort', this.#leave, { once: true });
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.#controller.abort();
    }, ms);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#leave);
  }
}

export class Transport {
  readonly streams = new Semaphore(STREAMS_AT_A_TIME);
  readonly #calls = new Semaphore(CALLS_AT_A_TIME);
  readonly #token: Token;
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: Fetch;
  readonly #timeoutMs: number;
  readonly #retries: number;

  constructor(options: ClientOptions) {
    this.#token = new Token(options.token);
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#headers =
      options.organizationId === undefined ? {} : { 'X-Organization-ID': options.organizationId };
    // A browser's fetch must not be called as a method of something else.
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.#retries = options.retries ?? RETRIES;
  }

  /**
   * Sends a call, again where it may be, and reads the answer.
   * @returns the JSON of the answer, its text where it is none, undefined for an empty one
   * @throws WorkflowApiError for refusals and calls without an answer; the signal's reason
   */
  async call(call: Call): Promise<unknown> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#attempt(call);
      } catch (error) {
        if (!(error instanceof WorkflowApiError)) throw error;
        if (attempt >= this.#retries || !mayRepeat(call, error)) throw error;
        await pause(backoffMs(attempt, error.retryAfterMs), call.signal);
      }
    }
  }

  /**
   * Opens an answer whose body is read by the caller, within no limit of time; one attempt.
   * @throws WorkflowApiError for refusals, and when there is no answer in time
   */
  async open(call: Call & { readonly signal: AbortSignal }): Promise<Response> {
    const deadline = new Deadline(call.timeoutMs ?? this.#timeoutMs, call.signal);
    try {
      // Aborting goes on to end the body after the deadline is done with: the caller's signal is sent itself.
      return await this.#refuse(await this.#raced(call, deadline));
    } finally {
      deadline.end();
    }
  }

  async #attempt(call: Call): Promise<unknown> {
    const release = await this.#calls.acquire(call.signal);
    const deadline = new Deadline(call.timeoutMs ?? this.#timeoutMs, call.signal);
    try {
      const response = await this.#refuse(await this.#send(call, deadline.signal));
      if (response.status !== 204 && response.headers.get('content-type')?.includes('json') === true)
        return (await response.json()) as unknown;
      const text = await response.text();
      return text === '' ? undefined : text;
    } catch (error) {
      throw this.#shown(error, call, deadline.isOver);
    } finally {
      deadline.end();
      release();
    }
  }

  async #raced(call: Call & { readonly signal: AbortSignal }, deadline: Deadline): Promise<Response> {
    const late = new Promise<never>((_, reject) => {
      deadline.signal.addEventListener('abort', () => reject(deadline.signal.reason as Error), {
        once: true,
      });
    });
    try {
      return await Promise.race([this.#send(call, call.signal), late]);
    } catch (error) {
      throw this.#shown(error, call, deadline.isOver);
    }
  }

  /** Once more with a new token where the one that was sent is refused: nothing was done before it was looked at. */
  async #send(call: Call, signal: AbortSignal): Promise<Response> {
    const token = await this.#token.get();
    const response = await this.#fetchWith(call, token, signal);
    if (response.status !== 401 || !(await this.#token.refused(token))) return response;
    const next = await this.#token.get();
    if (next === token) return response;
    await response.body?.cancel();
    return this.#fetchWith(call, next, signal);
  }

  #fetchWith(call: Call, token: string, signal: AbortSignal): Promise<Response> {
    const { body } = call;
    const isForm = body instanceof FormData;
    const headers: Record<string, string> = {
      ...this.#headers,
      ...call.headers,
      Authorization: `Bearer ${token}`,
      ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
    };
    const send = call.fetch ?? this.#fetch;
    return send(this.#baseUrl + addressOf(call), {
      method: call.method,
      headers,
      signal,
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
  }

  async #refuse(response: Response): Promise<Response> {
    if (response.ok) return response;
    throw await errorOf(response);
  }

  /** What failed without an answer: the caller's own stop as it is, the rest as the client's error. */
  #shown(error: unknown, call: Call, isLate: boolean): unknown {
    if (error instanceof WorkflowApiError || call.signal?.aborted === true) return error;
    // What `fetch` throws for a network that failed (WHATWG Fetch); anything else comes from the caller's functions.
    if (!isLate && !(error instanceof TypeError)) return error;
    const code = isLate ? 'timeout' : 'network';
    const detail = isLate
      ? `${shownCall(call)} was not answered in time`
      : `${shownCall(call)} got no answer`;
    return new WorkflowApiError({ status: 0, code, detail }, error);
  }
}
