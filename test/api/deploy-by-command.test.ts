/** `workflow workflows deploy` would set live what nobody has seen, or a script of today would wait for an answer. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

const QUESTION = 'Deploy with the new effects?';
const readLive = async (id: string): Promise<string> => {
  const { live_deployment_id: live } = (await tenant.call('GET', `/workflows/${id}`)).body;
  return (await tenant.call('GET', `/workflows/${id}/deployments/${live}`)).body.version;
};
const create = async (host: string): Promise<string> =>
  (
    await tenant.call('POST', '/workflows', {
      body: { name: 'By command', workflow_schema: definition(host) },
    })
  ).body.id;

test('a rollback is told and confirmed as a deployment is', async () => {
  const id = await create('one.example');
  await cli.json('workflows', 'deploy', id);
  await save(id, 'two.example');
  await cli.json('workflows', 'deploy', id);
  const rollback = ['workflows', 'rollback', id];
  const declined = await cli.typed(rollback, [[QUESTION, 'n']]);
  expect([declined.code, declined.seen]).toEqual([
    130,
    expect.stringContaining('new: http POST one.example'),
  ]);
  expect(await readLive(id)).toBe('2.0.0');
  const piped = await cli.piped(...rollback);
  expect([piped.code, piped.err]).toEqual([
    0,
    '  new: http POST one.example (send)\n  no more: http POST two.example (send)\n',
  ]);
  expect(await readLive(id)).toBe('1.0.0');
});

test('a draft that a colleague changes while the question is open is told again', async () => {
  const id = await create('one.example');
  const edit = async (): Promise<string> => {
    await save(id, 'colleague.example');
    return 'y';
  };
  const { code, seen } = await cli.typed(
    ['workflows', 'deploy', id],
    [
      [QUESTION, edit],
      ['The draft has changed since.', ''],
      ['new: http POST colleague.example (send)', ''],
      [QUESTION, 'y'],
    ],
  );
  expect([code, seen]).toEqual([0, expect.stringContaining('Deployed version 1.0.0')]);
});

test('a push that deploys asks for each workflow with new effects; one that is declined is saved and not live, and the others go on', async () => {
  const flows = join(home, 'flows');
  mkdirSync(flows);
  for (const name of ['first', 'second']) {
    const workflow_schema = { ...chain(http('send', `https://${name}.example/a`)), metadata: { name } };
    writeFileSync(join(flows, `${name}.json`), JSON.stringify({ name, workflow_schema }));
  }
  const { code, seen } = await cli.typed(
    ['push', flows, '--deploy', '--org', tenant.org],
    [
      ['Push 2 of 2?', 'y'],
      [QUESTION, 'n'],
      [QUESTION, 'y'],
    ],
  );
  expect([code, seen]).toEqual([1, expect.stringContaining('first.json: Deployment cancelled')]);
  for (const host of ['first', 'second']) expect(seen).toContain(`new: http POST ${host}.example (send)`);
  const all = (await tenant.call('GET', '/workflows')).body.workflows as {
    name: string;
    live_deployment_id: string | null;
  }[];
  const isLive = (name: string): boolean => all.find((one) => one.name === name)?.live_deployment_id !== null;
  expect([isLive('first'), isLive('second')]).toEqual([false, true]);
  const again = await cli.piped('push', flows, '--deploy', '--org', tenant.org, '--yes');
  expect([again.code, again.err]).toEqual([0, expect.stringContaining('new: http POST first.example')]);
});

test('rules are those of a file; what they refuse is named and does not go live', async () => {
  const file = join(home, 'rules.yaml');
  const apply = (text: string, ...more: string[]) => {
    writeFileSync(file, text);
    return cli.piped('effect-rules', 'apply', file, ...more);
  };
  const [known, bad] = [
    `- {name: Known, decision: allow, when: [{left: '{{host}}', op: eq, right: good.example}]}\n`,
    `- {name: No bad host, decision: refuse, when: [{left: '{{host}}', op: ends_with, right: .bad.example}]}\n`,
  ];
  expect(await apply(bad)).toMatchObject({
    code: 2,
    out: expect.stringMatching(/^create +No bad host: refuse/),
  });
  expect((await apply(bad, '--yes')).code).toBe(0);
  const unchanged = await apply(bad, '--check');
  expect([unchanged.code, unchanged.out]).toEqual([0, 'Nothing changes\n']);
  const both = await apply(known + bad, '--yes');
  expect([both.code, both.out]).toEqual([
    0,
    expect.stringMatching(/create +Known: allow\norder +Known, No bad host/),
  ]);
  expect((await cli.json('effect-rules', 'list')).map(({ name }) => name)).toEqual(['Known', 'No bad host']);
  expect((await apply(known + known)).err).toContain('Two rules are named "Known"');

  const id = await create('very.bad.example');
  const refused = await cli.piped('workflows', 'deploy', id);
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('refused by "No bad host": http POST very.bad.example (send)'),
  ]);
  expect(await countVersions(id)).toBe(0);
  expect((await apply(known.replace('allow', 'refuse'), '--yes')).out).toMatch(
    /update +Known: refuse\ndelete +No bad host/,
  );
  expect((await cli.piped('workflows', 'deploy', id)).code).toBe(0);
  expect((await apply('[]', '--yes')).code).toBe(0);
});
