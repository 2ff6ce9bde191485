/** HTTP of the client: token, bounded sockets, time limits and retries. */
import { Deadline } from './deadline.ts';
import { readError, WorkflowApiError } from './error.ts';
import type { CallOptions, Method, PathOf, ReplyAt, RequestArguments } from './operations.ts';
import { RateGate } from './rate-gate.ts';
import { buildRequest, setHeader, type BuiltRequest } from './request.ts';
import { backoffMs, mayRetry, realTime, RetryBudget, type RetryClock, type Wait } from './retry.ts';
import { Semaphore } from './semaphore.ts';
import { Token, type TokenSource } from './token.ts';

export type Fetch = typeof globalThis.fetch;

export interface ClientOptions {
  readonly baseUrl: string;
  /** An API key, or a function that returns a token: called at the first request, and once per expired token. */
  readonly token: TokenSource;
  readonly organizationId?: string | undefined;
  readonly fetch?: Fetch | undefined;
  /** Time limit of one attempt, including reading the response; default: 30 s. */
  readonly timeoutMs?: number | undefined;
  /** Retries of a repeatable call; default: 3. Starts are retried for a time instead (`retryForMs`). */
  readonly retries?: number | undefined;
  /** Called before each wait for a retry. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Called when the service refuses a request by a rate: all requests and streams of the client wait. */
  readonly onRateLimited?: ((wait: Wait) => void) | undefined;
  /** Replaces the time of waits between attempts, for tests. */
  readonly clock?: RetryClock | undefined;
}

/** A call that failed and is sent again. */
export interface Retry extends Wait {
  readonly method: string;
  /** As in the document: `/workflows/{workflow_id}`. */
  readonly path: string;
  /** 1 for the first retry. */
  readonly attempt: number;
}

export type Values = Readonly<Record<string, unknown>>;

/** One call in the terms of the OpenAPI document. */
export interface Call extends CallOptions {
  readonly method: Method;
  /** As in the document, with parameters in braces. */
  readonly path: string;
  readonly parameters?: Values | undefined;
  readonly query?: Values | undefined;
  /** A FormData is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  /** How long it is sent again to a service that is away, without a `retryForMs` of the caller; default: 0. */
  readonly patienceMs?: number | undefined;
  /** Replaces the client's own, for uploads that report progress. */
  readonly fetch?: Fetch | undefined;
}

/** Parts of the media types of streams. */
const STREAM_TYPES = { events: 'event-stream', bytes: 'octet-stream' };
const TIMEOUT_MS = 30_000;
const RETRIES = 3;
/** Calls and streams are limited apart, so that calls never wait for a run to end. */
const MAX_CALLS = 14;
/** The service lets a user have 20, over all processes and pages; another one is refused for ten seconds. */
const MAX_STREAMS = 18;

/** @throws Error for a missing or malformed URL: every call would fail without saying why */
function readBaseUrl(given: unknown): URL {
  const example = 'pass the URL of the service, such as https://workflows.example.com';
  if (typeof given !== 'string' || given === '') throw new Error(`baseUrl is missing: ${example}`);
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error(`baseUrl ${JSON.stringify(given)} is not an http URL: ${example}`);
  return url;
}

/** The code of the operating system for a connection that failed, such as ECONNREFUSED, or the words of its cause; empty without. */
function readCause(error: unknown): string {
  let words = '';
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return ` (${at.code})`;
    if (at !== error && at.message !== '') words = ` (${at.message})`;
  }
  return words;
}

/** One attempt of a call. */
interface Attempt {
  readonly call: Call;
  readonly request: BuiltRequest;
  readonly deadline: Deadline;
}

/** The options of `request` without their types. */
interface UntypedOptions extends CallOptions {
  readonly path?: Values;
  readonly query?: Values;
  readonly body?: unknown;
}

export class Transport {
  readonly streams = new Semaphore(MAX_STREAMS);
  readonly #calls = new Semaphore(MAX_CALLS);
  readonly #clock: RetryClock;
  readonly #gate: RateGate;
  readonly #token: Token;
  readonly #baseUrl: string;
  readonly #host: string;
  readonly #onRetry: (retry: Retry) => void;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: Fetch;
  readonly #timeoutMs: number;
  readonly #retries: number;

  constructor(options: ClientOptions) {
    this.#token = new Token(options.token);
    this.#host = readBaseUrl(options.baseUrl).host;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#onRetry = options.onRetry ?? (() => undefined);
    this.#clock = options.clock ?? realTime;
    this.#gate = new RateGate(options.onRateLimited ?? (() => undefined), this.#clock);
    this.#headers =
      options.organizationId === undefined ? {} : { 'X-Organization-ID': options.organizationId };
    // A browser's fetch throws when it is called as a method of another object.
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.#retries = options.retries ?? RETRIES;
  }

  /**
   * Calls an operation of the document.
   * @throws as `call`
   */
  request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...given: RequestArguments<M, P>
  ): Promise<ReplyAt<M, P>> {
    return this.requestUntyped<ReplyAt<M, P>>(method, path, given);
  }

  /**
   * As `request`, for a caller whose own signature has checked the options: comparing those of all paths would exceed the
   * compiler's limit of a union.
   */
  async requestUntyped<Result>(method: Method, path: string, given: readonly unknown[]): Promise<Result> {
    const [options = {}] = given as readonly UntypedOptions[];
    const { path: parameters, ...rest } = options;
    return (await this.call({ ...rest, method, path, parameters })) as Result;
  }

  /**
   * Sends a call with retries and reads the response.
   * @returns the response's JSON; its text when it is not JSON; undefined when it is empty
   * @throws WorkflowApiError for an error response and for no response; the signal's reason
   */
  async call(call: Call): Promise<unknown> {
    const { retryForMs, patienceMs = 0 } = call;
    const request = buildRequest(call, this.#headers);
    const budget = new RetryBudget({ retries: this.#retries, retryForMs, patienceMs }, this.#clock);
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#attempt(call, request, budget);
      } catch (error) {
        if (!(error instanceof WorkflowApiError) || !mayRetry(call, error)) throw error;
        const wait = { error, waitMs: backoffMs(attempt, error.retryAfterMs) };
        if (!budget.allows(attempt, wait)) throw error;
        const { method, path } = call;
        this.#onRetry({ method, path, attempt: attempt + 1, ...wait });
        await this.#clock.pause(wait.waitMs, call.signal);
      }
    }
  }

  /**
   * Sends a call once, for a caller that reads its stream itself without a time limit.
   * @throws WorkflowApiError for an error response, for a stream of another kind, and when there is no response in time
   */
  async open(
    call: Call & { readonly signal: AbortSignal },
    expected: 'events' | 'bytes' = 'events',
  ): Promise<Response> {
    const request = buildRequest(call, this.#headers);
    await this.#gate.wait(call.signal);
    const deadline = new Deadline(call.timeoutMs ?? this.#timeoutMs, call.signal);
    try {
      // The caller's signal goes to `fetch` itself, because it must abort the body after the deadline has ended.
      const sent = await this.#sendWithin({ call, request, deadline }, call.signal);
      const response = await this.#requireOk(call, sent);
      // A page reads like a stream that has ended: it would be opened again without end.
      const type = response.headers.get('content-type') ?? '';
      if (response.body === null || type.includes(STREAM_TYPES[expected])) return response;
      await response.body.cancel();
      throw this.#notJson(call, { status: response.status, expected });
    } finally {
      deadline.end();
    }
  }

  async #attempt(call: Call, request: BuiltRequest, budget: RetryBudget): Promise<unknown> {
    const release = await this.#calls.acquire(call.signal);
    await this.#gate.wait(call.signal).catch((reason: unknown) => {
      release();
      throw reason;
    });
    budget.begin();
    const deadline = new Deadline(call.timeoutMs ?? this.#timeoutMs, call.signal);
    try {
      const sent = await this.#send({ call, request, deadline }, deadline.signal);
      const response = await this.#requireOk(call, sent);
      const type = response.headers.get('content-type') ?? '';
      const text = await response.text();
      if (type.includes('html')) throw this.#notJson(call, { status: response.status, body: text });
      if (text === '') return undefined;
      // JSON Lines are several documents.
      if (!type.includes('json') || type.includes('jsonl')) return text;
      try {
        return JSON.parse(text) as unknown;
      } catch {
        throw this.#notJson(call, { status: response.status, body: text });
      }
    } catch (error) {
      throw this.#toError(error, call, deadline.isOver);
    } finally {
      deadline.end();
      release();
    }
  }

  async #sendWithin(attempt: Attempt, signal: AbortSignal): Promise<Response> {
    const { call, deadline } = attempt;
    const late = new Promise<never>((_, reject) => {
      deadline.signal.addEventListener('abort', () => reject(deadline.signal.reason as Error), {
        once: true,
      });
    });
    try {
      return await Promise.race([this.#send(attempt, signal), late]);
    } catch (error) {
      throw this.#toError(error, call, deadline.isOver);
    }
  }

  /** Sends again with a new token after a 401: the service checks the token before it does anything. */
  async #send(attempt: Attempt, signal: AbortSignal): Promise<Response> {
    const { deadline } = attempt;
    const token = await deadline.holdFor(this.#token.get());
    const response = await this.#fetchWith(attempt, token, signal);
    if (response.status !== 401 || !(await this.#token.reject(token))) return response;
    const next = await deadline.holdFor(this.#token.get());
    if (next === token) return response;
    await response.body?.cancel();
    return this.#fetchWith(attempt, next, signal);
  }

  #fetchWith({ call, request }: Attempt, token: string, signal: AbortSignal): Promise<Response> {
    const { path, body } = request;
    const headers = new Headers(request.headers);
    setHeader(headers, 'Authorization', `Bearer ${token}`);
    const send = call.fetch ?? this.#fetch;
    return send(this.#baseUrl + path, {
      method: call.method,
      headers,
      signal,
      // Another host must not get the token, and a POST that becomes a GET would do something else.
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
  }

  async #requireOk(call: Call, response: Response): Promise<Response> {
    if (response.ok) return response;
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
      throw await this.#redirected(call, response);
    const error = await readError(response);
    this.#gate.note(error);
    throw error;
  }

  /** The error for a page or a broken body: another server, or a proxy, has answered. */
  #notJson(
    { method, path }: Call,
    {
      status,
      expected = 'JSON',
      body,
    }: { status: number; expected?: 'JSON' | 'events' | 'bytes'; body?: string },
  ): WorkflowApiError {
    const from = `${method} ${path}: ${this.#host}`;
    const detail = `${from} did not answer with ${expected}. Is ${this.#baseUrl} the URL of the service?`;
    return new WorkflowApiError({ status, code: 'not_json', detail, body });
  }

  /** The error for a redirect, which the client does not follow. A browser does not tell where it leads, nor its status. */
  async #redirected({ method, path }: Call, response: Response): Promise<WorkflowApiError> {
    await response.body?.cancel();
    const location = response.headers.get('location');
    const target = location === null ? 'redirects' : `redirects to ${location}`;
    const detail = `${method} ${path}: ${this.#host} ${target}. Is ${this.#baseUrl} the URL of the service?`;
    return new WorkflowApiError({ status: response.status, code: 'redirect', detail });
  }

  /** Wraps a failure without a response; the caller's own abort passes unchanged. */
  #toError(error: unknown, call: Call, isLate: boolean): unknown {
    if (error instanceof WorkflowApiError || call.signal?.aborted === true) return error;
    // `fetch` throws a TypeError when the network fails (WHATWG Fetch); other errors come from the caller's functions.
    if (!isLate && !(error instanceof TypeError)) return error;
    const code = isLate ? 'timeout' : 'network';
    const from = `${call.method} ${call.path}: ${this.#host}`;
    const detail = isLate ? `${from} did not answer in time` : `${from} cannot be reached${readCause(error)}`;
    return new WorkflowApiError({ status: 0, code, detail }, error);
  }
}
