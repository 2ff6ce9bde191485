/** A tenant of the measured service: a signed-in user of an own organization, calling the API as any client would. */
import { Agent, request } from 'undici';
import type { JsonObject } from '../../src/language/graph/values/value.ts';

export interface Frame {
  readonly type: string;
  readonly [field: string]: unknown;
}

const TERMINAL = new Set(['run_completed', 'run_failed', 'run_cancelled', 'run_interrupted']);
/** No run of the bench takes longer; a run that does has not ended. */
const RUN_TIMEOUT_MS = 120_000;

/** Connections are kept open on every side of a comparison. */
export const connections = new Agent({ connections: 300, pipelining: 1, headersTimeout: 30_000 });

/** One request with a JSON answer. @throws when the status is not 2xx */
export async function call(
  method: 'GET' | 'POST',
  url: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await request(url, {
    method,
    dispatcher: connections,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.body.text();
  if (response.statusCode >= 300) {
    throw new Error(
      `${method} ${new URL(url).pathname} answered ${response.statusCode}: ${text.slice(0, 300)}`,
    );
  }
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

export class Tenant {
  readonly #apiUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly organizationId: string;

  private constructor(apiUrl: string, token: string, organizationId: string) {
    this.#apiUrl = apiUrl;
    this.organizationId = organizationId;
    this.headers = { authorization: `Bearer ${token}`, 'x-organization-id': organizationId };
  }

  /** Signs in for the first time, which makes the user's organization. */
  static async signIn(apiUrl: string, token: string): Promise<Tenant> {
    const authorization = `Bearer ${token}`;
    const found = await call('GET', `${apiUrl}/auth/me/organizations`, { authorization });
    const rows = (Array.isArray(found) ? found : Object.values(found).find(Array.isArray)) as unknown[];
    const first = rows[0] as Record<string, unknown> | undefined;
    const organizationId = first?.['id'] ?? first?.['organization_id'];
    if (typeof organizationId !== 'string') throw new Error('the tenant has no organization');
    return new Tenant(apiUrl, token, organizationId);
  }

  get(path: string): Promise<Readonly<Record<string, unknown>>> {
    return call('GET', this.#apiUrl + path, this.headers);
  }

  post(path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>> {
    return call('POST', this.#apiUrl + path, this.headers, body);
  }

  /** Uploads a text to a knowledge base. */
  async upload(base: string, name: string, text: string): Promise<void> {
    const form = new FormData();
    form.set('file', new Blob([text]), name);
    const { headers } = this;
    const response = await fetch(`${this.#apiUrl}/knowledge-bases/${base}/documents`, {
      method: 'POST',
      headers,
      body: form,
    });
    if (response.status !== 202) throw new Error(`an upload was answered ${response.status}`);
    await response.arrayBuffer();
  }

  /** Saves and deploys a definition; its workflow_id. */
  async deploy(name: string, definition: JsonObject): Promise<string> {
    const { id } = await this.post('/workflows', { name, workflow_schema: definition });
    await this.post(`/workflows/${String(id)}/deploy`, {});
    return String(id);
  }

  /** Starts a run; its run_id. */
  async start(workflowId: string, input: JsonObject = {}): Promise<string> {
    const config = { recursion_limit: 1_000 };
    const { run_id } = await this.post('/workflows/run', { workflow_id: workflowId, input, config });
    return String(run_id);
  }

  /** Starts a run and follows its stream to the terminal frame. @throws when it did not complete */
  async run(
    workflowId: string,
    input?: JsonObject,
    onFrame: (frame: Frame) => void = () => {},
  ): Promise<void> {
    const runId = await this.start(workflowId, input);
    const last = await this.follow(runId, onFrame);
    if (last?.type !== 'run_completed') throw new Error(`a run ended with ${JSON.stringify(last)}`);
  }

  /** Reads a run's stream until its terminal frame; that frame. */
  async follow(runId: string, onFrame: (frame: Frame) => void): Promise<Frame | null> {
    const response = await request(`${this.#apiUrl}/workflows/listen/${runId}`, {
      dispatcher: connections,
      headers: { ...this.headers, accept: 'text/event-stream' },
      bodyTimeout: RUN_TIMEOUT_MS,
      signal: AbortSignal.timeout(RUN_TIMEOUT_MS),
    });
    if (response.statusCode !== 200) {
      throw new Error(`listen answered ${response.statusCode}: ${await response.body.text()}`);
    }
    let pending = '';
    let last: Frame | null = null;
    response.body.setEncoding('utf8');
    for await (const chunk of response.body) {
      const lines = (pending + String(chunk)).split('\n');
      pending = lines.pop() ?? '';
      for (const line of lines) {
        if (!line.startsWith('data: ')) continue;
        const frame = JSON.parse(line.slice(6)) as Frame;
        onFrame(frame);
        if (TERMINAL.has(frame.type)) last = frame;
      }
    }
    return last;
  }
}
