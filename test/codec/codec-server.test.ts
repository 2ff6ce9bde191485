/** An operator could not read encrypted payloads in Temporal's UI, or a foreign page could. */
import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter } from '@temporalio/common';
import type { Payload } from '@temporalio/common';
import { afterEach, expect, test } from 'vitest';
import { startCodecServer } from '../../temporal/codec/codec-server.ts';
import type { CodecServer } from '../../temporal/codec/codec-server.ts';
import { encryptionCodec } from '../../temporal/codec/payload-codec.ts';

const UI = 'http://127.0.0.1:8233';
const key = { id: 'k1', key: randomBytes(32) };
let server: CodecServer | null = null;

afterEach(async () => {
  await server?.close();
  server = null;
});

const start = async (): Promise<CodecServer> => {
  server = await startCodecServer({ keys: [key], uiOrigin: () => UI, port: 0 });
  return server;
};

const wire = (payload: Payload) => ({
  metadata: Object.fromEntries(
    Object.entries(payload.metadata ?? {}).map(([name, value]) => [
      name,
      Buffer.from(value ?? []).toString('base64'),
    ]),
  ),
  data: Buffer.from(payload.data ?? []).toString('base64'),
});

// The UI of Temporal, 2.54 for example, sends an option in the query.
test.each(['', '?preserveStorageRefs=true'])(
  'decodes what the service has encrypted: /decode%s',
  async (query) => {
    const { url } = await start();
    const [sealed] = await encryptionCodec([key]).encode([
      defaultPayloadConverter.toPayload('LLM · Answer (answer)'),
    ]);
    const response = await fetch(`${url}/decode${query}`, {
      method: 'POST',
      headers: { Origin: UI },
      body: JSON.stringify({ payloads: [wire(sealed as Payload)] }),
    });
    expect(response.headers.get('access-control-allow-origin')).toBe(UI);
    const { payloads } = (await response.json()) as { payloads: { data: string }[] };
    expect(Buffer.from(payloads[0]?.data ?? '', 'base64').toString()).toBe('"LLM · Answer (answer)"');
  },
);

test('lets no other origin in, and answers nothing but its two paths', async () => {
  const { url } = await start();
  const preflight = await fetch(`${url}/decode`, {
    method: 'OPTIONS',
    headers: { Origin: 'https://evil.example' },
  });
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  expect((await fetch(`${url}/decode`)).status).toBe(404);
  expect((await fetch(`${url}/other`, { method: 'POST', body: '{}' })).status).toBe(404);
});

test.each(['', '{', '{}', '{"payloads":1}'])('refuses the body %j', async (body) => {
  const { url } = await start();
  expect((await fetch(`${url}/decode`, { method: 'POST', body })).status).toBe(400);
});
