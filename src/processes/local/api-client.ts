/** A minimal client of the API: JSON requests and the event stream of a run. */

/** An event of a run, as its stream has it. */
export interface StreamedFrame {
  readonly type: string;
  readonly seq?: number;
  readonly node_id?: string;
  readonly [field: string]: unknown;
}

/** A response outside 200 to 299; the message has the request, the status and the body. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
  readonly status: number;

  constructor(request: string, status: number, body: string) {
    super(`${request} answered ${status}: ${body.slice(0, 500)}`);
    this.status = status;
  }
}

export class ApiClient {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** @param credential an API key or a token of the identity provider */
  constructor(baseUrl: string, credential: string, organizationId?: string) {
    this.#baseUrl = baseUrl;
    this.#headers = {
      authorization: `Bearer ${credential}`,
      ...(organizationId === undefined ? {} : { 'x-organization-id': organizationId }),
    };
  }

  /**
   * Sends a request.
   * @returns the JSON of the response; null for an empty one
   * @throws UnexpectedAnswer for an error status
   */
  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: { ...this.#headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (!response.ok) throw new UnexpectedAnswer(`${method} ${path}`, response.status, text);
    return text === '' ? null : JSON.parse(text);
  }

  /**
   * Yields the events of a stream until the server ends it. Skips its comments, which only keep the connection open.
   * @throws UnexpectedAnswer for an error status
   */
  async *listen(path: string): AsyncGenerator<StreamedFrame> {
    const response = await fetch(`${this.#baseUrl}${path}`, {
      headers: { ...this.#headers, accept: 'text/event-stream' },
    });
    if (!response.ok || response.body === null) {
      throw new UnexpectedAnswer(`GET ${path}`, response.status, await response.text());
    }
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of response.body) {
      rest += decoder.decode(chunk as Uint8Array, { stream: true });
      const blocks = rest.split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const lines = block.split(/\r?\n/).filter((line) => line.startsWith('data:'));
        if (lines.length > 0)
          yield JSON.parse(lines.map((line) => line.slice(5).trimStart()).join('\n')) as StreamedFrame;
      }
    }
  }
}
