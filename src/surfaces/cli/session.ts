/** Opens the session of a command: the client of the chosen profile, and the screen. */
import type { Command } from 'commander';
import { WorkflowClient } from '../client/client.ts';
import { ENVIRONMENTS_FILE } from './definition-files.ts';
import { CommandError, EXIT } from './exit.ts';
import { isFresh, renewLogin, type OidcLogin } from './oidc.ts';
import { findProfileFile, Profiles, type Environment, type Profile } from './profiles.ts';
import { Screen } from './screen.ts';

export interface Globals {
  readonly profile?: string;
  readonly org?: string;
  readonly url?: string;
  readonly json?: boolean;
}

export interface Session {
  readonly client: WorkflowClient;
  readonly screen: Screen;
  readonly isJson: boolean;
  readonly url: string;
  readonly profile: string;
  readonly organizationId: string | undefined;
}

/** The environment of a folder, as far as it chooses the login, the service and the organization. */
interface Connection {
  readonly name: string;
  readonly profile: string | null;
  readonly url: string | null;
  readonly organizationId: string | null;
}

/** @returns the variable of an environment: `WORKFLOW_API_KEY_STAGING` */
const addSuffix = (variable: string, { name }: Connection): string =>
  `${variable}_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;

/** @throws CommandError for a text that is no URL */
function readOrigin(url: string): string {
  if (!URL.canParse(url)) throw new CommandError(`${JSON.stringify(url)} is not a URL`, EXIT.usage);
  return new URL(url).origin;
}

/** @throws CommandError when an option and the folder name different services or organizations */
function refuseContradiction(given: Globals, environment: Connection): void {
  const { name, url, organizationId } = environment;
  const refuse = (option: string, there: string): never => {
    throw new CommandError(
      `${option} contradicts ${ENVIRONMENTS_FILE}, where ${name} is ${there}. Remove ${option} or --env`,
      EXIT.usage,
    );
  };
  if (given.url !== undefined && url !== null && readOrigin(given.url) !== readOrigin(url))
    refuse('--url', url);
  if (
    given.org !== undefined &&
    organizationId !== null &&
    given.org.toLowerCase() !== organizationId.toLowerCase()
  )
    refuse('--org', organizationId);
}

/**
 * Keeps a key of the environment variables from a service that only the folder names: whoever changes a file of a
 * repository would get the key.
 * @param known the URL by an option, a variable or a login, none of which the folder can change
 * @throws CommandError with the variable to set
 */
function requireKnownService({
  environment,
  url,
  known,
}: {
  readonly environment: Connection;
  readonly url: string;
  readonly known: string | undefined;
}): void {
  if (known !== undefined && readOrigin(known) === readOrigin(url)) return;
  const { name } = environment;
  const other = known === undefined ? '' : ` and not ${known}`;
  const variable = addSuffix('WORKFLOW_API_URL', environment);
  throw new CommandError(
    `${ENVIRONMENTS_FILE} sets ${name} to ${url}${other}. For safety, a file cannot choose where your key is sent. If the key belongs to ${url}, set ${variable} to it`,
    EXIT.usage,
  );
}

/** Finds the organization of a key that is pinned to one, or whose owner has only one; null otherwise. */
async function findOnlyOrganization(url: string, key: string): Promise<string | null> {
  const found: string[] = [];
  const client = new WorkflowClient({ baseUrl: url, token: key });
  for await (const { id } of client.organizations.list()) found.push(id);
  return found.length === 1 ? (found[0] ?? null) : null;
}

export class Sessions {
  readonly env: Environment;
  readonly screen: Screen;
  readonly profiles: Profiles;
  /** Commands set it when a run did not complete. */
  exitCode: number = EXIT.completed;

  constructor(env: Environment) {
    this.env = env;
    this.screen = new Screen(env);
    this.profiles = new Profiles(findProfileFile(env));
  }

  profileName(command: Command): string | undefined {
    return command.optsWithGlobals<Globals>().profile ?? this.env['WORKFLOW_PROFILE'];
  }

  /**
   * Opens the session of a command.
   * @param environment of a folder; its login, service and organization come before the current ones
   * @throws CommandError without a login, for an option that contradicts the environment, and when only the folder names
   *   the service
   */
  async open(command: Command, environment?: Connection): Promise<Session> {
    const given = command.optsWithGlobals<Globals>();
    if (environment !== undefined) refuseContradiction(given, environment);
    const profile = await this.#chooseProfile(command, environment);
    const known = given.url ?? this.#readVariable('WORKFLOW_API_URL', environment) ?? profile?.url;
    const url = given.url ?? environment?.url ?? known;
    const key = this.#readVariable('WORKFLOW_API_KEY', environment);
    // A job whose secret is missing has an empty one.
    if (key === '')
      throw new CommandError(`${this.#findVariable('WORKFLOW_API_KEY', environment)} is empty`, EXIT.usage);
    if (url === undefined || (profile === null && key === undefined))
      throw new CommandError('Not logged in. To log in, run: workflow login', EXIT.usage);
    // A token must not be sent to a service other than its own.
    if (key === undefined && profile !== null && readOrigin(url) !== readOrigin(profile.url))
      throw new CommandError(`The profile ${profile.name} is for ${profile.url}, not ${url}`, EXIT.usage);
    if (key !== undefined && environment !== undefined) requireKnownService({ environment, url, known });
    const token = key ?? this.#createToken(profile?.name ?? '', profile as Profile);
    const organizationId =
      environment?.organizationId ??
      given.org ??
      this.env['WORKFLOW_ORGANIZATION_ID'] ??
      (key === undefined ? profile?.organizationId : await findOnlyOrganization(url, key)) ??
      undefined;
    const client = new WorkflowClient({
      baseUrl: url,
      token,
      ...(organizationId === undefined ? {} : { organizationId }),
    });
    const isJson = given.json === true;
    const name = profile?.name ?? 'environment';
    return { client, screen: this.screen, isJson, url, profile: name, organizationId };
  }

  /** Each environment may have a key and a URL of its own, because one command may use two. */
  #readVariable(
    name: 'WORKFLOW_API_KEY' | 'WORKFLOW_API_URL',
    environment: Connection | undefined,
  ): string | undefined {
    return this.env[this.#findVariable(name, environment)];
  }

  /** @returns the name of the variable that counts: the environment's own, when it is set */
  #findVariable(name: 'WORKFLOW_API_KEY' | 'WORKFLOW_API_URL', environment: Connection | undefined): string {
    const own = environment === undefined ? name : addSuffix(name, environment);
    return this.env[own] === undefined ? name : own;
  }

  /** @throws CommandError when the environment names a profile that does not exist */
  async #chooseProfile(command: Command, environment: Connection | undefined) {
    const usual = this.profileName(command);
    if (environment === undefined || usual !== undefined) return this.profiles.get(usual);
    const found = await this.profiles.get(environment.profile ?? environment.name);
    if (found !== null || environment.profile === null) return found ?? this.profiles.get(undefined);
    if (this.#readVariable('WORKFLOW_API_KEY', environment) !== undefined) return null;
    const { name, profile } = environment;
    const login = `workflow login --profile ${profile}`;
    throw new CommandError(`Not logged in to the environment ${name}. To log in, run: ${login}`, EXIT.usage);
  }

  #createToken(name: string, profile: Profile): string | (() => Promise<string>) {
    if (profile.login.kind === 'key') return profile.login.key;
    let { login } = profile;
    let isFirst = true;
    return async () => {
      const isRefused = !isFirst;
      isFirst = false;
      if (isRefused || !isFresh(login)) login = await this.#renew(name, profile.url, login);
      return login.accessToken;
    };
  }

  /**
   * Renews a login once for all concurrent commands.
   * @param used the login whose token expired or got a 401
   */
  async #renew(name: string, url: string, used: OidcLogin): Promise<OidcLogin> {
    const renewed = await this.profiles.change(name, async (stored) => {
      const { login } = stored;
      if (login.kind !== 'oidc') return stored;
      // Another command renewed it while this one waited, and used the refresh token.
      if (login.accessToken !== used.accessToken && isFresh(login)) return stored;
      return { ...stored, login: await renewLogin(login) };
    });
    if (renewed?.login.kind !== 'oidc' || renewed.url !== url)
      throw new CommandError(`The login of the profile ${name} has changed. Run the command again.`);
    return renewed.login;
  }
}
