/** `workflow workflows deploy` would set live what nobody has seen, or a script of today would wait for an answer. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startApi, type ApiServer, type Tenant } from '../support/api-server.ts';
import { CommandLine } from '../support/command-line.ts';
import { chain, http } from '../support/definitions.ts';

const home = mkdtempSync(join(tmpdir(), 'deploy-by-command-'));
let api: ApiServer;
let tenant: Tenant;
let cli: CommandLine;
beforeAll(async () => {
  api = await startApi();
  tenant = await api.tenant();
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_CONFIG_HOME: home, TERM: 'xterm-256color' };
  cli = new CommandLine(join(inject('builtService'), 'src', 'surfaces', 'cli', 'main.js'), env);
  const key = await tenant.call('POST', '/api-keys', { body: { name: 'cli', rate_limit_per_minute: 1_000 } });
  const login = await cli.piped('login', '--url', api.url, '--key', key.body.key);
  expect(login.code, login.err).toBe(0);
});
afterAll(async () => {
  await api.close();
  rmSync(home, { recursive: true, force: true });
});

const definition = (host: string): object => ({
  ...chain(http('send', `https://${host}/a`)),
  metadata: { name: 'By command' },
});
const save = async (id: string, host: string): Promise<void> => {
  const body = { name: 'By command', workflow_schema: definition(host) };
  expect((await tenant.call('PUT', `/workflows/${id}`, { body })).status).toBe(200);
};
const countVersions = async (id: string): Promise<number> =>
  (await tenant.call('GET', `/workflows/${id}/deployments`)).body.total;

test('the difference is told before; at a terminal new effects are confirmed, and a script deploys without being asked', async () => {
  const body = { name: 'By command', workflow_schema: definition('one.example') };
  const { id } = (await tenant.call('POST', '/workflows', { body })).body;
  const deploy = ['workflows', 'deploy', id];

  const piped = await cli.piped(...deploy);
  expect([piped.code, piped.err]).toEqual([0, '  new: http POST one.example (send)\n']);
  expect(piped.out).toContain('Deployed version 1.0.0');

  await save(id, 'two.example');
  const question = 'Deploy with the new effects?';
  const declined = await cli.typed(deploy, [[question, 'n']]);
  expect(declined.code).not.toBe(0);
  expect(declined.seen).toContain('Deployment cancelled');
  const told = declined.seen.slice(0, declined.seen.indexOf(question));
  expect(told).toContain('new: http POST two.example (send)');
  expect(told).toContain('no more: http POST one.example (send)');
  expect(await countVersions(id)).toBe(1);

  const agreed = await cli.typed(deploy, [[question, 'y']]);
  expect([agreed.code, agreed.seen]).toEqual([0, expect.stringContaining('Deployed version 2.0.0')]);

  // The same effects need no answer, and neither does --yes.
  const same = await cli.typed([...deploy, '--note', 'again'], []);
  expect([same.code, same.seen]).toEqual([0, expect.stringContaining('No new effects')]);
  await save(id, 'three.example');
  const sure = await cli.typed([...deploy, '--yes'], []);
  expect([sure.code, sure.seen]).toEqual([0, expect.stringContaining('new: http POST three.example')]);
  expect(sure.seen).not.toContain(question);

  await save(id, 'four.example');
  expect(await cli.json(...deploy)).toMatchObject([{ version: '5.0.0' }]);
  expect(await countVersions(id)).toBe(5);
});
