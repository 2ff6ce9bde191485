/** A tool of an MCP server would be called with wrong arguments, without permission, or twice. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { NodeError } from '../../../src/language/nodes/kind.ts';
import { NothingSentError } from '../../../src/language/nodes/failure.ts';
import { kindRules } from '../../../src/language/nodes/registry.ts';
import { tool } from '../../../src/language/nodes/tool/tool.ts';
import type { McpRequest, McpResult } from '../../../src/language/nodes/tools.ts';
import { outputOf, listProblems, runNode } from './support/node-call.ts';

const config = { kind: 'mcp', server_url: 'https://mcp.test/mcp', tool: 'add', arguments: { a: '{{a}}' } };
const RESULT: McpResult = {
  content: [{ type: 'text', text: '3' }],
  structured: null,
  isError: false,
  fingerprint: 'f1',
};

test('arguments are rendered, and the result is the output', async () => {
  const seen: McpRequest[] = [];
  const mcp = (request: McpRequest) => (seen.push(request), Promise.resolve(RESULT));
  expect(await outputOf(tool, config, { roots: { a: 1 }, mcp })).toEqual({
    data: RESULT.content,
    content: RESULT.content,
  });
  expect(seen[0]).toMatchObject({
    serverUrl: config.server_url,
    tool: 'add',
    arguments: { a: 1 },
    credential: null,
    fingerprint: null,
  });
});

test('structured content is the data', async () => {
  const mcp = () => Promise.resolve({ ...RESULT, structured: { sum: 3 } });
  expect(await outputOf(tool, config, { roots: { a: 1 }, mcp })).toMatchObject({ data: { sum: 3 } });
});

test('a tool that reports a failure fails the node', async () => {
  const mcp = () => Promise.resolve({ ...RESULT, isError: true });
  await expect(runNode(tool, config, { roots: { a: 1 }, mcp })).rejects.toMatchObject({
    code: 'mcp_tool_failed',
    message: 'The tool failed: 3',
    response: { status: 200, headers: {}, data: RESULT.structured ?? RESULT.content, truncated: false },
  });
});

const lost = new NodeError('network_error', 'x', { retryable: true });
test.each([
  ['what may be repeated stays retryable', true, lost, 'network_error', []],
  [
    'an answer that is too large is an answer',
    false,
    new NodeError('response_too_large', 'x'),
    'response_too_large',
    ['sending'],
  ],
  ['of anything else the outcome is unknown', false, lost, 'outcome_unknown', ['sending']],
  [
    'what did not leave is known',
    false,
    new NothingSentError('connection_failed', 'x'),
    'connection_failed',
    ['sending'],
  ],
])('%s', async (_, repeatable, error, code, words) => {
  const said: string[] = [];
  const mcp = async (request: McpRequest): Promise<McpResult> => {
    await request.beforeCall(repeatable);
    throw error;
  };
  await expect(runNode(tool, config, { roots: { a: 1 }, said, mcp })).rejects.toMatchObject({ code });
  expect(said).toEqual(words);
});

test('before its server is asked, a tool counts as one that must not be repeated', () => {
  expect(kindRules.policy('tool', config)).toMatchObject({ effect: 'at_most_once', maxAttempts: 1 });
});

test.each<[JsonObject, string[]]>([
  [{ command: 'sh', args: ['-c', 'id'] }, ['stdio_not_allowed command', 'stdio_not_allowed args']],
  [{ transport: 'stdio' }, ['stdio_not_allowed transport']],
  [{ transport: 'streamable_http' }, []],
  [{ server_url: 'file:///etc/passwd' }, ['invalid_config server_url']],
  [{ server_url: 'https://u:p@mcp.test/' }, ['credentials_in_url server_url']],
  [{ server_url: null }, ['mcp_server_missing server_url']],
  [{ server_url: null, credential_id: '6f0d1c7e-3f0e-4a53-9b0f-2f6f2f1f7a10' }, []],
])('SEC-F17: %j has the problems %j', (change, problems) => {
  expect(listProblems(tool, { ...config, ...change })).toEqual(problems);
});
