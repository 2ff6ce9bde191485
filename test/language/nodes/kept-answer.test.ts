/** A file would have the name of a folder, a failure would be hidden in a file, or a request would leave though nothing can keep its answer. */
import { expect, test } from 'vitest';
import { NothingSentError } from '../../../src/language/nodes/failure.ts';
import { tool } from '../../../src/language/nodes/tool/tool.ts';
import type { HttpPort } from '../../../src/language/nodes/tools.ts';
import { runNode, type Fakes } from './support/node-call.ts';

const URL_OF_FILE = 'https://files.example/of/2030/invoice%20a.pdf?version=2';
const config = { kind: 'http', url: URL_OF_FILE, as: 'file' };
const reference = { $file: 'f', name: 'n', media_type: 'm', size: 3, sha256: 's' };

async function* bytes() {
  yield await Promise.resolve(Buffer.from('abc'));
}
/** An HTTP port that offers one answer to be kept, as the real one does. */
function answer(headers: Record<string, string>, status = 200): HttpPort['send'] {
  return async ({ keep, url }) => {
    const store = keep?.({ status, headers, url: new URL(url) }) ?? null;
    if (store === null) return { status, headers, text: 'read' };
    return { status, headers, text: '', file: await store(bytes()) };
  };
}

async function keep(headers: Record<string, string>, more: Fakes = {}) {
  const kept: unknown[] = [];
  const result = await runNode(tool, config, {
    http: answer(headers),
    keeper: () =>
      Promise.resolve(async (file, pieces) => {
        kept.push(file);
        for await (const piece of pieces) kept.push(piece);
        return reference;
      }),
    ...more,
  });
  return { result, kept };
}

test('the answer goes to the storage, and its reference into the output', async () => {
  const { result, kept } = await keep({ 'content-type': 'application/pdf' });
  expect(result).toMatchObject({ outcome: 'completed', output: { data: reference, status: 200 } });
  expect(kept).toEqual([{ name: 'invoice a.pdf', mediaType: 'application/pdf' }, Buffer.from('abc')]);
});

test.each([
  ['attachment; filename="a \\"b\\".pdf"', 'a "b".pdf'],
  ['attachment; filename=plain.csv', 'plain.csv'],
  ["attachment; filename=old.txt; filename*=UTF-8''%e2%82%ac.txt", '€.txt'],
  ["attachment; filename=old.txt; filename*=UTF-8''%zz", 'old.txt'],
  ['inline', 'invoice a.pdf'],
])('its name is that of the header, else of the address: %s', async (disposition, name) => {
  const { kept } = await keep({ 'content-disposition': disposition });
  expect(kept[0]).toMatchObject({ name });
});

test('the body of a failure is read, not kept', async () => {
  await expect(keep({}, { http: answer({}, 404) })).rejects.toMatchObject({
    code: 'http_error',
    response: { data: 'read' },
  });
});

test('without a storage nothing is sent', async () => {
  const sent: string[] = [];
  const none = new NothingSentError('files_not_configured', 'none');
  const http: HttpPort['send'] = (request) => {
    sent.push(request.url);
    return answer({})(request);
  };
  await expect(keep({}, { http, keeper: () => Promise.reject(none) })).rejects.toBe(none);
  expect(sent).toEqual([]);
});

test('rules over the answer see the reference', async () => {
  const rules = [{ left: '{{response.data.size}}', op: 'lt', right: 10 }];
  const small = runNode(
    tool,
    { ...config, fail_when: { match: 'all', rules, code: 'too_small' } },
    { http: answer({}), keeper: () => Promise.resolve(() => Promise.resolve(reference)) },
  );
  await expect(small).rejects.toMatchObject({ code: 'too_small', response: { data: reference } });
});

test('a refusal with status 200 is no file', async () => {
  const slack = {
    kind: 'integration',
    integration: 'slack',
    action: 'send_message',
    credential_id: '0d6f1c1e-5a8b-4c47-9f1d-7a2b9c3e4d5f',
    parameters: { channel: '#general', text: 'Hello' },
    as: 'file',
  };
  const refusal = { status: 200, headers: { 'content-type': 'application/json' }, text: '{"ok": false}' };
  const sent = runNode(tool, slack, {
    credentials: () => Promise.resolve({ integration: 'slack', baseUrl: null }),
    keeper: () => Promise.resolve(() => Promise.reject(new Error('not asked'))),
    http: ({ keep, url }) =>
      keep?.({ ...refusal, url: new URL(url) }) === null
        ? Promise.resolve(refusal)
        : Promise.reject(new Error('it was kept')),
  });
  await expect(sent).rejects.toMatchObject({ code: 'integration_error', status: 200 });
});
