/** Stores logins as profiles in a file with mode 0600. */
import { mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { withFileLock } from './file-lock.ts';
import { replaceFile } from './replace-file.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Credentials of a profile: an API key, or tokens of an OpenID Connect provider. */
export type Login =
  | { readonly kind: 'key'; readonly key: string }
  | {
      readonly kind: 'oidc';
      readonly issuer: string;
      readonly clientId: string;
      readonly accessToken: string;
      readonly refreshToken: string | null;
      /** Milliseconds since 1970. */
      readonly expiresAtMs: number;
    };

export interface Profile {
  readonly url: string;
  readonly organizationId: string | null;
  readonly login: Login;
}

interface Stored {
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** @returns the path of the profile file, in the platform's configuration directory of the user */
export function findProfileFile(env: Environment, platform: NodeJS.Platform = process.platform): string {
  const home = env['HOME'] ?? homedir();
  const base =
    platform === 'win32'
      ? (env['APPDATA'] ?? join(home, 'AppData', 'Roaming'))
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : join(home, '.config');
  // An empty or relative path is ignored, as XDG says: keys would be stored in the folder of the command.
  const given = env['XDG_CONFIG_HOME'];
  return join(given !== undefined && isAbsolute(given) ? given : base, 'workflow', 'profiles.json');
}

export class Profiles {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /** @returns the named profile, by default the current one; null when it does not exist */
  async get(name: string | undefined): Promise<(Profile & { readonly name: string }) | null> {
    const { current, profiles } = await this.#read();
    const wanted = name ?? current;
    const profile = profiles[wanted];
    return profile === undefined ? null : { ...profile, name: wanted };
  }

  /** Lists the stored profiles with their names, and whether each is the current one. */
  async list(): Promise<(Profile & { readonly name: string; readonly isCurrent: boolean })[]> {
    const { current, profiles } = await this.#read();
    return Object.entries(profiles).map(([name, profile]) => ({
      ...profile,
      name,
      isCurrent: name === current,
    }));
  }

  /** Makes a profile the current one. @returns whether it exists */
  use(name: string): Promise<boolean> {
    return this.#update(async ({ profiles }) => {
      if (!Object.hasOwn(profiles, name)) return false;
      await this.#write({ current: name, profiles });
      return true;
    });
  }

  put(name: string, profile: Profile): Promise<void> {
    return this.#update(async ({ profiles }) => {
      await this.#write({ current: name, profiles: { ...profiles, [name]: profile } });
    });
  }

  /**
   * Changes a stored profile, not which profile is current.
   * @returns the profile as stored afterwards; null when it does not exist
   */
  change(name: string, change: (stored: Profile) => Promise<Profile>): Promise<Profile | null> {
    return this.#update(async ({ current, profiles }) => {
      const stored = profiles[name];
      if (stored === undefined) return null;
      const next = await change(stored);
      if (next !== stored) await this.#write({ current, profiles: { ...profiles, [name]: next } });
      return next;
    });
  }

  /** @returns whether the profile existed */
  remove(name: string | undefined): Promise<boolean> {
    return this.#update(async ({ current, profiles }) => {
      const gone = name ?? current;
      const left = Object.fromEntries(Object.entries(profiles).filter(([key]) => key !== gone));
      if (!(gone in profiles)) return false;
      const next = gone === current ? (Object.keys(left)[0] ?? 'default') : current;
      await this.#write({ current: next, profiles: left });
      return true;
    });
  }

  /** Runs `work` on the stored profiles under the lock. */
  #update<Value>(work: (stored: Stored) => Promise<Value>): Promise<Value> {
    return withFileLock(`${this.file}.lock`, async () => work(await this.#read()));
  }

  async #read(): Promise<Stored> {
    try {
      return JSON.parse(await readFile(this.file, 'utf8')) as Stored;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: 'default', profiles: {} };
      throw error;
    }
  }

  async #write(stored: Stored): Promise<void> {
    await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
    await replaceFile(this.file, `${JSON.stringify(stored, null, 2)}\n`, 0o600);
  }
}
