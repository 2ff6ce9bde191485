/** Whoever changes a file of a repository would get the key of everybody who runs a command in its folder. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { EXIT } from '../../../src/surfaces/cli/exit.ts';
import { createProgram } from '../../../src/surfaces/cli/program.ts';
import { Sessions } from '../../../src/surfaces/cli/session.ts';
import { json, startScriptedServer, type ScriptedServer } from '../client/support/scripted-server.ts';

const ORGANIZATION = '2f6b1c0e-3a77-4d0c-8a43-0a5d6ad0b202';
const OTHER = '7b0c9d52-6f0e-4c58-9a53-5f2f6f3d1a01';

const home = mkdtempSync(join(tmpdir(), 'key-destination-'));
const folder = join(home, 'flows');
let own: ScriptedServer;
let stranger: ScriptedServer;

beforeAll(async () => {
  mkdirSync(folder);
  [own, stranger] = [await startScriptedServer(), await startScriptedServer()];
  for (const server of [own, stranger])
    server.handler = ({ url }, response) =>
      json(
        response,
        200,
        url.startsWith('/organizations') ? [{ id: ORGANIZATION }] : { workflows: [], total: 0 },
      );
});
afterAll(async () => {
  await Promise.all([own.close(), stranger.close()]);
  rmSync(home, { recursive: true, force: true });
});
beforeEach(() => {
  own.requests.length = 0;
  stranger.requests.length = 0;
});

const describeStaging = (staging: Record<string, unknown>): void =>
  writeFileSync(join(folder, 'environments.yaml'), stringify({ staging }));

async function diff(env: Record<string, string>, ...options: string[]): Promise<void> {
  const config = { HOME: join(home, 'none'), XDG_CONFIG_HOME: join(home, 'none') };
  const sessions = new Sessions({ ...config, ...env });
  await createProgram(sessions).parseAsync([...options, 'diff', folder, '--env', 'staging', '--json'], {
    from: 'user',
  });
}

const seen = (server: ScriptedServer): Set<string | undefined> =>
  new Set(server.requests.map(({ headers }) => headers.authorization));

test('a key goes to no service that only the folder names: neither one for all environments, nor one of its own', async () => {
  describeStaging({ url: stranger.url });
  for (const name of ['WORKFLOW_API_KEY', 'WORKFLOW_API_KEY_STAGING'])
    for (const pinned of [{}, { WORKFLOW_API_URL: own.url }, { WORKFLOW_API_URL_STAGING: own.url }]) {
      const failure = diff({ [name]: 'svc_live_key', ...pinned });
      await expect(failure).rejects.toMatchObject({ exitCode: EXIT.usage });
      await expect(failure).rejects.toThrow(`set WORKFLOW_API_URL_STAGING to it`);
    }
  expect([stranger.requests, own.requests]).toEqual([[], []]);
});

test('a key goes to the service of the folder that an option, a variable or a login names, too', async () => {
  describeStaging({ url: `${own.url}/` });
  const key = { WORKFLOW_API_KEY_STAGING: 'svc_live_key' };
  await diff({ ...key, WORKFLOW_API_URL: own.url });
  await diff({ ...key, WORKFLOW_API_URL: stranger.url, WORKFLOW_API_URL_STAGING: own.url });
  await diff({ ...key, WORKFLOW_API_URL: stranger.url }, '--url', own.url);
  const config = { HOME: home, XDG_CONFIG_HOME: home };
  const login = ['login', '--url', own.url, '--key', 'svc_live_login'];
  await createProgram(new Sessions(config)).parseAsync(login, { from: 'user' });
  await diff({ ...key, ...config });
  expect(seen(own)).toEqual(new Set(['Bearer svc_live_key', 'Bearer svc_live_login']));
  expect(stranger.requests).toEqual([]);
  describeStaging({ url: stranger.url });
  await expect(diff({ ...key, ...config })).rejects.toThrow('set WORKFLOW_API_URL_STAGING to it');
  await expect(diff(config)).rejects.toThrow(`is for ${own.url}, not ${stranger.url}`);
  expect(stranger.requests).toEqual([]);
});

test('the scheme is part of a service: a folder cannot have a key sent in clear text', async () => {
  describeStaging({ url: own.url });
  const pinned = own.url.replace('http:', 'https:');
  const failure = diff({ WORKFLOW_API_KEY: 'svc_live_key', WORKFLOW_API_URL: pinned });
  await expect(failure).rejects.toThrow(`to ${own.url} and not ${pinned}`);
  expect(own.requests).toEqual([]);
});

test('an option that contradicts the folder is a usage error; one that agrees is not', async () => {
  describeStaging({ url: own.url, organization_id: ORGANIZATION });
  const env = { WORKFLOW_API_KEY: 'svc_live_key', WORKFLOW_ORGANIZATION_ID: OTHER };
  for (const options of [
    ['--url', stranger.url],
    ['--org', OTHER],
  ]) {
    const failure = diff(env, ...options);
    await expect(failure).rejects.toMatchObject({ exitCode: EXIT.usage });
    await expect(failure).rejects.toThrow(`${options[0]} contradicts environments.yaml`);
  }
  expect([own.requests, stranger.requests]).toEqual([[], []]);
  await diff(env, '--url', own.url, '--org', ORGANIZATION.toUpperCase());
  expect(own.requests.length).toBeGreaterThan(0);
});

test('without a URL in the folder, the key of an environment goes where its own variable says', async () => {
  describeStaging({});
  const key = { WORKFLOW_API_KEY_STAGING: 'svc_live_key' };
  await diff({ ...key, WORKFLOW_API_URL: stranger.url, WORKFLOW_API_URL_STAGING: own.url });
  expect([stranger.requests, seen(own)]).toEqual([[], new Set(['Bearer svc_live_key'])]);
  for (const url of ['workflows.example', ''])
    await expect(diff({ ...key, WORKFLOW_API_URL_STAGING: url })).rejects.toThrow('is not a URL');
});
