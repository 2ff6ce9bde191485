/** Who is logged in where: profiles in a file that its owner alone can read. */
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

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

  async put(name: string, profile: Profile): Promise<void> {
    const { profiles } = await this.#read();
    await this.#write({ current: name, profiles: { ...profiles, [name]: profile } });
  }

  /** @returns whether there was one */
  async remove(name: string | undefined): Promise<boolean> {
    const { current, profiles } = await this.#read();
    const gone = name ?? current;
    const left = Object.fromEntries(Object.entries(profiles).filter(([key]) => key !== gone));
    if (!(gone in profiles)) return false;
    const next = gone === current ? (Object.keys(left)[0] ?? 'default') : current;
    await this.#write({ current: next, profiles: left });
    return true;
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
