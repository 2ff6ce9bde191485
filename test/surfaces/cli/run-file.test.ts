/** The history would not tell which file a run was started from. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXIT } from '../../../src/surfaces/cli/exit.ts';
import { run } from '../../../src/surfaces/cli/program.ts';
import { json, startScriptedServer, type ScriptedServer } from '../client/support/scripted-server.ts';

const home = mkdtempSync(join(tmpdir(), 'run-file-'));
let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  await server.close();
});

test.each([
  ['of the file', 'name: Hello\nworkflow_schema: {nodes: [], edges: []}\n', { name: 'Hello' }],
  [
    'of the metadata',
    'metadata: {name: Bye, tags: [a]}\nnodes: []\nedges: []\n',
    { name: 'Bye', tags: ['a'] },
  ],
  ['by which a push would save it', 'nodes: []\nedges: []\n', { name: 'greeting' }],
])('a run of a file has the name %s', async (_, text, metadata) => {
  const file = join(home, 'greeting.yaml');
  writeFileSync(file, text);
  server.requests.length = 0;
  server.handler = (__, response) => json(response, 200, { run_id: 'run-1', thread_id: null });
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: home,
    WORKFLOW_API_URL: server.url,
    WORKFLOW_API_KEY: 'svc_live_key',
    WORKFLOW_ORGANIZATION_ID: 'org',
  };
  expect(await run(['run', file], env)).toBe(EXIT.completed);
  expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({
    workflow: { metadata, nodes: [], edges: [] },
    input: {},
  });
});

test('a run with --env is of the organization and the names of that environment', async () => {
  const folder = mkdtempSync(join(home, 'flows-'));
  const file = join(folder, 'greeting.yaml');
  writeFileSync(
    join(folder, 'environments.yaml'),
    'one: {organization_id: org, workflows: {other: 6f1b1c0e-3a77-4d0c-8a43-0a5d6ad0b201}}\n' +
      'two: {organization_id: org, workflows: {other: 6f1b1c0e-3a77-4d0c-8a43-0a5d6ad0b202}}\n' +
      'three: {organization_id: third}\n',
  );
  writeFileSync(
    file,
    'nodes: [{id: a, type: tool, config: {kind: workflow, workflow_id: other}}]\nedges: []\n',
  );
  server.handler = (request, response) =>
    json(
      response,
      200,
      request.url?.startsWith('/workflows/run') === true
        ? { run_id: 'run-1', thread_id: null }
        : {
            workflows: [1, 2].map((at) => ({
              id: `6f1b1c0e-3a77-4d0c-8a43-0a5d6ad0b20${at}`,
              name: `w${at}`,
            })),
          },
    );
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: home,
    WORKFLOW_API_URL: server.url,
    WORKFLOW_API_KEY: 'svc_live_key',
  };
  const started = async (name: string, what: string) => {
    server.requests.length = 0;
    expect(await run(['run', what, '--env', name], env)).toBe(EXIT.completed);
    return server.requests.at(-1);
  };
  expect((await started('one', file))?.body).toContain('b201');
  expect((await started('two', file))?.body).toContain('b202');
  writeFileSync(file, 'nodes: []\nedges: []\n');
  expect((await started('three', file))?.headers['x-organization-id']).toBe('third');
  expect(await run(['run', file, '--env', 'four'], env)).toBe(EXIT.usage);
});
