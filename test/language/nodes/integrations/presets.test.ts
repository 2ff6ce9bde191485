/**
 * An action of the catalog would send another request than its service documents, take a refusal for a result, or repeat what
 * the service has done already. Each service is a stand-in that behaves as published; only the network is not its own.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/language/graph/values/value.ts';
import { integrations, findIntegration } from '../../../../src/language/nodes/integrations/catalog.ts';
import { NodeError } from '../../../../src/language/nodes/kind.ts';
import { kindRules } from '../../../../src/language/nodes/registry.ts';
import { tool } from '../../../../src/language/nodes/tool/tool.ts';
import type { HttpPort } from '../../../../src/language/nodes/tools.ts';
import { accountHttp } from '../../../../src/platform/credentials/account-http.ts';
import { Accounts } from '../../../../src/platform/credentials/node-credentials.ts';
import { Secrets } from '../../../../src/platform/credentials/vault/secrets.ts';
import { destinations } from '../../../../src/platform/outbound/destinations.ts';
import { guardedHttp } from '../../../../src/platform/outbound/guarded-http.ts';
import { nodeCall, outputOf, type Fakes } from '../support/node-call.ts';
import { discord, slack, telegram } from './published/chats.ts';
import { gmail, googleDrive } from './published/google.ts';
import { hubspot, jira } from './published/customers.ts';
import { microsoftGraph, quickbooks } from './published/offices.ts';
import { elevenlabs, github, shopify } from './published/others.ts';
import type { Answer, Published } from './published/published.ts';
import { airtable, googleSheets, notion } from './published/tables.ts';

const PUBLISHED: readonly Published[] = [
  airtable,
  discord,
  elevenlabs,
  github,
  gmail,
  googleDrive,
  googleSheets,
  hubspot,
  jira,
  microsoftGraph,
  notion,
  quickbooks,
  shopify,
  slack,
  telegram,
];
const CREDENTIAL = '6f0d1c7e-3f0e-4a53-9b0f-2f6f2f1f7a10';

type Script = (request: string, body: Json) => Answer;

/** The service of the stand-in, one test at a time. */
let script: { readonly published: Published; readonly answer: Script };
const served: { readonly request: string; readonly body: Json; readonly host: string }[] = [];

async function readJson(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  if (text === '') return null;
  return request.headers['content-type']?.startsWith('application/json') === true
    ? (JSON.parse(text) as Json)
    : text;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readJson(request);
  const line = `${request.method ?? ''} ${request.url ?? ''}`;
  served.push({ request: line, body, host: request.headers.host ?? '' });
  const { demands, unauthorized } = script.published;
  const isAuthorized = Object.entries(demands).every(([name, value]) => request.headers[name] === value);
  const answer = isAuthorized ? script.answer(line, body) : unauthorized;
  const isText = answer.headers?.['content-type'] !== undefined;
  response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8', ...answer.headers });
  if (answer.body === null) response.end();
  else response.end(isText ? Buffer.from(String(answer.body), 'latin1') : JSON.stringify(answer.body));
}

const server = createServer((request, response) => void serve(request, response));
let agent: Agent;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  // Each host of the world is the stand-in, whatever its scheme.
  agent = new Agent({
    connect: (_, callback) => {
      const socket = connect(port, '127.0.0.1', () => callback(null, socket));
      socket.on('error', (error) => callback(error, null));
    },
    pipelining: 0,
  });
});
afterAll(async () => {
  await agent.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** The ports of a node over the stand-in: its own vault, placement and guarded client. */
function openPorts(published: Published, data: JsonObject): Required<Pick<Fakes, 'http' | 'credentials'>> {
  const type = findIntegration(published.integration);
  const found = { type, ownClient: null, allowedHosts: [published.host], state: 'active', data } as const;
  const { integration, authType } = published;
  const accounts = new Accounts(
    { find: () => Promise.resolve({ ...found, integration, authType }) },
    new Secrets(),
  );
  const allowed = destinations([]);
  const port: HttpPort = accountHttp(guardedHttp({ agent, allowed }), accounts);
  return { http: (request) => port.send(request), credentials: (ref) => accounts.find(ref) };
}

const toConfig = ({ integration }: Published, action: string, parameters: JsonObject): JsonObject => ({
  kind: 'integration',
  integration,
  action,
  credential_id: CREDENTIAL,
  parameters,
});

interface Run {
  readonly action: string;
  readonly parameters?: JsonObject;
  readonly answer: Script | Answer;
  readonly data?: JsonObject;
  readonly said?: string[];
}

function run(published: Published, { action, parameters, answer, data, said = [] }: Run): Promise<Json> {
  script = { published, answer: typeof answer === 'function' ? answer : () => answer };
  served.length = 0;
  const given = parameters ?? published.actions[action]?.parameters ?? {};
  return outputOf(tool, toConfig(published, action, given), {
    ...openPorts(published, data ?? published.data),
    said,
  });
}

async function failureOf(published: Published, given: Run): Promise<NodeError> {
  const error: unknown = await run(published, given).catch((failure: unknown) => failure);
  if (!(error instanceof NodeError)) throw new Error('the action was meant to fail', { cause: error });
  return error;
}

const effectOf = (published: Published, action: string): string =>
  kindRules.policy('tool', toConfig(published, action, published.actions[action]?.parameters ?? {})).effect;

test('every action of the catalog is tried', () => {
  const tried = PUBLISHED.map(({ integration, actions }) => [integration, Object.keys(actions).toSorted()]);
  const offered = integrations
    .filter(({ actions }) => actions.length > 0)
    .map(({ name, actions }) => [name, actions.map((action) => action.name).toSorted()]);
  expect(tried.toSorted()).toEqual(offered);
});

describe.each(PUBLISHED)('$integration', (published) => {
  const { actions, refusals, pages, host } = published;

  test.each(Object.entries(actions))('%s is sent and read as documented', async (action, expected) => {
    const { request, body = null, answer, output = answer.body } = expected;
    expect(await run(published, { action, answer })).toEqual({ data: output });
    expect(served).toEqual([{ request, body, host }]);
    expect(effectOf(published, action)).toBe(expected.effect);
  });

  test('another secret is refused, and the action fails', async () => {
    const [action = ''] = Object.keys(actions);
    const data = Object.fromEntries(
      Object.entries(published.data).map(([name, value]) => [name, `${String(value)}x`]),
    );
    // A secret in the host or in the path leads elsewhere, where the service answers the same.
    const isElsewhere = Object.keys(published.demands).length === 0;
    const given = isElsewhere ? published.data : data;
    const { shop, site } = published.data;
    const kept = { ...(shop !== undefined && { shop }), ...(site !== undefined && { site }) };
    const error = await failureOf(published, {
      action,
      data: { ...given, ...kept },
      answer: published.unauthorized,
    });
    expect(error.response?.data).toEqual(published.unauthorized.body);
    expect(error.retryable).toBe(false);
  });

  test.each([400, 404, 409, 422, 500])('status %i is a failure that shows the answer', async (status) => {
    for (const action of Object.keys(actions)) {
      const body = published.describeError(status);
      const error = await failureOf(published, { action, answer: { status, body } });
      expect(error).toMatchObject({ code: 'http_error', status, response: { status, data: body } });
      expect(error.retryable, action).toBe(status === 500 && effectOf(published, action) !== 'at_most_once');
    }
  });

  test.each(refusals)('$action: $title', async ({ action, answer, code, message, retryable, waitMs }) => {
    const said: string[] = [];
    const error = await failureOf(published, { action, answer, said });
    expect(error).toMatchObject({ code, retryable, status: answer.status });
    if (message !== undefined) expect(error.message).toBe(message);
    expect(error.retryAfterMs).toBe(waitMs);
    expect(error.response?.data).toEqual(answer.body);
    // Only a service that has done nothing lets the request be sent again.
    const isOnce = effectOf(published, action) === 'at_most_once';
    expect(said).toEqual([...(isOnce ? ['sending'] : []), ...(retryable ? ['notSent'] : [])]);
    const config = toConfig(published, action, actions[action]?.parameters ?? {});
    if (retryable) expect(kindRules.policy('tool', config).maxAttempts).toBe(3);
  });

  test.skipIf(pages === undefined)('the next page of a list is asked for by the page before', async () => {
    if (pages === undefined) return;
    let parameters = pages.parameters;
    for (const [request, body, answer] of pages.pages) {
      const page = await run(published, {
        action: pages.action,
        parameters,
        answer: { status: 200, body: answer },
      });
      expect(served).toEqual([{ request, body, host }]);
      expect(page).toEqual({ data: answer });
      const next = nodeCall(null, { roots: { page } }).render(pages.next, {}, true) as JsonObject;
      parameters = { ...pages.parameters, ...next };
    }
  });
});
