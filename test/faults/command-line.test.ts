/** A command of the command line would fail against the real service, or not ask where it must. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse as parsePath } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { stringify } from 'yaml';
import { startIssuer } from '../../src/processes/local/issuer.ts';
import { startApi } from '../support/api-server.ts';
import { CommandLine } from '../support/command-line.ts';
import { chain, edge, END, http, node, START, transform, workflow } from '../support/definitions.ts';
import { APP_URL } from '../support/identity-provider.ts';
import { startSituation, type Situation } from './support/situation.ts';

const home = mkdtempSync(join(tmpdir(), 'command-line-'));
const flows = join(home, 'flows');
let situation: Situation;
let cli: CommandLine;
let url = '';
let organization = '';

const write = (name: string, value: object): string => {
  const path = join(home, name);
  writeFileSync(path, name.endsWith('.json') ? JSON.stringify(value) : stringify(value));
  return path;
};

beforeAll(async () => {
  situation = await startSituation({
    environment: { ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}` },
  });
  const { service } = situation;
  const [api] = service.apis;
  url = api.url;
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_CONFIG_HOME: home, TERM: 'xterm-256color' };
  cli = new CommandLine(join(inject('builtService'), 'src', 'surfaces', 'cli', 'main.js'), env);
  mkdirSync(flows);
  // Of the usual 60 a minute, the commands of all tests would wait for the next one.
  const key = { name: 'command line', rate_limit_per_minute: 600 };
  const { body } = await service.call(api, 'POST', '/api-keys', { body: key });
  const login = await cli.typed(['login', '--url', url], [['API key', `${body.api_key ?? body.key}\r`]]);
  expect(login, login.seen).toMatchObject({ code: 0 });
  const [who] = await cli.json('whoami');
  organization = who.organization_id;
});
afterAll(async () => {
  await situation.close();
  rmSync(home, { recursive: true, force: true });
});

test('a login in the browser, with PKCE at the issuer', async () => {
  const issuer = await startIssuer(join(home, 'issuer.pem'), APP_URL);
  const api = await startApi({ AUTH_JWKS_URL: issuer.jwksUrl, AUTH_ISSUER: issuer.issuer });
  try {
    const pages: Promise<string>[] = [];
    const args = ['login', '--profile', 'browser', '--url', api.url, '--issuer', issuer.issuer];
    const ended = await cli.typed(args, [
      [
        'code_challenge_method=S256',
        (shown) => {
          // The terminal may break the line.
          const [page = ''] = /http:\/\/127\S*S256/.exec(shown.replaceAll(/\s/g, '')) ?? [];
          pages.push(signIn(page));
        },
      ],
    ]);
    expect(await pages[0]).toContain('You may close this page');
    expect(ended.code, ended.seen).toBe(0);
    const [who] = await cli.json('whoami', '--profile', 'browser');
    expect(who).toMatchObject({ email: 'demo@example.com', url: api.url });
    expect((await cli.piped('logout', '--profile', 'browser')).out).toContain('Logged out');
  } finally {
    await api.close();
    await issuer.stop();
  }
});

/** Logs in with a code, on a page that is opened elsewhere. */
async function logInByDevice(profile: string, url: string, issuer: string): Promise<void> {
  const pages: Promise<string>[] = [];
  const args = ['login', '--device', '--profile', profile, '--url', url, '--issuer', issuer];
  const ended = await cli.typed(args, [
    [
      'enter the code',
      (shown) => {
        const [, page = '', code] =
          /open(http\S+)andenterthecode(\S+)/.exec(shown.replaceAll(/\s/g, '')) ?? [];
        expect(new URL(page).searchParams.get('user_code')).toBe(code);
        pages.push(signIn(page));
      },
    ],
  ]);
  expect(await pages[0]).toContain('Sign-in Success');
  expect(ended.code, ended.seen).toBe(0);
}

test('a login by device: the page is opened elsewhere, with the code that the terminal shows', async () => {
  const issuer = await startIssuer(join(home, 'issuer.pem'), APP_URL);
  const api = await startApi({ AUTH_JWKS_URL: issuer.jwksUrl, AUTH_ISSUER: issuer.issuer });
  try {
    await logInByDevice('device', api.url, issuer.issuer);
    const [who] = await cli.json('whoami', '--profile', 'device');
    expect(who).toMatchObject({ email: 'demo@example.com', url: api.url });
    // The newest login is the one in use: the tests behind this one use the first.
    expect((await cli.piped('logout', '--profile', 'device')).out).toContain('Logged out');
  } finally {
    await api.close();
    await issuer.stop();
  }
});

interface StoredProfiles {
  readonly current: string;
  readonly profiles: Record<string, { readonly login: object }>;
}
const readProfiles = (): StoredProfiles =>
  JSON.parse(readFileSync(join(home, 'workflow', 'profiles.json'), 'utf8')) as StoredProfiles;

/** Lets the access token of a profile expire, and makes another profile the current one; the refresh token stays good. */
function expire(name: string): void {
  const { profiles } = readProfiles();
  const profile = { ...profiles[name], login: { ...profiles[name]?.login, expiresAtMs: 0 } };
  const stored = { current: 'default', profiles: { ...profiles, [name]: profile } };
  writeFileSync(join(home, 'workflow', 'profiles.json'), JSON.stringify(stored));
}

test('commands that begin at once on an expired login renew it once: the provider does not revoke it', async () => {
  const issuer = await startIssuer(join(home, 'issuer.pem'), APP_URL);
  const api = await startApi({ AUTH_JWKS_URL: issuer.jwksUrl, AUTH_ISSUER: issuer.issuer });
  try {
    await logInByDevice('shared', api.url, issuer.issuer);
    const whoami = () => cli.piped('whoami', '--profile', 'shared');
    expire('shared');
    const together = await Promise.all([whoami(), whoami(), whoami()]);
    expect(together.map(({ code, err }) => [code, err])).toEqual(together.map(() => [0, '']));
    // A refresh token that was used twice would have ended the whole login.
    expire('shared');
    expect(await whoami()).toMatchObject({ code: 0, err: '' });
    // A renewal is no login: the profile in use stays.
    expect(readProfiles().current).toBe('default');
    expect((await cli.piped('logout', '--profile', 'shared')).out).toContain('Logged out');
  } finally {
    await api.close();
    await issuer.stop();
  }
});

/** What a page's form sends by itself; the page that asks who is there is told. Null: there is no form. */
function formOf(html: string): URLSearchParams | null {
  if (!html.includes('<form')) return null;
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  if (hidden.length === 0) return new URLSearchParams({ email: 'demo@example.com' });
  return new URLSearchParams(hidden.map(([, name = '', value = '']): [string, string] => [name, value]));
}

/** Plays the browser: follows the pages, sends their forms, and says who is there. @returns the page that asks nothing more */
async function signIn(page: string): Promise<string> {
  const cookies = new Map<string, string>();
  let next = new URL(page);
  for (let form: URLSearchParams | null = null; ;) {
    const answer = await fetch(next, {
      method: form === null ? 'GET' : 'POST',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      body: form,
      redirect: 'manual',
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location !== null) {
      next = new URL(location, next);
      form = null;
      continue;
    }
    const html = await answer.text();
    form = formOf(html);
    if (form === null) return html;
    const [, action] = /<form[^>]* action="([^"]+)"/.exec(html) ?? [];
    if (action !== undefined) next = new URL(action, next);
  }
}

const asking = workflow(
  [
    node('say', 'llm', {
      provider: 'openai',
      model: 'test-model',
      messages: [{ role: 'user', content: 'x' }],
    }),
    node('ask', 'interrupt', {
      kind: 'approval',
      title: 'Refund {{input.amount}}?',
      actions: [{ id: 'approve' }, { id: 'reject' }],
    }),
    transform('paid', { paid: '{{input.amount}}' }),
    transform('kept'),
  ],
  [
    edge(START, 'say'),
    edge('say', 'ask'),
    edge('ask', 'paid', 'approve'),
    edge('ask', 'kept', 'reject'),
    edge('paid', END),
    edge('kept', END),
  ],
);

test('run --follow: the tree, tokens as they come, a question answered in the terminal', async () => {
  situation.model.script({ text: ['Let', ' me', ' see'], delayMs: 20 });
  const file = write('asking.yaml', asking);
  const input = `@${write('input.json', { amount: 12 })}`;
  const { code, seen } = await cli.typed(
    ['run', file, '--input', input, '--follow'],
    [
      ['Refund 12?', ''],
      ['Your answer', '\r'],
    ],
  );
  expect(code, seen).toBe(0);
  expect(seen).toContain('Let me see');
  expect(seen).toContain('✓');
  expect(seen).toContain('"paid": 12');
});

test('the exit code is the outcome, and --json is one event a line', async () => {
  const file = join(home, 'asking.yaml');
  const waits = await cli.piped('run', file, '--input', '{"amount":1}', '--follow', '--json');
  const events = waits.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; run_id: string });
  expect(waits.code, waits.err).toBe(3);
  expect(events[0]?.type).toBe('run_started');
  expect(events.at(-1)?.type).toBe('run_interrupted');
  const runId = events[0]?.run_id ?? '';
  const answered = await cli.typed(['runs', 'answer', runId], [['Your answer', '\u001b[B\r']]);
  expect(answered.code, answered.seen).toBe(0);

  const failing = write(
    'failing.yaml',
    chain(http('call', situation.recorder.url('fails', { status: 400 }))),
  );
  expect(await cli.piped('run', failing, '--follow')).toMatchObject({ code: 1 });
  expect(await cli.piped('run', 'greeting')).toMatchObject({
    code: 2,
    err: 'error: greeting is neither a file nor a workflow ID\n',
  });
});

test('a form is answered by keys and by flags; of several questions one is named', async () => {
  const form = { type: 'object', properties: { amount: { type: 'integer', title: 'Amount' } } };
  const input = { kind: 'input', title: 'How much?', form };
  const file = write(
    'form.yaml',
    chain(node('ask', 'interrupt', input), transform('paid', { paid: '{{ask.data.amount}}' })),
  );
  const typed = await cli.typed(['run', file, '--follow'], [['Amount', '12\r']]);
  expect(typed.code, typed.seen).toBe(0);
  expect(typed.seen).toContain('"paid": 12');
  const started = await cli.piped('run', file, '--follow');
  expect(started).toMatchObject({ code: 3 });
  const runId = /^Run (\S+)$/m.exec(started.err)?.[1] ?? '';
  expect(await cli.piped('runs', 'answer', runId, '--data', '{"amount": "x"}')).toMatchObject({ code: 1 });
  const answered = await cli.piped('runs', 'answer', runId, '--data', '{"amount": 7}');
  expect(answered.code, answered.err).toBe(0);
  expect(answered.out).toContain('"paid": 7');
  const both = workflow(
    [node('one', 'interrupt', input), node('two', 'interrupt', { ...input, title: 'And then?' })],
    [edge(START, 'one'), edge(START, 'two'), edge('one', END), edge('two', END)],
  );
  const open = await cli.piped('run', write('both.yaml', both), '--follow');
  const bothId = /^Run (\S+)$/m.exec(open.err)?.[1] ?? '';
  const unnamed = await cli.piped('runs', 'answer', bothId, '--data', '{"amount": 1}');
  expect(unnamed).toMatchObject({ code: 2 });
  const interrupt = /^ {2}(\S+) {2}And then\?$/m.exec(unnamed.err)?.[1] ?? '';
  const left = await cli.piped('runs', 'answer', bothId, '--data', '{"amount": 1}', '--interrupt', interrupt);
  expect(left.code, left.err).toBe(3);
});

test('input comes from stdin, a key starts one run, a list goes beyond a page, and a reader may leave', async () => {
  const file = write('plain.yaml', chain(transform('said', { n: '{{input.n}}' })));
  const said = await cli.shell(`echo '{"n": 5}' | workflow run ${file} --input - --follow`);
  expect(said.code, said.err).toBe(0);
  expect(said.out).toContain('"n": 5');
  const keyed = ['run', file, '--idempotency-key', 'once'];
  const [first, second] = [await cli.piped(...keyed), await cli.piped(...keyed)];
  expect(second.out).toBe(first.out);
  const listed = putFile('listed', 'many.yaml', named('Many', chain(transform('said'))));
  expect((await cli.piped('workflows', 'push', join(home, 'listed'), '--yes')).code).toBe(0);
  expect((await cli.piped('workflows', 'deploy', idIn(listed))).out).toMatch(/^Deployed version 1\.0\.0 /);
  const { service } = situation;
  const inputs = Array.from({ length: 130 }, (_, n) => ({ n }));
  const batch = await service.call(service.apis[0], 'POST', '/workflows/run/batch', {
    body: { workflow_id: idIn(listed), inputs },
  });
  expect(batch.body.accepted).toBe(130);
  expect(await cli.json('runs', 'list', '--limit', '130')).toHaveLength(130);
  expect(await cli.piped('runs', 'list', '--limit', '0')).toMatchObject({ code: 2 });
  expect(
    await cli.shell('set -o pipefail; workflow runs list --limit 150 --json | head -n 1 | wc -l'),
  ).toEqual({
    code: 0,
    out: '1\n',
    err: '',
  });
});

test('profiles are listed and chosen, and completion works twice sourced in a plain bash', async () => {
  const [made] = await cli.json('keys', 'create', 'For a second login');
  const key = made.api_key ?? made.key;
  expect((await cli.piped('login', '--profile', 'second', '--url', url, '--key', key)).code).toBe(0);
  const listed = await cli.json('profiles', 'list');
  expect(listed.map(({ name, is_current: isCurrent }) => [name, isCurrent])).toEqual([
    ['default', false],
    ['second', true],
  ]);
  expect(JSON.stringify(listed)).not.toContain(key);
  expect(await cli.piped('profiles', 'use', 'nobody')).toMatchObject({ code: 2 });
  expect((await cli.piped('profiles', 'use', 'default')).out).toBe('Using profile default\n');
  expect((await cli.piped('profiles', 'list')).out).toMatch(/^\*  default /m);
  expect((await cli.piped('logout', '--profile', 'second')).code).toBe(0);
  const completed = await cli.shell(
    'source <(workflow completion bash); source <(workflow completion bash); ' +
      'COMP_WORDS=(workflow runs re); COMP_CWORD=2; __workflow_complete; echo "${COMPREPLY[@]}"',
  );
  expect(completed).toEqual({ code: 0, out: 'rerun\n', err: '' });
});

test('a service account is made, its key logs in and is revoked, each deletion asks first', async () => {
  const created = await cli.typed(['service-accounts', 'create', 'Nightly import', '--limit', '120'], []);
  expect(created.code, created.seen).toBe(0);
  const [account] = (await cli.json('service-accounts', 'list')).filter(
    ({ name }) => name === 'Nightly import',
  );
  expect(account).toMatchObject({ role: 'admin', rate_limit_per_minute: 120 });
  const listed = await cli.typed(['service-accounts', 'list'], []);
  expect(listed.seen).toMatch(/Nightly import +admin +120 /);
  expect(await cli.piped('service-accounts', 'create', 'x', '--role', 'guest')).toMatchObject({ code: 2 });

  const keyed = await cli.typed(['service-accounts', 'create-key', account.id, 'import host'], []);
  expect(keyed.code, keyed.seen).toBe(0);
  const secret = /"key":"(svc_live_\w+)"/.exec(keyed.seen)?.[1] ?? '';
  const login = ['login', '--profile', 'import', '--url', url, '--key', secret];
  expect((await cli.piped(...login)).code).toBe(0);
  const [who] = await cli.json('whoami', '--profile', 'import');
  expect(who.organization_id).toBe(organization);
  expect((await cli.piped('profiles', 'use', 'default')).code).toBe(0);
  const keys = await cli.typed(['service-accounts', 'keys', account.id], []);
  expect(keys.seen).toContain('import host');
  expect(keys.seen).not.toContain(secret);

  const [key] = await cli.json('service-accounts', 'keys', account.id);
  const revoke = ['service-accounts', 'revoke-key', account.id, key.id];
  expect(await cli.typed(revoke, [[`Revoke key`, 'n']])).toMatchObject({ code: 130 });
  expect(await cli.typed(revoke, [[`Revoke key`, 'y']])).toMatchObject({ code: 0 });
  expect(await cli.piped('whoami', '--profile', 'import')).toMatchObject({ code: 1 });
  const remove = ['service-accounts', 'delete', account.id];
  expect(await cli.piped(...remove)).toMatchObject({ code: 2 });
  expect(await cli.typed(remove, [['Delete service account', 'y']])).toMatchObject({ code: 0 });
  expect((await cli.piped('service-accounts', 'list')).out).not.toContain('Nightly import');
});

test('runs: listed, shown, their events, cancelled', async () => {
  const held = write('held.yaml', chain(http('call', situation.recorder.url('held', { hold: 1 }))));
  const { out } = await cli.piped('run', held);
  const runId = out.trim();
  await situation.recorder.waitFor('held', 1);
  const cancelled = await cli.piped('runs', 'cancel', runId, '--reason', 'a test');
  expect(cancelled.code, cancelled.err).toBe(0);
  situation.recorder.release();
  expect(await cli.piped('runs', 'logs', runId, '--follow')).toMatchObject({ code: 4 });
  const logs = await cli.piped('runs', 'logs', runId);
  expect(logs.out.trim().split('\n').at(-1)).toContain('run_cancelled');
  expect((await cli.piped('runs', 'list')).out).toContain(runId);
  expect((await cli.json('runs', 'list', '--status', 'cancelled', '--limit', '1'))[0]).toMatchObject({
    run_id: runId,
  });
  const shown = await cli.piped('runs', 'show', runId);
  expect(shown.out).toContain(`${runId}  cancelled  `);
  expect(shown.out).toContain('call');
});

test('workflows: pushed with a plan, compared, pulled, validated, deployed, rolled back', async () => {
  const graph = chain(transform('hello', { text: 'Hello {{input.name}}' }));
  const file = write('flows/greeting.yaml', { ...graph, metadata: { name: 'Greeting' } });
  expect(await cli.piped('workflows', 'validate', file)).toMatchObject({ code: 0, out: '1 valid\n' });
  expect((await cli.piped('workflows', 'push', flows)).code).toBe(2);
  const left = await cli.typed(['workflows', 'push', flows], [['Push 1 of 1?', 'n']]);
  expect(left.seen).toContain('create');
  expect(left.code).toBe(130);
  const pushed = await cli.typed(['workflows', 'push', flows], [['Push 1 of 1?', 'y']]);
  expect(pushed.code, pushed.seen).toBe(0);
  const id = idIn(file);
  expect(await cli.piped('workflows', 'diff', flows)).toMatchObject({ code: 0 });

  const [first] = await cli.json('workflows', 'deploy', id, '--note', 'first');
  const changed = readFileSync(file, 'utf8').replace('Hello {{', 'Good day {{');
  writeFileSync(file, changed);
  const differs = await cli.piped('workflows', 'diff', flows);
  expect(differs).toMatchObject({ code: 1 });
  expect(differs.out).toContain('/workflow_schema/nodes/hello/config/fields/text');
  expect((await cli.piped('workflows', 'push', flows, '--yes')).code).toBe(0);
  const [second] = await cli.json('workflows', 'deploy', id);
  const [back] = await cli.json('workflows', 'rollback', id);
  expect(back).toMatchObject({ deployment_id: first.id, previous_live_deployment_id: second.id });
  const [forth] = await cli.json('workflows', 'activate', id, second.id);
  expect(forth).toMatchObject({ deployment_id: second.id });

  expect((await cli.piped('workflows', 'list')).out).toContain('Greeting');
  const pulled = await cli.piped('workflows', 'pull', join(home, 'pulled'), id);
  expect(pulled.out).toBe(`create     ${join(home, 'pulled', 'greeting.yaml')}\n`);
  const [again] = await cli.json('workflows', 'push', join(home, 'pulled'));
  expect(again.plan.map(({ action }: { action: string }) => action)).toEqual(['unchanged']);

  const ran = await cli.piped('run', id, '--input', '{"name":"Ada"}', '--follow');
  expect(ran.out).toContain('Good day Ada');
  const tried = await cli.piped('workflows', 'test-node', id, 'hello', '--input', '{"name":"Eve"}');
  expect(tried.code, tried.err).toBe(0);
  expect(tried.out).toContain('Good day Eve');

  const [schedule] = await cli.json('schedules', 'create', id, '0 3 * * *', '--name', 'Nightly');
  expect((await cli.piped('schedules', 'list')).out).toContain('Nightly');
  for (const verb of ['pause', 'resume', 'trigger'])
    expect(await cli.piped('schedules', verb, schedule.id)).toMatchObject({ code: 0, err: '' });
  const deleted = await cli.typed(['schedules', 'delete', schedule.id], [['Delete schedule', 'y']]);
  expect(deleted.code, deleted.seen).toBe(0);
});

/** Another organization of the same user. */
async function newOrganization(name: string): Promise<string> {
  const { service } = situation;
  const made = await service.call(service.apis[0], 'POST', '/organizations', { body: { name } });
  await situation.db.query(`UPDATE organizations SET plan = 'enterprise' WHERE id = $1`, [made.body.id]);
  return made.body.id as string;
}

const inFolder = (folder: string, name: string): string => join(home, folder, name);
const putFile = (folder: string, name: string, value: object): string => {
  mkdirSync(join(home, folder), { recursive: true });
  return write(join(folder, name), value);
};
const named = (name: string, definition: object): object => ({ ...definition, metadata: { name } });
const calling = (id: string): object =>
  chain(transform('first'), node('call', 'tool', { kind: 'workflow', workflow_id: id }));
/** The id that the workflow of a file has in the organization of the login, from the folder's lock. */
const idIn = (path: string): string => {
  const { dir, name } = parsePath(path);
  const entry = readFileSync(join(dir, '.workflow-lock', organization, `${name}.json`), 'utf8');
  return (JSON.parse(entry) as { id: string }).id;
};

test('a webhook is made, sent to, read and sent again, and its address ends with it', async () => {
  const file = putFile('hooked', 'orders.yaml', named('Orders', chain(transform('said'))));
  expect((await cli.piped('workflows', 'push', join(home, 'hooked'), '--yes')).code).toBe(0);
  const id = idIn(file);
  await cli.json('workflows', 'deploy', id);
  const [made] = await cli.json(
    'hooks',
    'create',
    id,
    '--name',
    'Orders',
    '--mapping',
    '{"order":"{{body.n}}"}',
    '--filter',
    '{"left":"{{body.n}}","op":"eq","right":7}',
    '--deduplicate-by',
    'none',
    '--id-header',
    'X-Event',
  );
  expect(made).toMatchObject({
    verification: 'none',
    response: { mode: 'accepted' },
    filter: { left: '{{body.n}}', op: 'eq', right: 7 },
    deduplicate_by: 'none',
    id_header: 'X-Event',
  });
  expect((await cli.piped('hooks', 'list', id)).out).toContain(made.url);
  const send = (): Promise<Response> =>
    fetch(new URL(new URL(made.url).pathname, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"n": 7}',
    });
  expect((await send()).status).toBe(202);
  const [delivery] = await cli.json('hooks', 'deliveries', id, made.id);
  expect(delivery).toMatchObject({ outcome: 'started', input: { order: 7 } });
  const [again] = await cli.json('hooks', 'redeliver', id, made.id, delivery.id);
  expect(again.run_id).not.toBe(delivery.run_id);
  await cli.json('hooks', 'disable', id, made.id);
  expect((await send()).status).toBe(404);
  const listening = cli.json('hooks', 'listen', id, made.id);
  await expect.poll(async () => (await send()).status).toBe(202);
  expect((await listening)[0]).toMatchObject({ outcome: 'captured', run_id: null, input: { order: 7 } });
  await cli.json('hooks', 'enable', id, made.id);
  const [rotated] = await cli.json('hooks', 'rotate', id, made.id, '--keep', '0');
  expect(rotated.url).not.toBe(made.url);
  expect((await send()).status).toBe(404);
  const [changed] = await cli.json(
    'hooks',
    'update',
    id,
    made.id,
    '--deduplicate-by',
    'sender_id',
    '--id-header',
    'X-Order',
    '--filter',
    '{"left":"{{body.n}}","op":"gt","right":7}',
    '--no-mapping',
  );
  expect(changed).toMatchObject({
    name: 'Orders',
    verification: 'none',
    response: { mode: 'accepted' },
    mapping: null,
    deduplicate_by: 'sender_id',
    id_header: 'X-Order',
    filter: { left: '{{body.n}}', op: 'gt', right: 7 },
  });
  const [cleared] = await cli.json('hooks', 'update', id, made.id, '--no-filter', '--no-id-header');
  expect(cleared).toMatchObject({ filter: null, id_header: null, deduplicate_by: 'sender_id' });
  const proven = await cli.typed(
    ['hooks', 'update', id, made.id, '--verification', 'github'],
    [['Secret', 'a secret that only two know\r']],
  );
  expect(proven.code, proven.seen).toBe(0);
  expect((await cli.json('hooks', 'list', id))[0]).toMatchObject({ verification: 'github' });
  const nothing = await cli.piped('hooks', 'update', id, made.id);
  expect([nothing.code, nothing.err]).toEqual([2, expect.stringContaining('Nothing to change')]);
  const deleted = await cli.typed(['hooks', 'delete', id, made.id], [['Delete webhook', 'y']]);
  expect(deleted.code, deleted.seen).toBe(0);
});

test('the addresses for clients of MCP and OpenAI are shown, with what they find there', async () => {
  const definition = {
    ...named('Greeter', chain(transform('said'))),
    input_parameters: [{ name: 'text', type: 'string' }],
  };
  const metadata = { name: 'Greeter', mcp: { enabled: true } };
  const file = putFile('offered', 'greeter.yaml', { ...definition, metadata });
  expect((await cli.piped('workflows', 'push', join(home, 'offered'), '--yes')).code).toBe(0);
  const id = idIn(file);
  await cli.json('workflows', 'deploy', id);
  const [tools] = await cli.json('mcp');
  expect(tools).toMatchObject({
    url: expect.stringMatching(/\/mcp$/),
    tools: [{ name: 'Greeter', _meta: { workflow_id: id } }],
  });
  const [models] = await cli.json('openai');
  expect(models).toMatchObject({
    base_url: expect.stringMatching(/\/openai$/),
    models: expect.arrayContaining([expect.objectContaining({ workflow_id: id })]),
  });
});

test('an endpoint is made, tested, read and deleted, and an alert beside it', async () => {
  const received = situation.recorder.url('notified');
  const [made] = await cli.json(
    'notifications',
    'create',
    received,
    '--name',
    'On call',
    '--event',
    'run.failed',
  );
  expect(made).toMatchObject({ event_types: ['run.failed'], secret: expect.stringMatching(/^whsec_/) });
  expect((await cli.piped('notifications', 'list')).out).toContain(received);
  expect(JSON.stringify(await cli.json('notifications', 'list'))).not.toContain(made.secret);
  const [tested] = await cli.json('notifications', 'test', made.id);
  await situation.recorder.waitFor('notified', 1);
  const [delivery] = await cli.json('notifications', 'deliveries', made.id);
  expect(delivery).toMatchObject({ id: tested.id, event_type: 'endpoint.test' });
  await cli.json('notifications', 'replay', made.id, delivery.id);
  await situation.recorder.waitFor('notified', 2);
  const [rotated] = await cli.json('notifications', 'rotate', made.id);
  expect(rotated.secret).not.toBe(made.secret);
  expect((await cli.json('notifications', 'disable', made.id))[0]).toMatchObject({ enabled: false });
  const [alert] = await cli.json(
    'alerts',
    'create',
    'failures_in_row',
    '--name',
    'Three',
    '--threshold',
    '3',
  );
  expect((await cli.piped('alerts', 'list')).out).toContain('failures_in_row');
  expect((await cli.piped('alerts', 'delete', alert.id, '--yes')).code).toBe(0);
  expect((await cli.piped('notifications', 'delete', made.id, '--yes')).code).toBe(0);
  expect(await cli.json('notifications', 'list').catch(() => [])).toEqual([]);
});

test('a folder is pushed to another organization: what is missing is made, calls within it are carried along', async () => {
  const folder = join(home, 'carried');
  const sub = putFile(
    'carried',
    'zz-sub.yaml',
    named('Carried sub', chain(transform('t', { said: 'from below' }))),
  );
  expect((await cli.piped('workflows', 'push', folder, '--yes')).code).toBe(0);
  const subId = idIn(sub);
  const caller = putFile('carried', 'caller.yaml', named('Carried caller', calling('zz-sub')));
  expect((await cli.piped('workflows', 'push', folder, '--yes')).code).toBe(0);
  await cli.json('workflows', 'deploy', subId);
  await cli.json('workflows', 'deploy', idIn(caller));
  const before = readFileSync(caller, 'utf8');

  const there = ['--org', await newOrganization('Elsewhere')];
  const pushed = await cli.piped('workflows', 'push', folder, '--yes', ...there);
  expect(pushed.code, pushed.err).toBe(0);
  expect(pushed.out.match(/create +Carried (?:sub|caller)/g)).toHaveLength(2);
  // The files have no ids of an organization.
  expect(readFileSync(caller, 'utf8')).toBe(before);
  const listed = await cli.json('workflows', 'list', ...there);
  const idThere = (name: string): string => listed.find((row) => row.name === name)?.id;
  expect(idThere('Carried sub')).not.toBe(subId);
  await cli.json('workflows', 'deploy', idThere('Carried sub'), ...there);
  await cli.json('workflows', 'deploy', idThere('Carried caller'), ...there);
  const ran = await cli.piped('run', idThere('Carried caller'), '--follow', ...there);
  expect(ran.code, ran.err).toBe(0);
  expect(ran.out).toContain('from below');

  expect((await cli.piped('workflows', 'diff', folder)).code).toBe(0);
  expect(await cli.piped('workflows', 'diff', folder, ...there)).toMatchObject({ code: 0 });
  // A rename makes no second workflow there, and a pull from there writes the same files.
  writeFileSync(caller, before.replaceAll('Carried caller', 'Renamed caller'));
  expect((await cli.piped('workflows', 'push', folder, '--yes', ...there)).code).toBe(0);
  expect((await cli.json('workflows', 'list', ...there)).map((row) => row.name)).toContain('Renamed caller');
  expect(
    (await cli.json('workflows', 'list', ...there)).filter((row) => /caller/.test(row.name)),
  ).toHaveLength(1);
  const pulled = await cli.piped('workflows', 'pull', folder, idThere('Carried caller'), ...there);
  expect(pulled.out).toContain(caller);
  expect(readFileSync(caller, 'utf8')).toContain('workflow_id: zz-sub');
});

test('workflows that call each other, and themselves, are carried along', async () => {
  const folder = join(home, 'circle');
  const ids = [crypto.randomUUID(), crypto.randomUUID()] as const;
  putFile('circle', 'a.json', { id: ids[0], name: 'Circle A', workflow_schema: calling(ids[1]) });
  putFile('circle', 'b.json', {
    id: ids[1],
    name: 'Circle B',
    workflow_schema: chain(
      node('other', 'tool', { kind: 'workflow', workflow_id: ids[0] }),
      node('self', 'tool', { kind: 'workflow', workflow_id: ids[1] }),
    ),
  });
  const there = ['--org', await newOrganization('Circle')];
  const pushed = await cli.piped('workflows', 'push', folder, '--yes', ...there);
  expect(pushed.code, pushed.err).toBe(0);
  expect((await cli.piped('workflows', 'diff', folder, ...there)).code).toBe(0);
  for (const { name, id } of await cli.json('workflows', 'list', ...there))
    if (name.startsWith('Circle'))
      expect(await cli.piped('workflows', 'deploy', id, ...there)).toMatchObject({ code: 0 });
});

test('a file with an error is named with its line, and keeps the others from nothing', async () => {
  const folder = join(home, 'mixed');
  putFile('mixed', 'good.json', named('Mixed good', chain(transform('t'))));
  writeFileSync(inFolder('mixed', 'cut.yaml'), 'nodes:\n  - id: a\n  bad\nedges: []\n');
  writeFileSync(inFolder('mixed', 'cut.json'), '{\n  "nodes": [\n}');
  const kind = 'nodes:\n  - id: a\n    type: nothing\n    config: {}\nedges: []\n';
  writeFileSync(inFolder('mixed', 'kind.yaml'), kind);
  const unmade = crypto.randomUUID();
  putFile('mixed', 'broken.json', {
    id: unmade,
    name: 'Mixed broken',
    workflow_schema: { nodes: [{}], edges: [] },
  });
  putFile('mixed', 'above.json', named('Mixed above', calling(unmade)));
  const missing = crypto.randomUUID();
  putFile('mixed', 'lost.yaml', named('Mixed lost', calling(missing)));
  const credential = node('ask', 'llm', {
    provider: 'openai',
    model: 'm',
    credential_id: crypto.randomUUID(),
    messages: [{ role: 'user', content: 'x' }],
  });
  putFile('mixed', 'account.yaml', named('Mixed account', chain(credential)));
  // More than the service takes of a name: what it refuses is not known before it is asked.
  const long = { id: crypto.randomUUID(), workflow_schema: named('x'.repeat(300), chain(transform('t'))) };
  putFile('mixed', 'long.json', long);
  putFile('mixed', 'before-long.json', named('Mixed before', calling(long.id)));

  const { code, err, out } = await cli.piped('workflows', 'push', folder, '--yes', '--partial');
  expect(code).toBe(1);
  const told = (name: string): string[] =>
    err.split('\n').filter((line) => line.startsWith(inFolder('mixed', name)));
  expect(told('cut.yaml')[0]).toMatch(/cut\.yaml:\d+: /);
  expect(told('cut.json')[0]).toMatch(/cut\.json:\d+: /);
  expect(told('kind.yaml')[0]).toMatch(/kind\.yaml:3: error unknown_node_type at \/nodes\/0\/type/);
  expect(told('broken.json')[0]).toContain(': error ');
  expect(told('above.json')[0]).toContain(
    `it calls ${inFolder('mixed', 'broken.json')}, which is not pushed`,
  );
  const line =
    readFileSync(inFolder('mixed', 'lost.yaml'), 'utf8')
      .split('\n')
      .findIndex((one) => one.includes(missing)) + 1;
  expect(told('lost.yaml')[0]).toContain(
    `lost.yaml:${line}: error workflow_not_found at /nodes/1/config/workflow_id: node "call" calls the workflow ${missing}, which organization ${organization} does not have`,
  );
  expect(told('account.yaml')[0]).toContain(
    ': warning credential_not_found at /nodes/0/config/credential_id',
  );
  expect(told('long.json')[0]).toContain('long.json:1: error string_too_long');
  expect(told('before-long.json')[0]).toContain(`${inFolder('mixed', 'long.json')}, which was not pushed`);
  expect(err).toContain('8 of 10 files were not pushed');
  expect(out).toContain('refused');
  const names = (await cli.json('workflows', 'list')).map((row) => row.name);
  expect(names).toEqual(expect.arrayContaining(['Mixed good', 'Mixed account']));
  expect(names.filter((name: string) => name.startsWith('Mixed'))).toHaveLength(2);
  expect(await cli.piped('workflows', 'diff', folder)).toMatchObject({ code: 1 });
});

test('files that are the same workflow, and names that are not of one, are refused by file', async () => {
  const folder = join(home, 'same');
  const id = crypto.randomUUID();
  for (const name of ['one', 'two'])
    putFile('same', `${name}.json`, { id, name: `Same ${name}`, workflow_schema: chain(transform('t')) });
  putFile('same', 'twice.json', named('Twice', chain(transform('t'))));
  for (const name of ['first', 'second']) {
    putFile(name, 'twice.json', named('Twice', chain(transform('t'))));
    expect((await cli.piped('workflows', 'push', join(home, name), '--yes')).code).toBe(0);
    await situation.db.query(`UPDATE workflows SET name = 'Once' WHERE name = 'Twice'`);
  }
  await situation.db.query(`UPDATE workflows SET name = 'Twice' WHERE name = 'Once'`);
  const { code, err } = await cli.piped('workflows', 'push', folder, '--yes');
  expect(code).toBe(1);
  expect(err).toContain(`two.json:1: error same_workflow: it has the id of ${inFolder('same', 'one.json')}`);
  expect(err).toContain(
    'twice.json:1: error ambiguous_name: 2 workflows of this organization are called "Twice"',
  );
  expect(err).toContain('2 of 3 files are refused. Nothing was pushed');
});

test('an id that stands for another in the file of ids is used for credentials, too', async () => {
  const made = await cli.json(
    'credentials',
    'create',
    'http',
    '--name',
    'Here',
    '--auth-type',
    'bearer',
    '--allowed-host',
    'tool.example',
    '--data',
    '{"access_token":"of-a-test"}',
  );
  const elsewhere = crypto.randomUUID();
  const config = { credential_id: elsewhere };
  putFile(
    'accounts',
    'call.json',
    named('With account', chain(http('call', 'https://tool.example', config))),
  );
  putFile('accounts', '.workflow-ids.json', { [organization]: { [elsewhere]: made[0].credential_id } });
  const pushed = await cli.piped('workflows', 'push', join(home, 'accounts'), '--yes');
  expect(pushed).toMatchObject({ code: 0 });
  expect(pushed.err).not.toContain('warning');
  expect(await cli.piped('workflows', 'deploy', idIn(inFolder('accounts', 'call.json')))).toMatchObject({
    code: 0,
  });
});

test('a deletion first names the workflows that call it', async () => {
  const folder = join(home, 'deleted');
  const sub = putFile('deleted', 'sub.yaml', named('Deleted sub', chain(transform('t'))));
  expect((await cli.piped('workflows', 'push', folder, '--yes')).code).toBe(0);
  const id = idIn(sub);
  const caller = putFile('deleted', 'caller.yaml', named('Left caller', calling(id)));
  expect((await cli.piped('workflows', 'push', folder, '--yes')).code).toBe(0);
  await cli.json('workflows', 'deploy', idIn(caller));
  const unasked = await cli.piped('workflows', 'delete', id);
  expect(unasked.code).toBe(2);
  expect(unasked.err).toContain('Left caller');
  const left = await cli.typed(['workflows', 'delete', id], [['Delete workflow', 'n']]);
  expect(left.seen).toMatch(/Left caller .* deployed/);
  expect(left.code).toBe(130);
  const deleted = await cli.piped('workflows', 'delete', id, '--yes');
  expect(deleted).toMatchObject({ code: 0, out: 'Workflow deleted; it is still called by "Left caller"\n' });
  expect(deleted.err).toContain('Left caller');
  const again = await cli.piped('workflows', 'deploy', idIn(caller));
  expect(again.code).toBe(1);
  expect(again.err).toContain(`this organization has no workflow ${id}`);
  const pulled = await cli.piped('workflows', 'pull', join(home, 'gone'), id, idIn(caller));
  expect(pulled.code).toBe(1);
  expect(pulled.err).toContain(`${id}: Workflow not found (404 workflow_not_found)`);
  expect(pulled.out).toContain('left-caller.yaml');
});

test('a pull that was killed between a file and its lock goes on with that file, of two workflows with one name, too', async () => {
  const folder = join(home, 'twins');
  const ids: string[] = [];
  for (const text of ['first', 'second']) {
    const body = { workflow_schema: named('Twin', chain(transform('t', { text }))) };
    const { body: made } = await situation.service.call(situation.service.apis[0], 'POST', '/workflows', {
      body,
    });
    ids.push(made.id);
  }
  const pull = () => cli.piped('workflows', 'pull', folder, ...ids);
  expect((await pull()).out).toMatch(/^create +\S+twin\.yaml\ncreate +\S+twin-2\.yaml\n$/);
  const locks = join(folder, '.workflow-lock', organization);
  const locked = readdirSync(locks).sort();
  expect(locked).toHaveLength(2);
  // The kill: both files stand, a lock is not written; or neither.
  for (const lost of [['twin-2.json'], ['twin.json', 'twin-2.json']]) {
    for (const name of lost) rmSync(join(locks, name));
    expect((await pull()).out).toMatch(/^unchanged +\S+twin\.yaml\nunchanged +\S+twin-2\.yaml\n$/);
    expect(readdirSync(locks).sort()).toEqual(locked);
    expect(readdirSync(folder).filter((name) => name.startsWith('twin'))).toHaveLength(2);
  }
});

test('runs rerun: the plan first, then what has failed; compare tells what differs', async () => {
  const file = write(
    'again.yaml',
    chain(
      transform('first', { n: 1 }),
      http('call', situation.recorder.url('again', { fail: 1, status: 400 })),
    ),
  );
  const events = (await cli.piped('run', file, '--follow', '--json')).out.trim().split('\n');
  const { run_id: runId } = JSON.parse(events[0] ?? '') as { run_id: string };
  const [plan] = await cli.json('runs', 'rerun', runId, '--dry-run');
  expect(plan.counts).toEqual({ reuse: 1, run: 1, skip: 0 });
  const again = await cli.typed(['runs', 'rerun', runId, '--follow'], [['Rerun with this plan?', 'y']]);
  expect(again.code, again.seen).toBe(0);
  expect(again.seen).toContain('reused');
  const override = `first=@${write('first.json', { n: 2 })}`;
  const from = ['runs', 'rerun', runId, '--from', 'call', '--override', override, '--yes'];
  const told = await cli.json(...from);
  expect(told.map((one) => 'counts' in one)).toEqual([true, false]);
  await cli.piped('runs', 'logs', told[1].run_id, '--follow');
  const [compared] = await cli.json('runs', 'compare', runId, told[1].run_id);
  expect(compared.nodes.map((each: { node_id: string }) => each.node_id)).toEqual(['first', 'call']);
  expect((await cli.piped('runs', 'compare', runId, told[1].run_id)).out).toContain('call');
});

test('credentials, keys, a knowledge base from a folder, the page', async () => {
  const secret = await cli.typed(
    [
      'credentials',
      'create',
      'http',
      '--name',
      'Tool',
      '--auth-type',
      'bearer',
      '--allowed-host',
      'tool.example',
    ],
    [['Secrets (JSON)', '{"access_token":"of-a-test"}\r']],
  );
  expect(secret.code, secret.seen).toBe(0);
  expect(secret.seen).not.toContain('of-a-test');
  const [credential] = await cli.json('credentials', 'list');
  expect(credential).toMatchObject({ name: 'Tool', integration: 'http' });
  expect((await cli.piped('credentials', 'list')).out).toContain(credential.credential_id);
  // An integration of any host has no request that is harmless there: the answer says so, either way.
  const tested = await cli.piped('credentials', 'test', credential.credential_id);
  expect(tested.out, tested.err).toContain('"success"');
  expect(await cli.piped('credentials', 'delete', credential.credential_id, '--yes')).toMatchObject({
    code: 0,
    err: '',
  });

  const [key] = await cli.json('keys', 'create', 'Another');
  expect((await cli.piped('keys', 'list')).out).toContain('Another');
  expect(await cli.piped('keys', 'revoke', key.id, '--yes')).toMatchObject({ code: 0, err: '' });

  const folder = join(home, 'documents', 'below');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'refunds.md'), '# Refunds\n\nThey take a week.\n');
  const [base] = await cli.json('kb', 'create', 'Handbook', '--description', 'How we work');
  const uploaded = await cli.typed(['kb', 'upload', base.id, join(home, 'documents')], []);
  expect(uploaded.code, uploaded.seen).toBe(0);
  expect(uploaded.seen).toContain('█] 1/1 below/refunds.md');
  expect((await cli.piped('kb', 'list')).out).toContain('Handbook');
  await expect
    .poll(async () => (await cli.piped('kb', 'search', base.id, 'refunds')).out, { timeout: 30_000 })
    .toContain('They take a week');

  expect((await cli.piped('open', '--print')).out).toBe(`${url}/app\n`);
  expect((await cli.piped('completion', 'bash')).out).toContain('workflow');
  expect((await cli.piped('complete', '--', 'runs', 're')).out).toContain('rerun');
});

test('dev runs a file at each save and prints its problems', async () => {
  const good = chain(transform('hello', { text: 'One' }));
  const file = write('dev.yaml', good);
  // As an editor saves: the file is empty for a moment.
  const save = (value: object) => () => {
    truncateSync(file);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    write('dev.yaml', value);
  };
  const { code, seen } = await cli.typed(
    ['dev', file],
    [
      ['Waiting for changes', save(chain(node('hello', 'nothing')))],
      ['Waiting for changes', save(chain(transform('hello', { text: 'Two' })))],
      ['Waiting for changes', '\u0003'],
    ],
  );
  expect(seen).toContain('"text": "One"');
  expect(seen).toContain('error');
  expect(seen).toContain('"text": "Two"');
  expect(seen).not.toContain('expected an object');
  expect(code).toBe(0);
});
