/** Opens the session of a command: the client of the chosen profile, and the screen. */
import type { Command } from 'commander';
import { WorkflowClient } from '../client/client.ts';
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

  /** @throws CommandError without a login */
  async open(command: Command): Promise<Session> {
    const given = command.optsWithGlobals<Globals>();
    const profile = await this.profiles.get(this.profileName(command));
    const url = given.url ?? this.env['WORKFLOW_API_URL'] ?? profile?.url;
    const key = this.env['WORKFLOW_API_KEY'];
    if (url === undefined || (profile === null && key === undefined))
      throw new CommandError('Not logged in. To log in, run: workflow login', EXIT.usage);
    // A key or token must not be sent to a service other than its own.
    if (key === undefined && profile !== null && new URL(url).origin !== new URL(profile.url).origin)
      throw new CommandError(`The profile ${profile.name} is for ${profile.url}, not ${url}`, EXIT.usage);
    const organizationId =
      given.org ?? this.env['WORKFLOW_ORGANIZATION_ID'] ?? profile?.organizationId ?? undefined;
    const token = key ?? this.#createToken(profile?.name ?? '', profile as Profile);
    const client = new WorkflowClient({
      baseUrl: url,
      token,
      ...(organizationId === undefined ? {} : { organizationId }),
    });
    const isJson = given.json === true;
    const name = profile?.name ?? 'environment';
    return { client, screen: this.screen, isJson, url, profile: name, organizationId };
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
