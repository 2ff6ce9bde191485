/** The commands `login`, `logout`, `profiles`, `whoami` and `open`. */
import type { Command } from 'commander';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { WorkflowClient } from '../client/client.ts';
import { CommandError, EXIT } from './exit.ts';
import { loginWithBrowser, loginWithDevice } from './oidc.ts';
import type { Login } from './profiles.ts';
import type { Globals, Sessions } from './session.ts';

interface LoginOptions {
  readonly key?: string;
  readonly issuer?: string;
  readonly clientId: string;
  readonly scope: string;
  readonly device?: boolean;
}

/** Opens a page in the default browser; without a browser it does nothing. */
function openBrowser(page: string): void {
  const [command, ...more] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open'];
  const child = spawn(command ?? 'xdg-open', [...more, page], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

async function authenticate(options: LoginOptions, { screen }: Sessions): Promise<Login> {
  if (options.issuer !== undefined) {
    const provider = {
      issuer: options.issuer,
      clientId: options.clientId,
      scope: options.scope,
      show(page: string, code: string | null) {
        screen.note(
          code === null ? `To log in, open ${page}` : `To log in, open ${page} and enter the code ${code}`,
        );
        if (screen.isLive && options.device !== true) openBrowser(page);
      },
    };
    return options.device === true ? loginWithDevice(provider) : loginWithBrowser(provider);
  }
  const given = options.key ?? (await screen.secret('API key'));
  return { kind: 'key', key: (given === '-' ? await text(process.stdin) : given).trim() };
}

/** The stored logins as they are printed, without their keys. */
async function readProfiles(sessions: Sessions, command: Command) {
  const stored = await sessions.profiles.list();
  const chosen = sessions.profileName(command);
  const isCurrent = (name: string): boolean =>
    chosen === undefined ? stored.some((one) => one.isCurrent && one.name === name) : chosen === name;
  const rows = stored.map(({ name, url, organizationId, login }) => ({
    name,
    url,
    organization_id: organizationId,
    login: login.kind === 'key' ? 'API key' : login.issuer,
    is_current: isCurrent(name),
  }));
  return { isJson: command.optsWithGlobals<Globals>().json === true, rows };
}

export function addLogin(program: Command, sessions: Sessions): void {
  program
    .command('login')
    .description('Log in with an API key or an OpenID Connect provider')
    .option('--key <key>', 'API key; - reads it from stdin')
    .option('--issuer <url>', 'URL of the OpenID Connect provider')
    .option('--client-id <id>', 'client id at the provider', 'workflow-cli')
    .option('--scope <scope>', 'scopes to request from the provider', 'openid profile email offline_access')
    .option('--device', 'log in with a code on another device')
    .action(async (options: LoginOptions, command: Command) => {
      const globals = command.optsWithGlobals<Globals>();
      const url = globals.url ?? sessions.env['WORKFLOW_API_URL'];
      if (url === undefined)
        throw new CommandError(
          'Missing the URL of the service. Pass --url or set WORKFLOW_API_URL.',
          EXIT.usage,
        );
      const login = await authenticate(options, sessions);
      const token = login.kind === 'key' ? login.key : login.accessToken;
      const client = new WorkflowClient({ baseUrl: url, token });
      // Checked before anything is stored: a key that does not work is not a login.
      const organizations = [];
      for await (const organization of client.organizations.list()) organizations.push(organization);
      const organizationId = globals.org ?? organizations[0]?.id ?? null;
      const name = sessions.profileName(command) ?? 'default';
      await sessions.profiles.put(name, { url, organizationId, login });
      sessions.screen.line(`Logged in to ${url} as profile ${name}`);
    });
  program
    .command('logout')
    .description('Remove the stored login of a profile')
    .action(async (_: object, command: Command) => {
      const isGone = await sessions.profiles.remove(sessions.profileName(command));
      sessions.screen.line(isGone ? 'Logged out' : 'Not logged in');
    });
  const profiles = program.command('profiles').description('List and switch profiles');
  profiles
    .command('list')
    .description('List profiles; * marks the current one')
    .action(async (_: object, command: Command) => {
      const { isJson, rows } = await readProfiles(sessions, command);
      if (isJson) for (const row of rows) sessions.screen.json(row);
      else
        sessions.screen.table(
          ['', 'name', 'url', 'organization_id', 'login'],
          rows.map((row) => [row.is_current ? '*' : ' ', row.name, row.url, row.organization_id, row.login]),
        );
    });
  profiles
    .command('use')
    .description('Switch to a profile')
    .argument('<name>')
    .action(async (name: string) => {
      if (!(await sessions.profiles.use(name)))
        throw new CommandError(
          `There is no profile ${name}. To list them, run: workflow profiles list`,
          EXIT.usage,
        );
      sessions.screen.line(`Using profile ${name}`);
    });
  program
    .command('whoami')
    .description('Show the current user, service and organization')
    .action(async (_: object, command: Command) => {
      const { client, screen, isJson, url, profile, organizationId } = await sessions.open(command);
      const { email, subject } = await client.me.get();
      const shown = { profile, url, organization_id: organizationId ?? null, email, subject };
      if (isJson) screen.json(shown);
      else for (const [name, value] of Object.entries(shown)) screen.line(`${name}: ${value ?? '-'}`);
    });
  program
    .command('open')
    .description('Open the web app in the browser')
    .option('--print', 'print the URL instead of opening it')
    .action(async ({ print }: { print?: boolean }, command: Command) => {
      const { url, screen } = await sessions.open(command);
      const page = new URL('app', url.endsWith('/') ? url : `${url}/`).href;
      screen.line(page);
      if (print !== true && screen.isLive) openBrowser(page);
    });
}
