/** Two people and three environments that share a folder by git would lose edits, or push the ids of one environment to another. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { startApi, type ApiServer, type Tenant } from '../support/api-server.ts';
import { CommandLine } from '../support/command-line.ts';
import { chain, edge, END, http, node, transform } from '../support/definitions.ts';

const execute = promisify(execFile);
const home = mkdtempSync(join(tmpdir(), 'folder-in-git-'));
const ENVIRONMENTS = ['development', 'staging', 'production'] as const;
type EnvironmentName = (typeof ENVIRONMENTS)[number];

let api: ApiServer;
let organizations: Record<EnvironmentName, string>;
/** One person at one computer: a login of its own, and a clone of the repository. */
interface Person {
  readonly cli: CommandLine;
  readonly clone: string;
  readonly flows: string;
  readonly call: Tenant['call'];
  git(...args: string[]): Promise<string>;
}
let ada: Person;
let ben: Person;

async function newPerson(name: string, owner: Tenant | null): Promise<Person & { readonly tenant: Tenant }> {
  const tenant = await api.tenant({ email: `${name}@example.test` });
  for (const organization of owner === null ? [] : Object.values(organizations))
    await api.deps.db.query(
      `INSERT INTO memberships (user_id, organization_id, role)
       SELECT id, $2, 'admin' FROM users WHERE email = $1`,
      [`${name}@example.test`, organization],
    );
  const config = join(home, name);
  mkdirSync(config);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: config,
    XDG_CONFIG_HOME: config,
    TERM: 'xterm-256color',
  };
  const cli = new CommandLine(join(inject('builtService'), 'src', 'surfaces', 'cli', 'main.js'), env);
  const key = await tenant.call('POST', '/api-keys', { body: { name, rate_limit_per_minute: 1_000 } });
  const login = await cli.piped('login', '--url', api.url, '--key', key.body.key);
  expect(login.code, login.err).toBe(0);
  const clone = join(config, 'repository');
  const git = async (...args: string[]): Promise<string> => {
    const who = ['-c', `user.name=${name}`, '-c', `user.email=${name}@example.test`];
    const { stdout } = await execute('git', [...who, ...args], { cwd: clone, env });
    return stdout;
  };
  return { cli, clone, flows: join(clone, 'flows'), call: (...args) => tenant.call(...args), git, tenant };
}

beforeAll(async () => {
  api = await startApi();
  const owner = await newPerson('ada', null);
  organizations = {} as typeof organizations;
  for (const name of ENVIRONMENTS) {
    const made = await owner.call('POST', '/organizations', { body: { name } });
    organizations[name] = made.body.id;
  }
  // The limit of a person is the subject of tests of its own.
  await api.deps.db.query(`UPDATE organizations SET plan = 'enterprise'`);
  ada = owner;
  ben = await newPerson('ben', owner.tenant);
  const origin = join(home, 'origin.git');
  await execute('git', ['init', '--quiet', '--bare', '--initial-branch=main', origin]);
  await execute('git', ['clone', '--quiet', origin, ada.clone]);
  mkdirSync(ada.flows);
  const environments = Object.fromEntries(
    ENVIRONMENTS.map((name) => [name, { organization_id: organizations[name] }]),
  );
  writeFileSync(join(ada.flows, 'environments.yaml'), stringify(environments));
});
afterAll(async () => {
  await api.close();
  rmSync(home, { recursive: true, force: true });
});

const at = (person: Person, name: string): string => join(person.flows, `${name}.yaml`);
const read = (person: Person, name: string): string => readFileSync(at(person, name), 'utf8');
const change = (person: Person, name: string, from: string, to: string): void => {
  const text = read(person, name);
  expect(text).toContain(from);
  writeFileSync(at(person, name), text.replace(from, to));
};
const put = (person: Person, name: string, definition: object, title = name): void => {
  const schema = { ...definition, metadata: { name: title } };
  writeFileSync(at(person, name), stringify({ slug: name, workflow_schema: schema }));
};

async function commit(person: Person, message: string): Promise<void> {
  await person.git('add', '--all');
  await person.git('commit', '--quiet', '--message', message);
  await person.git('push', '--quiet', 'origin', 'HEAD:main');
}

async function findWorkflow(environment: EnvironmentName, name: string) {
  const org = organizations[environment];
  const { body } = await ada.call('GET', '/workflows', { org });
  const found = body.workflows.filter((row: { name: string }) => row.name === name);
  expect(found, name).toHaveLength(1);
  return (await ada.call('GET', `/workflows/${found[0].id}`, { org })).body;
}

/** Edits a workflow on the service, as a person at the canvas does. */
async function editThere(
  environment: EnvironmentName,
  name: string,
  change: (definition: Record<string, any>) => void, // oxlint-disable-line typescript/no-explicit-any -- any definition
): Promise<void> {
  const workflow = await findWorkflow(environment, name);
  change(workflow.workflow_schema);
  const saved = await ada.call('PATCH', `/workflows/${workflow.id}`, {
    org: organizations[environment],
    body: { workflow_schema: workflow.workflow_schema },
  });
  expect(saved.status).toBe(200);
}

const greeting = (): object =>
  chain(transform('hello', { text: 'Hello {{input.name}}' }), transform('bye', { text: 'Bye' }));
const push = (person: Person, environment: EnvironmentName, ...more: string[]) =>
  person.cli.piped('push', person.flows, '--env', environment, '--yes', ...more);

/** Sets the text of the first node on the service: by hand, or as a job does that pushes. */
const putThere = (environment: EnvironmentName, text: string): Promise<void> =>
  editThere(environment, 'Notice', (definition) => {
    definition['nodes'][0].config.fields.text = text;
  });

test("a second person's first push: a clone, an edit, a push; files carry slugs and no ids", async () => {
  put(ada, 'greeting', greeting(), 'Greeting');
  put(ada, 'welcome', chain(node('greet', 'tool', { kind: 'workflow', workflow_id: 'greeting' })), 'Welcome');
  const first = await push(ada, 'development');
  expect(first.code, first.err).toBe(0);
  expect(first.out.match(/create/g)).toHaveLength(2);
  await commit(ada, 'The first two workflows');

  await execute('git', ['clone', '--quiet', join(home, 'origin.git'), ben.clone]);
  expect((await ben.cli.piped('diff', ben.flows, '--env', 'development')).code).toBe(0);
  change(ben, 'greeting', 'Hello {{', 'Good day {{');
  const second = await push(ben, 'development');
  expect(second.code, second.err).toBe(0);
  expect(second.out).toMatch(/update +Greeting/);
  expect(second.out).toContain('/workflow_schema/nodes/hello/config/fields/text');
  const workflow = await findWorkflow('development', 'Greeting');
  expect(JSON.stringify(workflow.workflow_schema)).toContain('Good day {{');
  const welcome = await findWorkflow('development', 'Welcome');
  expect(welcome.workflow_schema.nodes[0].config.workflow_id).toBe(workflow.id);
  for (const name of ['greeting', 'welcome']) expect(read(ben, name)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
  expect(read(ben, 'welcome')).toContain('workflow_id: greeting');
  await commit(ben, 'A better greeting');
  await ada.git('pull', '--quiet', '--rebase', 'origin', 'main');
});

/** Sets the text of a node of the greeting on the service, as a person at the canvas does. */
const sayThere = (id: string, text: string): Promise<void> =>
  editThere('development', 'Greeting', (definition) => {
    definition['nodes'].find((one: { id: string }) => one.id === id).config.fields.text = text;
  });
const pullGreeting = (...more: string[]) =>
  ada.cli.piped('pull', ada.flows, 'greeting', '--env', 'development', ...more);

test('a push is refused with what changed meanwhile and the way out; a pull merges by node, and the comments stay', async () => {
  change(ada, 'greeting', 'nodes:\n', 'nodes:\n    # The first word that a customer reads.\n');
  change(ada, 'greeting', 'Good day {{', 'Dear {{');
  await editThere('development', 'Greeting', (definition) => {
    definition['nodes'][1].config.fields.text = 'See you';
    definition['nodes'].push(transform('extra', { n: 1 }));
    definition['edges'].pop();
    definition['edges'].push(edge('bye', 'extra'), edge('extra', END));
  });
  const { edit_version: version } = await findWorkflow('development', 'Greeting');
  const text = read(ada, 'greeting');
  const refused = await push(ada, 'development');
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(
    /greeting\.yaml:\d+: error conflict: it was changed in development since edit \d/,
  );
  expect(refused.err).toContain('/workflow_schema/nodes/bye/config/fields/text "Bye" → "See you"');
  const wayOut = `workflow pull ${ada.flows} greeting --env development`;
  expect(refused.err).toContain(`Merge with: ${wayOut}\n`);
  expect([read(ada, 'greeting'), (await findWorkflow('development', 'Greeting')).edit_version]).toEqual([
    text,
    version,
  ]);

  const pulled = await ada.cli.shell(wayOut);
  expect(pulled.code, pulled.err).toBe(0);
  expect(pulled.out).toMatch(/^merge +\S+greeting\.yaml/m);
  for (const part of ['# The first word that a customer reads.', 'Dear {{', 'See you', 'id: extra'])
    expect(read(ada, 'greeting')).toContain(part);
  const pushed = await push(ada, 'development');
  expect(pushed.code, pushed.err).toBe(0);
  expect(pushed.out).toMatch(/update +Greeting/);
  const { workflow_schema: there } = await findWorkflow('development', 'Greeting');
  for (const part of ['Dear {{', 'See you']) expect(JSON.stringify(there)).toContain(part);
  expect((await ada.cli.piped('diff', ada.flows, '--env', 'development')).code).toBe(0);
});

test('a place that both sides changed is a conflict with file, line and both values; only --force overwrites it', async () => {
  change(ada, 'greeting', 'Dear {{', 'Hi {{');
  await sayThere('hello', 'Salut {{input.name}}');
  const before = await findWorkflow('development', 'Greeting');
  const refused = await push(ada, 'development');
  expect(refused.code).toBe(1);
  const line =
    read(ada, 'greeting')
      .split('\n')
      .findIndex((one) => one.includes('Hi {{')) + 1;
  const place = `greeting.yaml:${line}: error conflict at /nodes/0/config/fields/text: nodes/hello/config/fields/text`;
  const values = 'is "Hi {{input.name}}" here and "Salut {{input.name}}" in development';
  expect(refused.err).toContain(`${place} ${values}, both changed since edit`);
  expect((await findWorkflow('development', 'Greeting')).edit_version).toBe(before.edit_version);

  const text = read(ada, 'greeting');
  const pulled = await pullGreeting();
  expect(pulled.code).toBe(1);
  expect(pulled.err).toContain(`${place} ${values}. Settle it at a terminal, or with --ours or --theirs`);
  expect(read(ada, 'greeting')).toBe(text);
  const [told] = JSON.parse((await pullGreeting('--json')).out).findings;
  expect(told.values).toEqual({ ours: 'Hi {{input.name}}', theirs: 'Salut {{input.name}}' });

  const forced = await push(ada, 'development', '--force');
  expect(forced.code, forced.err).toBe(0);
  expect(forced.out).toContain('overwrites the changes made there');
  expect(JSON.stringify(await findWorkflow('development', 'Greeting'))).toContain('Hi {{');
});

const DOWN = '\u001b[B';
const ENTER = '\r';

test('conflicts are settled one by one at a terminal, and what is not decided stays', async () => {
  change(ada, 'greeting', 'Hi {{', 'Hello {{');
  change(ada, 'greeting', 'See you', 'Bye bye');
  await sayThere('hello', 'Bonjour {{input.name}}');
  await sayThere('bye', 'Au revoir');
  const text = read(ada, 'greeting');
  const pull = ['pull', ada.flows, 'greeting', '--env', 'development'];
  // The last of the choices leaves the file; Ctrl-C leaves it, too.
  const later = await ada.cli.typed(pull, [
    ['1 of 2', ''],
    ['Decide later', DOWN.repeat(4) + ENTER],
  ]);
  expect(later.code, later.seen).toBe(1);
  expect(later.seen).toContain('nodes/hello/config/fields/text was changed here and in development');
  expect(later.seen).toContain('development: "Bonjour {{input.name}}"');
  const left = await ada.cli.typed(pull, [['Decide later', '\u0003']]);
  expect(left.code, left.seen).toBe(130);
  expect(read(ada, 'greeting')).toBe(text);

  const settled = await ada.cli.typed(pull, [
    ['1 of 2', ''],
    ['Decide later', DOWN + ENTER],
    ['2 of 2', ''],
    ['Decide later', ENTER],
  ]);
  expect(settled.code, settled.seen).toBe(0);
  for (const part of ['Bonjour {{', 'Bye bye', '# The first word'])
    expect(read(ada, 'greeting')).toContain(part);
  const pushed = await push(ada, 'development');
  expect(pushed.out).toContain('/workflow_schema/nodes/bye/config/fields/text "Au revoir" → "Bye bye"');
  expect(pushed.code, pushed.err).toBe(0);
  expect((await ada.cli.piped('diff', ada.flows, '--env', 'development')).code).toBe(0);
});

test('--ours and --theirs settle conflicts, and take what only one side changed from both', async () => {
  for (const [option, expected] of [
    ['--ours', ['Hello {{', 'Tschau']],
    ['--theirs', ['Guten Tag {{', 'Auf bald']],
  ] as const) {
    change(ada, 'greeting', 'Bonjour {{', 'Hello {{');
    await sayThere('hello', 'Guten Tag {{input.name}}');
    await sayThere('bye', expected[1]);
    expect((await pullGreeting(option)).code).toBe(0);
    for (const part of expected) expect(read(ada, 'greeting')).toContain(part);
    await sayThere('hello', 'Bonjour {{input.name}}');
    expect((await pullGreeting('--theirs')).code).toBe(0);
    expect(read(ada, 'greeting')).toContain('Bonjour {{');
  }
  expect((await pullGreeting('--ours', '--theirs')).code).toBe(2);
  change(ada, 'greeting', 'Bonjour {{', 'Hi {{');
  expect((await push(ada, 'development')).code).toBe(0);
});

test('a folder that was never pulled chooses a side of a workflow with its name', async () => {
  const folder = join(ada.clone, 'other');
  mkdirSync(folder);
  writeFileSync(join(folder, 'environments.yaml'), read(ada, 'environments'));
  const path = join(folder, 'greeting.yaml');
  const schema = { ...chain(transform('own')), metadata: { name: 'Greeting' } };
  const text = stringify({ slug: 'greeting', workflow_schema: schema });
  writeFileSync(path, text);
  const run = (command: string, ...more: string[]) =>
    ada.cli.piped(
      command,
      folder,
      ...(command === 'pull' ? ['greeting'] : []),
      '--env',
      'development',
      ...more,
    );
  const refused = await run('push', '--yes');
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('has never been pulled from there: /workflow_schema/');
  expect((await run('pull')).code).toBe(1);
  expect(readFileSync(path, 'utf8')).toBe(text);
  expect((await run('pull', '--ours')).code).toBe(0);
  expect(readFileSync(path, 'utf8')).toBe(text);
  expect((await run('push', '--check')).out).toMatch(/update +Greeting/);
  rmSync(join(folder, '.workflow-lock'), { recursive: true });
  expect((await run('pull', '--theirs')).code).toBe(0);
  expect(readFileSync(path, 'utf8')).toContain('Hi {{');
  rmSync(folder, { recursive: true });
});

test('a command that is killed anywhere leaves what the next one goes on from', async () => {
  const lock = join(ada.flows, '.workflow-lock', organizations.development, 'greeting.json');
  const before = readFileSync(lock, 'utf8');
  // Of a push: the service has the change, and the lock does not.
  change(ada, 'greeting', 'Hi {{', 'Salve {{');
  expect((await push(ada, 'development')).code).toBe(0);
  writeFileSync(lock, before);
  expect((await push(ada, 'development')).out).toMatch(/unchanged +Greeting/);
  expect(JSON.parse(readFileSync(lock, 'utf8')).edit_version).toBeGreaterThan(
    JSON.parse(before).edit_version,
  );
  // Of a pull: the file has the merge, and the lock does not.
  const merged = readFileSync(lock, 'utf8');
  change(ada, 'greeting', 'Salve {{', 'Ave {{');
  await sayThere('bye', 'Vale');
  expect((await pullGreeting()).out).toMatch(/^merge /m);
  writeFileSync(lock, merged);
  const text = read(ada, 'greeting');
  expect((await pullGreeting()).out).toMatch(/^edited /m);
  expect(read(ada, 'greeting')).toBe(text);
  // Of either, while the lock was written: only whole files have its name.
  writeFileSync(join(ada.flows, '.workflow-lock', organizations.development, '.greeting.json.1'), '{"id');
  change(ada, 'greeting', 'Ave {{', 'Hi {{');
  expect((await push(ada, 'development')).code).toBe(0);
  rmSync(join(ada.flows, '.workflow-lock', organizations.development, '.greeting.json.1'));
});

test('a pull takes the changes of the service, keeps comments and local edits, and --force takes theirs', async () => {
  await editThere('development', 'Greeting', (definition) => {
    definition['nodes'][1].config.fields.text = 'So long';
  });
  const behind = await ada.cli.piped('push', ada.flows, '--env', 'development', '--yes');
  expect(behind.code, behind.err).toBe(0);
  expect(behind.out).toMatch(/behind +Greeting/);
  change(ada, 'greeting', 'Hi {{', 'Hey {{');
  const pulled = await ada.cli.piped('pull', ada.flows, 'greeting', '--env', 'development');
  expect(pulled.code, pulled.err).toBe(0);
  expect(pulled.out).toMatch(/^merge +\S+greeting\.yaml/m);
  for (const part of ['# The first word that a customer reads.', 'Hey {{', 'So long'])
    expect(read(ada, 'greeting')).toContain(part);
  // The edit of the file stays an edit: it is pushed later.
  expect((await ada.cli.piped('diff', ada.flows, '--env', 'development')).out).toMatch(/update +Greeting/);
  const theirs = await ada.cli.piped('pull', ada.flows, 'greeting', '--env', 'development', '--force');
  expect(theirs.code, theirs.err).toBe(0);
  expect(read(ada, 'greeting')).toContain('Hi {{');
  expect(read(ada, 'greeting')).toContain('# The first word');
  rmSync(at(ada, 'welcome'));
  expect((await ada.cli.piped('pull', ada.flows, '--env', 'development')).out).toMatch(
    /^deleted +\S+welcome/m,
  );
  expect(existsSync(at(ada, 'welcome'))).toBe(false);
  expect((await ada.cli.piped('pull', ada.flows, 'welcome', '--env', 'development')).code).toBe(0);
  expect(read(ada, 'welcome')).toContain('workflow_id: greeting');
  await commit(ada, 'What development has');
});

test('two saves between plan and push: the service refuses the second', async () => {
  const workflow = await findWorkflow('development', 'Greeting');
  const stale = await ada.call('PATCH', `/workflows/${workflow.id}`, {
    org: organizations.development,
    body: { description: 'late', expected_edit_version: workflow.edit_version - 1 },
  });
  expect(stale.status).toBe(409);
  expect(stale.headers.get('x-error-code')).toBe('edit_version_conflict');
  const fresh = await ada.call('PATCH', `/workflows/${workflow.id}`, {
    org: organizations.development,
    body: { description: null, expected_edit_version: workflow.edit_version },
  });
  expect(fresh.status).toBe(200);
  expect((await ada.cli.piped('pull', ada.flows, '--env', 'development')).code).toBe(0);
});

/** A credential of each environment; production has one by another name. */
async function addCredential(environment: EnvironmentName, name: string): Promise<string> {
  const made = await ada.call('POST', '/credentials', {
    org: organizations[environment],
    body: {
      integration: 'http',
      name,
      auth_type: 'bearer',
      allowed_hosts: ['crm.example'],
      data: { access_token: `of-${environment}` },
    },
  });
  expect(made.status, made.text).toBe(201);
  return made.body.credential_id as string;
}

test('credentials and knowledge bases are names that each environment resolves; a promotion names what is missing', async () => {
  const [development, staging] = [
    await addCredential('development', 'crm'),
    await addCredential('staging', 'crm'),
  ];
  const call = http('call', 'https://crm.example', { credential_id: 'crm' });
  put(ada, 'lookup', chain(call), 'Lookup');
  expect((await push(ada, 'development')).code).toBe(0);
  const pushed = await push(ada, 'staging', '--deploy', '--note', 'for the tests');
  expect(pushed.code, pushed.err).toBe(0);
  const idIn = async (environment: EnvironmentName): Promise<string> =>
    (await findWorkflow(environment, 'Lookup')).workflow_schema.nodes[0].config.credential_id;
  expect([await idIn('development'), await idIn('staging')]).toEqual([development, staging]);
  await commit(ada, 'Lookup');

  const promote = (...more: string[]) =>
    ada.cli.piped('promote', 'staging', 'production', ada.flows, ...more);
  const missing = await promote('--yes');
  expect(missing.code).toBe(1);
  expect(missing.err).toMatch(
    /lookup\.yaml:\d+: error credential_not_found at .*node "call" uses the credential "crm", which production does not have/,
  );
  expect(missing.err).toContain('Nothing was pushed');
  const production = await addCredential('production', 'CRM (live)');
  const environments = parse(read(ada, 'environments'));
  environments.production.credentials = { crm: 'CRM (live)' };
  writeFileSync(at(ada, 'environments'), stringify(environments));

  const unasked = await promote();
  expect(unasked.code).toBe(2);
  expect(unasked.out.match(/create +.*and deploy/g)).toHaveLength(3);
  const asked = await ada.cli.typed(
    ['promote', 'staging', 'production', ada.flows],
    [
      ['Promote to production: 3 of 3?', 'y'],
      ['Deploy with the new effects?', 'y'],
      // Of Lookup, and of Welcome: the call of another workflow is an effect, too.
      ['Deploy with the new effects?', 'y'],
    ],
  );
  expect(asked.code, asked.seen).toBe(0);
  expect(asked.seen).toContain(`new: http POST crm.example with credential ${production} (call)`);
  expect(await idIn('production')).toBe(production);
  const live = await findWorkflow('production', 'Welcome');
  expect(live.live_deployment_id).not.toBeNull();
  const greetingThere = await findWorkflow('production', 'Greeting');
  expect(live.workflow_schema.nodes[0].config.workflow_id).toBe(greetingThere.id);
  const again = await promote('--yes');
  expect(again.out.match(/unchanged/g)).toHaveLength(3);
  expect(again.code, again.err).toBe(0);
  await commit(ada, 'In production');
});

test('a promotion refuses what somebody changed in the target, and carries only what is deployed in the source', async () => {
  await editThere('production', 'Greeting', (definition) => {
    definition['nodes'][0].config.fields.text = 'A fix by night';
  });
  change(ada, 'greeting', 'Hi {{', 'Howdy {{');
  expect((await push(ada, 'staging')).code).toBe(0);
  // Saved in staging, and not deployed: nothing to promote.
  const before = await ada.cli.piped('promote', 'staging', 'production', ada.flows, '--check');
  expect(before.err).toMatch(/greeting\.yaml:\d+: error conflict: it was changed in production since/);
  expect((await push(ada, 'staging', '--deploy')).code).toBe(0);
  const refused = await ada.cli.piped('promote', 'staging', 'production', ada.flows, '--yes', '--partial');
  expect(refused.code).toBe(1);
  expect(JSON.stringify(await findWorkflow('production', 'Greeting'))).toContain('A fix by night');
  const forced = await ada.cli.piped('promote', 'staging', 'production', ada.flows, '--yes', '--force');
  expect(forced.code, forced.err).toBe(0);
  const live = await findWorkflow('production', 'Greeting');
  expect(JSON.stringify(live.workflow_schema)).toContain('Howdy {{');
  await commit(ada, 'Howdy');
});

test('one file with an error does not keep the others back with --partial, and a draft with errors can be saved', async () => {
  change(ada, 'greeting', 'Howdy {{', 'Ahoy {{');
  writeFileSync(
    at(ada, 'broken'),
    'slug: broken\nworkflow_schema:\n  nodes:\n    - id: a\n      type: nothing\n  edges: []\n',
  );
  writeFileSync(at(ada, 'cut'), 'slug: cut\nworkflow_schema:\n  nodes:\n  - id: a\n  bad\n');
  const all = await push(ada, 'development');
  expect(all.code).toBe(1);
  expect(all.err).toMatch(/broken\.yaml:5: error unknown_node_type at /);
  expect(all.err).toMatch(/cut\.yaml:\d+: /);
  expect(all.err).toContain('2 of 5 files are refused. Nothing was pushed. Use --partial to push the others');
  expect(JSON.stringify(await findWorkflow('development', 'Greeting'))).not.toContain('Ahoy');
  const partial = await push(ada, 'development', '--partial');
  expect(partial.code).toBe(1);
  expect(JSON.stringify(await findWorkflow('development', 'Greeting'))).toContain('Ahoy');
  rmSync(at(ada, 'cut'));
  const draft = await push(ada, 'development', '--draft');
  expect(draft.code, draft.err).toBe(0);
  const saved = await findWorkflow('development', 'broken');
  expect(saved.live_deployment_id).toBeNull();
  expect(saved.problems).not.toEqual([]);
  rmSync(at(ada, 'broken'));
  await commit(ada, 'Ahoy');
});

test('a job in CI checks a branch and pushes what was merged, without committing the lock', async () => {
  const folder = join(home, 'job', 'checkout');
  mkdirSync(join(home, 'job'));
  const made = await ada.call('POST', '/api-keys', {
    body: { name: 'job', organization_id: organizations.staging, rate_limit_per_minute: 1_000 },
  });
  const job = new CommandLine(join(inject('builtService'), 'src', 'surfaces', 'cli', 'main.js'), {
    PATH: process.env['PATH'] ?? '',
    HOME: join(home, 'job'),
    XDG_CONFIG_HOME: join(home, 'job'),
    WORKFLOW_API_URL: api.url,
    WORKFLOW_API_KEY_STAGING: made.body.key,
  });
  for (const [from, to] of [
    ['Ahoy {{', 'Servus {{'],
    ['Servus {{', 'Moin {{'],
  ] as const) {
    change(ada, 'greeting', from, to);
    await commit(ada, to);
    // Each run of a job has a fresh clone, with the lock of the last commit.
    rmSync(folder, { recursive: true, force: true });
    await execute('git', ['clone', '--quiet', join(home, 'origin.git'), folder]);
    const flows = join(folder, 'flows');
    const checked = await job.piped('push', flows, '--env', 'staging', '--check', '--json');
    expect(checked.code, checked.err).toBe(0);
    const { plan, findings } = JSON.parse(checked.out);
    expect(findings).toEqual([]);
    expect(plan.find((row: { slug: string }) => row.slug === 'greeting')).toMatchObject({ action: 'update' });
    const pushed = await job.piped('push', flows, '--env', 'staging', '--deploy', '--yes', '--json');
    expect(pushed.code, pushed.err).toBe(0);
    const lines = pushed.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({ slug: 'greeting', deployed_version: expect.any(String) });
    expect(JSON.stringify(await findWorkflow('staging', 'Greeting'))).toContain(to);
  }
  await editThere('staging', 'Greeting', (definition) => {
    definition['nodes'][0].config.fields.text = 'By hand';
  });
  writeFileSync(join(folder, 'flows', 'greeting.yaml'), read(ada, 'greeting').replace('Moin', 'Tach'));
  const refused = await job.piped('push', join(folder, 'flows'), '--env', 'staging', '--check', '--json');
  expect(refused.code).toBe(1);
  const [finding] = JSON.parse(refused.out).findings;
  expect(finding).toMatchObject({ code: 'conflict', severity: 'error', line: expect.any(Number) });
  expect(readdirSync(join(folder, 'flows', '.workflow-lock'))).toHaveLength(3);
});

test('a version that was put back on the service is a change of the service: a push keeps it, a pull brings it', async () => {
  put(ada, 'notice', chain(transform('note', { text: 'First' })), 'Notice');
  for (const [was, is] of [
    ['First', 'First'],
    ['First', 'Second'],
    ['Second', 'Third'],
  ] as const) {
    change(ada, 'notice', was, is);
    const pushed = await push(ada, 'development');
    expect(pushed.code, pushed.err).toBe(0);
    await commit(ada, is);
  }
  await ben.git('fetch', '--quiet');
  await ben.git('reset', '--quiet', '--hard', 'origin/main');
  await putThere('development', 'Second');
  expect((await push(ben, 'development')).out).toMatch(/behind +Notice/);
  change(ben, 'notice', 'Third', 'Fourth');
  const refused = await push(ben, 'development');
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/notice\.yaml:\d+: error conflict at \/nodes\/0\/config\/fields\/text/);
  const pull = () => ben.cli.piped('pull', ben.flows, 'notice', '--env', 'development');
  expect((await pull()).code).toBe(1);
  change(ben, 'notice', 'Fourth', 'Third');
  expect((await pull()).out).toMatch(/^update +\S+notice\.yaml/m);
  expect(read(ben, 'notice')).toContain('Second');
});

test('with a lock that is not committed, versions since the one that it has are of this folder, earlier ones are not', async () => {
  await putThere('development', 'First');
  change(ben, 'notice', 'Second', 'Fourth');
  expect((await push(ben, 'development')).err).toContain('error conflict at /nodes/0/config/fields/text');
  await ben.git('add', 'flows/notice.yaml');
  await ben.git('commit', '--quiet', '--message', 'Fourth');
  await putThere('development', 'Fourth');
  change(ben, 'notice', 'Fourth', 'Fifth');
  const pushed = await push(ben, 'development');
  expect(pushed.code, pushed.err).toBe(0);
  expect(pushed.out).toMatch(/update +Notice/);
  await commit(ben, 'Fifth');
});

test('with a lock that is committed, versions since its commit are of this folder, also one that a pull has merged', async () => {
  await editThere('development', 'Notice', (definition) => {
    definition['nodes'].push(transform('more', { n: 1 }));
    definition['edges'].at(-1).target = 'more';
    definition['edges'].push(edge('more', END));
  });
  change(ben, 'notice', 'Fifth', 'Sixth');
  const merged = await ben.cli.piped('pull', ben.flows, 'notice', '--env', 'development');
  expect(merged.out).toMatch(/^merge +\S+notice\.yaml/m);
  // The lock has a version that no commit has, so an earlier one that is put back is not of this folder.
  const { id, workflow_schema: withMore } = await findWorkflow('development', 'Notice');
  await editThere('development', 'Notice', (definition) => {
    definition['nodes'].pop();
    definition['edges'].pop();
    definition['edges'].at(-1).target = END;
  });
  expect((await push(ben, 'development', '--check')).err).toContain(
    'error conflict: it was changed in development since edit',
  );
  await ada.call('PATCH', `/workflows/${id}`, {
    org: organizations.development,
    body: { workflow_schema: withMore },
  });
  await commit(ben, 'Sixth');
  await putThere('development', 'Sixth');
  change(ben, 'notice', 'Sixth', 'Seventh');
  const pushed = await push(ben, 'development', '--deploy');
  expect(pushed.code, pushed.err).toBe(0);
  expect(pushed.out).toMatch(/update +Notice/);
  await commit(ben, 'Seventh');
});

test('a promotion refuses a target where an earlier version was put back', async () => {
  const promote = (...more: string[]) =>
    ben.cli.piped('promote', 'development', 'production', ben.flows, '--yes', '--partial', ...more);
  const promoted = await promote();
  expect(promoted.out, promoted.err).toMatch(/create +Notice/);
  await commit(ben, 'Notice in production');
  await putThere('production', 'Sixth');
  await ben.git('commit', '--quiet', '--allow-empty', '--message', 'Nothing');
  change(ben, 'notice', 'Seventh', 'Eighth');
  expect((await push(ben, 'development', '--deploy')).code).toBe(0);
  expect((await promote('--check')).err).toMatch(
    /notice\.yaml:\d+: error conflict: it was changed in production/,
  );
});

/** All files of a folder, the hidden ones too, by their paths in it. */
const readTree = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );

test('a pull that is killed leaves whole files, and none that the next pull takes for edited or deleted', async () => {
  const { body: made } = await ada.call('POST', '/organizations', { body: { name: 'killed' } });
  await api.deps.db.query(`UPDATE organizations SET plan = 'enterprise' WHERE id = $1`, [made.id]);
  for (let count = 0; count < 20; count += 1)
    await ada.call('POST', '/workflows', {
      org: made.id,
      body: { workflow_schema: { ...greeting(), metadata: { name: `Killed ${count}` } } },
    });
  const open = (name: string): string => {
    const folder = join(home, name);
    mkdirSync(folder);
    const environments = { development: { organization_id: made.id } };
    writeFileSync(join(folder, 'environments.yaml'), stringify(environments));
    return folder;
  };
  const pullInto = (folder: string) => ada.cli.piped('workflows', 'pull', folder, '--env', 'development');
  const whole = open('whole');
  expect(await pullInto(whole)).toMatchObject({ code: 0, err: '' });
  const expected = readTree(whole);
  expect(Object.keys(expected)).toHaveLength(41);
  for (let round = 0; round < 4; round += 1) {
    const folder = open(`killed-${round}`);
    const seen = 1 + Math.floor(Math.random() * 40);
    const pulling = ada.cli.start('workflows', 'pull', folder, '--env', 'development');
    const ended = once(pulling, 'exit');
    // The names alone are read: reading the files would slow the moment down.
    while (pulling.exitCode === null && readdirSync(folder, { recursive: true }).length < seen + 1)
      await setImmediate();
    pulling.kill('SIGKILL');
    await ended;
    const left = readTree(folder);
    const isUnfinished = (path: string): boolean => /(?:^|\/)\.[^/]+\.\d+$/.test(path);
    for (const [path, text] of Object.entries(left))
      if (!isUnfinished(path)) expect([path, text]).toEqual([path, expected[path]]);
    const again = await pullInto(folder);
    expect([again.code, again.err]).toEqual([0, '']);
    expect(again.out).not.toMatch(/edited|deleted|refused/);
    expect(readTree(folder)).toEqual(expected);
  }
});
