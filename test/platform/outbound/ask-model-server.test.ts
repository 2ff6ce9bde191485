/** If this failed, an operator would be woken for a model that works, or the service would pay for the question whether it does. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { askModelServer } from '../../../src/platform/outbound/ask-model-server.ts';

/** Asks a server that answers with this status. @returns the requests, and the reason of a refusal */
async function ask(status: number): Promise<{ requests: unknown[]; reason: string | null }> {
  const requests: unknown[] = [];
  const server = createServer(({ method, url, headers }, response) => {
    requests.push({ method, url, authorization: headers.authorization });
    response.writeHead(status).end('{}');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  try {
    const reason = await askModelServer({ baseUrl, apiKey: 'key' }).then(
      () => null,
      (error: unknown) => (error as Error).message.replace(/\d+\.\d+\.\d+\.\d+:\d+/, 'model'),
    );
    return { requests, reason };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

test('the question lists models with the key, and calls none', async () => {
  expect(await ask(200)).toEqual({
    requests: [{ method: 'GET', url: '/v1/models', authorization: 'Bearer key' }],
    reason: null,
  });
});

test.each([
  [404, null],
  [429, null],
  [499, null],
  [401, 'http://model refuses the key (401)'],
  [403, 'http://model refuses the key (403)'],
  [500, 'http://model answers 500'],
  [503, 'http://model answers 503'],
])('a server that answers %i is told as %s', async (status, reason) => {
  expect((await ask(status)).reason).toBe(reason);
});

test('a server that refuses the connection does not work', async () => {
  const baseUrl = 'http://127.0.0.1:1/v1';
  await expect(askModelServer({ baseUrl, apiKey: undefined })).rejects.toThrow(/ECONNREFUSED/);
});
