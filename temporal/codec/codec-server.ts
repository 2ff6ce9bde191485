/**
 * A codec server (docs.temporal.io/codec-server): decodes payloads for Temporal's UI and CLI, so that operators read
 * names, summaries and details where they are encrypted at rest. Loopback only: reach it through a tunnel or a proxy
 * that authenticates, never in the open.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Payload } from '@temporalio/common';
import type { EncryptionKey } from '../../src/base/config/config.ts';
import { encryptionCodec } from './payload-codec.ts';

/** A page of history at its largest: 4 MB of payloads, in base64. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

interface WirePayload {
  metadata?: Record<string, string>;
  data?: string;
}

export interface CodecServer {
  readonly url: string;
  close(): Promise<void>;
}

const fromWire = (wire: WirePayload): Payload => ({
  metadata: Object.fromEntries(
    Object.entries(wire.metadata ?? {}).map(([name, value]) => [name, Buffer.from(value, 'base64')]),
  ),
  data: Buffer.from(wire.data ?? '', 'base64'),
});

const toWire = (payload: Payload): WirePayload => ({
  metadata: Object.fromEntries(
    Object.entries(payload.metadata ?? {}).map(([name, value]) => [
      name,
      Buffer.from(value ?? []).toString('base64'),
    ]),
  ),
  data: Buffer.from(payload.data ?? []).toString('base64'),
});

async function readBody(request: IncomingMessage): Promise<{ payloads: WirePayload[] }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new RangeError('The body is too large');
    chunks.push(chunk);
  }
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { payloads?: unknown };
  if (!Array.isArray(body.payloads)) throw new SyntaxError('The body has no payloads');
  return { payloads: body.payloads as WirePayload[] };
}

/**
 * Starts a codec server on loopback.
 * @param keys the keys of ENCRYPTION_KEYS; without any, payloads are returned as they are
 * @param uiOrigin the origin of Temporal's UI, which alone may call from a browser
 */
export async function startCodecServer(options: {
  readonly keys: readonly EncryptionKey[];
  readonly uiOrigin: () => string | null;
  readonly port: number;
}): Promise<CodecServer> {
  const [first, ...others] = options.keys;
  const codec = first === undefined ? null : encryptionCodec([first, ...others]);
  const decode = async (payloads: Payload[]): Promise<Payload[]> =>
    codec === null ? payloads : codec.decode(payloads);
  const encode = async (payloads: Payload[]): Promise<Payload[]> =>
    codec === null ? payloads : codec.encode(payloads);

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const origin = options.uiOrigin();
    if (origin !== null && request.headers.origin === origin) {
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Allow-Headers', 'content-type, x-namespace, authorization');
      response.setHeader('Access-Control-Allow-Methods', 'POST, OPTIONS');
      response.setHeader('Access-Control-Allow-Credentials', 'true');
    }
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    // The UI sends options in the query, which concern payloads that are stored elsewhere.
    const { pathname } = new URL(request.url ?? '/', 'http://codec');
    const work = { '/decode': decode, '/encode': encode }[pathname];
    if (request.method !== 'POST' || work === undefined) {
      response.writeHead(404).end();
      return;
    }
    const { payloads } = await readBody(request);
    const done = await work(payloads.map(fromWire));
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ payloads: done.map(toWire) }));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(400, { 'Content-Type': 'text/plain' });
      response.end(error instanceof Error ? error.message : 'The payloads could not be read');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
