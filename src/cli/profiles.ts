/** Who is logged in where: profiles in a file that its owner alone can read. */
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { withFileLock } from './file-lock.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** How a profile proves who calls: a fixed key, or tokens of an OpenID provider that are renewed. */
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

/** The platform's directory for configuration of one user. */
export function configFile(env: Environment, platform: NodeJS.Platform = process.platform): string {
  const home = env['HOME'] ?? homedir();
  const base =
    env['XDG_CONFIG_HOME'] ??
    (platform === 'win32'
      ? (env['APPDATA'] ?? join(home, 'AppData', 'Roaming'))
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : join(home, '.config'));
  return join(base, 'workflow', 'profiles.json');
}

export class Profiles {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /** @returns the profile of that name, or of the last login; null when there is none */
  async get(name: string | undefined): Promise<(Profile & { readonly name: string }) | null> {
    const { current, profiles } = await this.#read();
    const wanted = name ?? current;
    const profile = profiles[wanted];
    return profile === undefined ? null : { ...profile, name: wanted };
  }

  put(name: string, profile: Profile): Promise<void> {
    return this.#alone(async ({ profiles }) => {
      await this.#write({ current: name, profiles: { ...profiles, [name]: profile } });
    });
  }

  /**
   * Changes one profile as it is stored now; which one is current stays as it is.
   * @returns the profile as it is stored then; null when it is gone
   */
  change(name: string, change: (stored: Profile) => Promise<Profile>): Promise<Profile | null> {
    return this.#alone(async ({ current, profiles }) => {
      const stored = profiles[name];
      if (stored === undefined) return null;
      const next = await change(stored);
      if (next !== stored) await this.#write({ current, profiles: { ...profiles, [name]: next } });
      return next;
    });
  }

  /** @returns whether there was one */
  remove(name: string | undefined): Promise<boolean> {
    return this.#alone(async ({ current, profiles }) => {
      const gone = name ?? current;
      const left = Object.fromEntries(Object.entries(profiles).filter(([key]) => key !== gone));
      if (!(gone in profiles)) return false;
      const next = gone === current ? (Object.keys(left)[0] ?? 'default') : current;
      await this.#write({ current: next, profiles: left });
      return true;
    });
  }

  /** Works on what is stored while no other command changes it. */
  #alone<Value>(work: (stored: Stored) => Promise<Value>): Promise<Value> {
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

  /** Renamed into place: a command that is killed leaves the old file or the new one. */
  async #write(stored: Stored): Promise<void> {
    await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
    const written = `${this.file}.${process.pid}`;
    await writeFile(written, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
    // A file that was there before keeps its mode otherwise.
    await chmod(written, 0o600);
    await rename(written, this.file);
  }
}
