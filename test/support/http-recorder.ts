/**
 * A tool endpoint on loopback for the engine's tests: any method on `/<tag>` is recorded and answered as the query says:
 * `delay_ms`; `drop=N` (the first N calls of the tag lose their connection and get no answer); `hold=N` (the first N calls are
 * answered at `release` only); `fail=N` (the first N calls answer `status`, 500 unless given); `status` alone (every call);
 * `retry_after` (a header of failed answers); `reply` (JSON text, the body of the answer); `size=N` (an answer with a `blob` of N
 * characters).
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedCall {
  readonly tag: string;
  /** From 1, per tag. */
  readonly number: number;
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly query: Readonly<Record<string, string>>;
  /** Parsed when it is JSON, else the text; null when empty. */
  readonly body: unknown;
  readonly startedAtMs: number;
  /** Null while the answer is under way. */
  endedAtMs: number | null;
  /** The caller went away before the answer. */
  aborted: boolean;
}

export interface HttpRecorder {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  /** As OUTBOUND_ALLOW wants it. */
  readonly hostPort: string;
  url(tag: string, query?: Readonly<Record<string, string | number>>): string;
  calls(tag?: string): readonly RecordedCall[];
  /** Resolves with the calls of the tag once there are `count`. */
  waitFor(tag: string, count: number): Promise<readonly RecordedCall[]>;
  /** Answers the calls that are held: all, or those that are meant. */
  release(isMeant?: (call: RecordedCall) => boolean): void;
  close(): Promise<void>;
}

/** How many of these calls were under way at the same moment at most. All of them have ended. */
export const mostAtOnce = (calls: readonly RecordedCall[]): number =>
  Math.max(
    ...calls.map(
      ({ startedAtMs }) =>
        calls.filter((other) => other.startedAtMs <= startedAtMs && startedAtMs < other.endedAtMs!).length,
    ),
  );

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function answerOf(call: RecordedCall): { status: number; body: string } {
  const { fail, status, reply, size } = call.query;
  const scripted = status === undefined ? null : Number(status);
  if (fail !== undefined && call.number <= Number(fail)) {
    return { status: scripted ?? 500, body: JSON.stringify({ error: 'scripted', number: call.number }) };
  }
  const blob = size === undefined ? {} : { blob: 'x'.repeat(Number(size)) };
  const usual = { tag: call.tag, number: call.number, method: call.method, body: call.body, ...blob };
  return { status: fail === undefined ? (scripted ?? 200) : 200, body: reply ?? JSON.stringify(usual) };
}

/** Starts the endpoint on a free port. */
export async function startHttpRecorder(): Promise<HttpRecorder> {
  const recorded: RecordedCall[] = [];
  const waiting = new Set<() => void>();
  const held = new Map<RecordedCall, () => void>();
  const wake = (): void => waiting.forEach((check) => check());
  const ofTag = (tag: string): RecordedCall[] => recorded.filter((call) => call.tag === tag);

  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      const tag = decodeURIComponent(url.pathname.slice(1).split('/')[0] ?? '');
      // First of all: between numbering a call and recording it no other may come.
      const body = await readBody(request);
      const call: RecordedCall = {
        tag,
        number: ofTag(tag).length + 1,
        method: request.method ?? 'GET',
        headers: request.headers,
        query: Object.fromEntries(url.searchParams),
        body,
        startedAtMs: Date.now(),
        endedAtMs: null,
        aborted: false,
      };
      recorded.push(call);
      wake();
      response.once('close', () => {
        call.aborted = !response.writableEnded;
        call.endedAtMs = Date.now();
        wake();
      });
      if (call.number <= Number(call.query['drop'] ?? 0)) {
        response.destroy();
        return;
      }
      if (call.number <= Number(call.query['hold'] ?? 0))
        await new Promise<void>((resolve) => held.set(call, resolve));
      await new Promise((resolve) => setTimeout(resolve, Number(call.query['delay_ms'] ?? 0)));
      if (response.destroyed) return;
      const answer = answerOf(call);
      const wait = answer.status >= 400 ? call.query['retry_after'] : undefined;
      const headers = wait === undefined ? {} : { 'retry-after': wait };
      response.writeHead(answer.status, { 'content-type': 'application/json', ...headers }).end(answer.body);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    hostPort: `127.0.0.1:${port}`,
    url(tag, query = {}) {
      const url = new URL(`/${encodeURIComponent(tag)}`, origin);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
      return url.href;
    },
    calls: (tag) => (tag === undefined ? recorded : ofTag(tag)),
    waitFor(tag, count) {
      return new Promise((resolve) => {
        const check = (): void => {
          const found = ofTag(tag);
          if (found.length < count) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      });
    },
    release(isMeant = () => true) {
      for (const [call, answer] of held) {
        if (!isMeant(call)) continue;
        held.delete(call);
        answer();
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
