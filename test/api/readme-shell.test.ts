/** A command of a README would fail for whoever types it. */
import { spawn } from '@lydell/node-pty';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { StripeTopups } from '../../src/platform/billing/stripe-topups.ts';
import { createProgram } from '../../src/surfaces/cli/program.ts';
import { Sessions } from '../../src/surfaces/cli/session.ts';
import { readBlocks, ROOT } from '../docs/readmes.ts';
import { deployWorkflow, startApi, type ApiServer, type Tenant } from '../support/api-server.ts';
import { uploadFile } from '../support/files.ts';
import { CommandLine, type Step } from '../support/command-line.ts';
import { setTerms } from '../support/money.ts';
import { startStripeServer, type StripeServer } from '../support/stripe-server.ts';
import { configVariables } from '../support/variables.ts';

const execute = promisify(execFile);

const BLOCKS = readBlocks();
const SHELL = BLOCKS.filter(({ language }) => language === 'sh');
const CLI = 'src/surfaces/cli/README.md';

const home = mkdtempSync(join(tmpdir(), 'readme-shell-'));
let api: ApiServer;
let stripe: StripeServer;
beforeAll(async () => {
  stripe = await startStripeServer();
  const topups = new StripeTopups(
    {
      secretKey: 'sk_test_of_the_tests',
      webhookSecret: 'whsec_of_the_tests',
      currency: 'usd',
      returnUrl: 'https://app.example/billing',
      apiBase: stripe.apiBase,
    },
    createLog('silent', 'test'),
  );
  api = await startApi({}, undefined, { topups });
});
afterAll(async () => {
  await api.close();
  await stripe.close();
  rmSync(home, { recursive: true, force: true });
});

const build = (path: string): string => join(inject('builtService'), path);

/** A tenant with a key, as `npm run demo` prints one. */
async function newTenant(name: string): Promise<Tenant & { readonly key: string }> {
  const tenant = await api.tenant({ email: `${name}@example.test`, email_verified: true });
  const { body } = await tenant.call('POST', '/api-keys', { body: { name, rate_limit_per_minute: 1_000 } });
  return { ...tenant, key: body.key as string };
}

const PAGES = [...new Set(SHELL.filter(({ reason }) => reason === null).map(({ page }) => page))].filter(
  (page) => page !== CLI,
);
/** The variables of all pages. */
const PRELUDE = SHELL.find(({ text }) => text.startsWith('API='))?.text ?? '';
/** Writes each answer down, and fails only without one: a page may show a refusal. */
const FUNCTIONS = String.raw`set -euo pipefail
curl() { command curl --output "$ANSWERS/$(ls "$ANSWERS" | wc -l)" --write-out '%{http_code}\n' "$@" >> "$STATUSES"; }
npm() { [ "$1 $2 $3" = 'run admin --' ] && shift 3 && node "$ADMIN" "$@"; }
`;

interface Shown {
  /** Of the answer; null for any that succeeds. */
  readonly status: number | null;
  /** Names of the outermost object of the answer. */
  readonly keys: readonly string[];
}

/** Names at the first level of JSON that may be cut. */
function readKeys(json: string): string[] {
  let depth = 0;
  const keys: string[] = [];
  for (const [token, key] of json.matchAll(/"(\w+)":|"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth === 1 && key !== undefined) keys.push(key);
  }
  return keys;
}

/** What a block shows of the answer of each of its calls, in a comment behind the call. */
function listShown(text: string): Shown[] {
  return text
    .split(/^(?=curl )/m)
    .filter((part) => part.startsWith('curl '))
    .map((part) => {
      const [, status, json = ''] = /(?:^| )# (?:(\d{3}) )?(\{.*)/m.exec(part) ?? [];
      return { status: status === undefined ? null : Number(status), keys: readKeys(json) };
    });
}

/** Runs a block of a page. @returns the status and the body of each call of the API */
async function runBlock(
  text: string,
  given: {
    /** What the pages show, and what stands for it here. */
    readonly shown: Readonly<Record<string, string>>;
    readonly variables: Readonly<Record<string, string>>;
  },
) {
  const answers = mkdtempSync(join(home, 'answers-'));
  const statuses = `${answers}.txt`;
  writeFileSync(statuses, '');
  // A generator reads the document of the service.
  const document = await fetch(`${api.url}/openapi-3.0.json`);
  writeFileSync(join(home, 'openapi-3.0.json'), await document.text());
  const script = [FUNCTIONS, PRELUDE, text].join('\n');
  const replaced = Object.entries(given.shown).reduce(
    (left, [shown, real]) => left.replaceAll(shown, real),
    script,
  );
  await execute('bash', ['--norc', '-c', replaced], {
    cwd: home,
    maxBuffer: 64 * 1024 * 1024,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      ...given.variables,
      ANSWERS: answers,
      STATUSES: statuses,
      ADMIN: build('src/processes/admin.js'),
      DATABASE_URL: api.deps.config.databaseUrl,
    },
  });
  return readFileSync(statuses, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((status, index) => ({
      status: Number(status),
      body: readFileSync(join(answers, String(index)), 'utf8'),
    }));
}

describe.each(PAGES)('%s', (page) => {
  test('its commands do what it shows of them', async () => {
    const tenant = await newTenant(PAGES.indexOf(page).toString());
    const call = async (path: string, body: object): Promise<string> =>
      (await tenant.call('POST', path, { body })).body.id as string;
    const workflow = await deployWorkflow(tenant);
    const schedule = { workflow_id: workflow, name: 'Nights', cron_expression: '0 3 * * *' };
    const shownHere = {
      'http://127.0.0.1:8000': api.url,
      'svc_live_…': tenant.key,
      '27e17dce-0875-4f37-948a-691a6050dd98': tenant.org,
    };
    const variables = {
      WORKFLOW: workflow,
      SCHEDULE: await call('/schedules', schedule),
      ACCOUNT: await call('/service-accounts', { name: 'Before' }),
      TABLE: await call('/tables', { name: 'Before' }),
      FILE: (await uploadFile(tenant, 'name,total')).body.id as string,
      CUSTOMER: 'ada',
    };
    for (const { text } of SHELL.filter((block) => block.page === page && block.reason === null)) {
      // The month of this page is used up.
      if (text.includes('# 402 ')) await setTerms(api.deps.db, tenant.org, { plan: 'pro', used: 5_000 });
      const answers = await runBlock(text, { shown: shownHere, variables });
      const shown = listShown(text);
      expect(answers.length, text).toBe(shown.length);
      for (const [index, { status, keys }] of shown.entries()) {
        const answer = answers[index] ?? { status: 0, body: '' };
        const told = `${text}\n${answer.status} ${answer.body}`;
        if (status === null) expect(Math.floor(answer.status / 100), told).toBe(2);
        else expect(answer.status, told).toBe(status);
        if (keys.length > 0)
          expect(Object.keys(JSON.parse(answer.body)), told).toEqual(expect.arrayContaining([...keys]));
      }
    }
  });
});

describe('the folder of the command line', () => {
  const files = BLOCKS.filter(({ page, language }) => page === CLI && language === 'yaml').map(
    ({ text }) => text,
  );
  const [welcome = '', greeting = '', environments = ''] = files;
  const [, colleague = '', accounts = ''] = SHELL.filter(({ page }) => page === CLI).map(({ text }) => text);
  const origin = join(home, 'origin.git');
  const main = build('src/surfaces/cli/main.js');
  const newHome = (name: string): string => {
    const path = join(home, name);
    mkdirSync(path);
    return path;
  };
  const environmentOf = (path: string): Record<string, string> => ({
    PATH: process.env['PATH'] ?? '',
    HOME: path,
    XDG_CONFIG_HOME: path,
    TERM: 'xterm-256color',
    EDITOR: join(home, 'editor'),
    GIT_AUTHOR_NAME: 'Somebody',
    GIT_AUTHOR_EMAIL: 'somebody@example.test',
    GIT_COMMITTER_NAME: 'Somebody',
    GIT_COMMITTER_EMAIL: 'somebody@example.test',
    // The address of the page is a folder here.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.${origin}.insteadOf`,
    GIT_CONFIG_VALUE_0: 'git@git.example:flows.git',
  });

  /** Types a script into a shell in a terminal. @returns its exit code, and all that it showed */
  function typeScript(
    script: string,
    path: string,
    steps: readonly Step[],
  ): Promise<{ code: number; seen: string }> {
    const shell = `set -euo pipefail\nworkflow() { '${process.execPath}' '${main}' "$@"; }\n${script}`;
    return new Promise((resolve) => {
      const terminal = spawn('bash', ['--norc', '-c', shell], {
        env: environmentOf(path),
        cwd: path,
        cols: 200,
      });
      const left = [...steps];
      let seen = '';
      terminal.onData((data) => {
        seen += data;
        const [next] = left;
        if (next === undefined || !seen.includes(next[0]) || typeof next[1] !== 'string') return;
        left.shift();
        terminal.write(next[1]);
      });
      terminal.onExit(({ exitCode }) => resolve({ code: exitCode, seen }));
    });
  }

  test('is pushed as it is shown, cloned by a second person, changed and promoted', async () => {
    const ada = await newTenant('ada');
    const newOrganization = async (name: string, credential: string): Promise<string> => {
      const { id } = (await ada.call('POST', '/organizations', { body: { name } })).body;
      await api.deps.db.query(`UPDATE organizations SET plan = 'enterprise' WHERE id = $1`, [id]);
      const body = {
        integration: 'http',
        name: credential,
        auth_type: 'bearer',
        allowed_hosts: ['crm.example'],
        data: { access_token: 'of-the-tests' },
      };
      expect((await ada.call('POST', '/credentials', { org: id, body })).status).toBe(201);
      return id as string;
    };
    const [staging, production] = [
      await newOrganization('Staging', 'crm'),
      await newOrganization('Production', 'CRM (live)'),
    ];
    const replaced = environments
      .replace('https://workflows.example', api.url)
      .replace(/(staging: \{organization_id: )[\w-]+/, `$1${staging}`)
      .replace(/(organization_id: )2f6b[\w-]+/, `$1${production}`);
    writeFileSync(join(home, 'editor'), '#!/bin/sh\nsed -i "s/Hello {{/Good day {{/" "$1"\n');
    chmodSync(join(home, 'editor'), 0o755);

    const first = newHome('first');
    const cli = new CommandLine(main, environmentOf(first));
    await execute('git', ['init', '--quiet', '--bare', '--initial-branch=main', origin]);
    await execute('git', ['clone', '--quiet', origin, join(first, 'flows')]);
    for (const [name, text] of Object.entries({ welcome, greeting, environments: replaced }))
      writeFileSync(join(first, 'flows', `${name}.yaml`), text);
    expect((await cli.piped('login', '--url', api.url, '--key', ada.key)).code).toBe(0);
    const flows = join(first, 'flows');
    const pushed = await cli.piped('push', flows, '--env', 'staging', '--deploy', '--yes');
    expect(pushed.code, pushed.err).toBe(0);
    expect(pushed.out.match(/create /g)).toHaveLength(2);
    const save = 'git add --all && git commit --quiet --message First && git push --quiet origin HEAD:main';
    await execute('bash', ['-c', save], { cwd: flows, env: environmentOf(first) });

    const second = newHome('second');
    // The page names a profile of production, and the login of its own in the block is for both.
    const login = ['login', '--profile', 'production', '--url', api.url, '--key', ada.key];
    expect((await new CommandLine(main, environmentOf(second)).piped(...login)).code).toBe(0);
    const script = colleague.replace('https://workflows.example', api.url);
    const typed = await typeScript(script, second, [
      ['API key', `${ada.key}\r`],
      ['Push 1 of 2?', 'y'],
      ['Promote to production: 2 of 2?', 'y'],
      // Production has not seen the request yet.
      ['Deploy with the new effects?', 'y'],
    ]);
    expect(typed.code, typed.seen).toBe(0);
    const { body } = await ada.call('GET', '/workflows', { org: production });
    expect(body.workflows.map((row: { name: string }) => row.name).toSorted()).toEqual([
      'Greeting',
      'Welcome',
    ]);
    const { stdout } = await execute('git', ['show', 'main:greeting.yaml'], { cwd: origin });
    expect(stdout).toContain('Good day {{');
  });

  test('has service accounts for its jobs', async () => {
    const owner = await newTenant('owner');
    const { id } = (await owner.call('POST', '/service-accounts', { body: { name: 'Before' } })).body;
    const path = newHome('accounts');
    const cli = new CommandLine(main, environmentOf(path));
    expect((await cli.piped('login', '--url', api.url, '--key', owner.key)).code).toBe(0);
    const made = await cli.shell(`set -e\n${accounts.replace('SERVICE_ACCOUNT_ID', id)}`);
    expect(made.code, made.err).toBe(0);
    expect(made.out).toContain('svc_live_');
  });
});

/** The words of the calls of `workflow` in all blocks, without those behind a comment. */
const commandLines = (): string[] =>
  BLOCKS.filter(({ language }) => ['sh', 'yaml'].includes(language))
    .flatMap(({ text }) => text.split('\n'))
    .flatMap((line) => /^(?:workflow|.*npx --no -- workflow) ([^#"]*)/.exec(line)?.[1] ?? []);

test('every command of the command line exists, with its options', () => {
  const lines = commandLines();
  expect(lines.length).toBeGreaterThan(10);
  const unknown = lines.flatMap((line) => {
    let command = createProgram(new Sessions({}));
    const options = [...command.options];
    for (const word of line.trim().split(/\s+/)) {
      const found = command.commands.find((one) => one.name() === word);
      if (found !== undefined) {
        command = found;
        options.push(...found.options);
      } else if (command.commands.length > 0 && !word.startsWith('-')) return [`${line}: ${word}`];
      else if (word.startsWith('-') && !options.some(({ long, short }) => [long, short].includes(word)))
        return [`${line}: ${word}`];
    }
    return [];
  });
  expect(unknown).toEqual([]);
});

test('every block is one that bash can read', async () => {
  for (const { text } of SHELL) {
    const checked = execute('bash', ['-n', '-c', text]);
    await expect(
      checked.then(({ stderr }) => stderr),
      text,
    ).resolves.toBe('');
  }
});

test('the blocks that are not run set and read variables that exist', () => {
  const find = (file: string, pattern: RegExp): string[] =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(pattern)].map(([name]) => name);
  const known = new Set([
    ...configVariables(),
    ...find('.env.example', /\b[A-Z][A-Z0-9_]+(?==)/g),
    ...find('docker-compose.yml', /(?<=\$\{)[A-Z][A-Z0-9_]+/g),
    // Of the page: the server on which an operator makes the database.
    'ADMIN_URL',
  ]);
  const unknown = SHELL.filter(({ reason }) => reason !== null).flatMap(({ text }) => {
    const listed = [...text.matchAll(/^for name in ([A-Z_ ]+); do$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    );
    const used = [...text.matchAll(/\$([A-Z][A-Z0-9_]+)|(?<=[\s"])([A-Z][A-Z0-9_]+)(?==)/g)].map(
      ([, read, set]) => read ?? set ?? '',
    );
    return [...listed, ...used].filter((name) => !known.has(name));
  });
  expect(unknown).toEqual([]);
});
