/** An integration would send another request than its template says, or be repeated though it must not. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { NothingSentError } from '../../../src/language/nodes/failure.ts';
import { kindRules } from '../../../src/language/nodes/registry.ts';
import { tool } from '../../../src/language/nodes/tool/tool.ts';
import type { HttpRequest, HttpResponse } from '../../../src/language/nodes/tools.ts';
import { listProblems, runNode, type Fakes } from './support/node-call.ts';

const CREDENTIAL = '6f0d1c7e-3f0e-4a53-9b0f-2f6f2f1f7a10';
const issue = {
  kind: 'integration',
  integration: 'github',
  action: 'create_issue',
  credential_id: CREDENTIAL,
  parameters: { owner: 'acme', repo: 'app', title: '{{t}}' },
};
const message = {
  ...issue,
  integration: 'slack',
  action: 'send_message',
  parameters: { channel: '#a', text: 'hi' },
};

async function run(config: JsonObject, roots: JsonObject = {}, more: Partial<HttpResponse> & Fakes = {}) {
  const requests: HttpRequest[] = [];
  const said: string[] = [];
  const result = await runNode(tool, config, {
    roots,
    said,
    credentials: () => Promise.resolve({ integration: String(config['integration']), baseUrl: null }),
    http: (request) => {
      requests.push(request);
      const { status = 200, headers = { 'content-type': 'application/json' }, text = '{}' } = more;
      return Promise.resolve({ status, headers, text });
    },
    ...more,
  });
  if (result.outcome !== 'completed') throw new Error(result.outcome);
  return { request: requests[0], requests, said, ...result };
}

describe('the request', () => {
  test('has each parameter where its template puts it, and the account by name', async () => {
    const { request, said } = await run(issue, { t: 'It "breaks"' });
    expect(request).toMatchObject({
      method: 'POST',
      url: 'https://api.github.com/repos/acme/app/issues',
      headers: { 'x-github-api-version': '2022-11-28' },
      credential: { organizationId: 'o1', credentialId: CREDENTIAL },
    });
    expect(JSON.parse(String(request?.body))).toEqual({ title: 'It "breaks"' });
    expect(said).toEqual(['sending']);
  });
  test('goes to the base of the account where it has one', async () => {
    const credentials = () => Promise.resolve({ integration: 'github', baseUrl: 'https://ghe.test/api' });
    const { request } = await run(issue, { t: 'x' }, { credentials });
    expect(request?.url).toBe('https://ghe.test/api/repos/acme/app/issues');
  });
  test.each([
    ['a/b', 'a%2Fb'],
    ['?x#y', '%3Fx%23y'],
  ])('a parameter stays one segment of the path: %s', async (repo, segment) => {
    const { request } = await run({ ...issue, parameters: { owner: 'o', repo, title: 'x' } });
    expect(new URL(request?.url ?? '').pathname).toBe(`/repos/o/${segment}/issues`);
  });
  test.each(['.', '..'])('a parameter does not walk up the path: %s', async (repo) => {
    const parameters = { owner: 'o', repo, title: 'x' };
    await expect(run({ ...issue, parameters })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

test('an account of something else is not sent anywhere', async () => {
  const credentials = () => Promise.resolve({ integration: 'slack', baseUrl: null });
  await expect(run(issue, { t: 'x' }, { credentials })).rejects.toMatchObject({
    code: 'credential_not_usable',
  });
});
test('rendered parameters are held against the schema', async () => {
  await expect(run(issue, { t: 7 })).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'The parameter title: Must be of type string',
  });
});
test('the output is what the service answered', async () => {
  expect((await run(issue, { t: 'x' }, { text: '{"number":4}' })).output).toEqual({ data: { number: 4 } });
});
test('a refusal with status 200 fails the tool', async () => {
  const text = '{"ok":false,"error":"channel_not_found"}';
  await expect(run(message, {}, { text })).rejects.toMatchObject({
    code: 'integration_error',
    message: 'The service returned an error: channel_not_found',
  });
});
test('a request that was not sent is reported as not sent; one without an answer has an unknown outcome', async () => {
  const said: string[] = [];
  const failing = (error: Error) =>
    runNode(tool, message, { said, credentials: fine, http: () => Promise.reject(error) });
  const fine = () => Promise.resolve({ integration: 'slack', baseUrl: null });
  await expect(failing(new NothingSentError('connection_failed', 'x'))).rejects.toMatchObject({
    code: 'connection_failed',
  });
  expect(said).toEqual(['sending', 'notSent']);
});

test.each([
  // Only where the service says that it has done nothing.
  [issue, 'at_most_once', 3],
  [{ ...issue, action: 'get_issue', parameters: { owner: 'a', repo: 'b', number: 1 } }, 'pure', 3],
  [{ ...issue, integration: 'notion', action: 'search', parameters: { query: 'x' } }, 'idempotent', 3],
])('the catalog decides what a repetition may do (%#)', (config, effect, maxAttempts) => {
  expect(kindRules.policy('tool', config as JsonObject)).toMatchObject({ effect, maxAttempts });
});

test.each<[JsonObject, string[]]>([
  [{ integration: 'nope' }, ['unknown_integration integration']],
  [{ action: 'nope' }, ['unknown_action action']],
  [{ credential_id: null }, ['credential_required credential_id']],
  [{ integration_version: '2.0.0' }, ['unknown_integration_version integration_version']],
  [{ integration_version: '1.0.0' }, []],
  [{ parameters: { owner: 'a', repo: 'b' } }, ['invalid_parameter parameters.title']],
  [{ parameters: { ...issue.parameters, labels: 'x' } }, ['invalid_parameter parameters.labels']],
  [{ parameters: { ...issue.parameters, labels: '{{x}}' } }, []],
  [{ parameters: { ...issue.parameters, lables: [] } }, ['invalid_parameter parameters.lables']],
])('%j has the problems %j', (change, problems) => {
  expect(listProblems(tool, { ...issue, ...change })).toEqual(problems);
});
