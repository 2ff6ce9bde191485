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
