/** How the sandbox process is started so that it has no network: in an empty network namespace, where the system allows one. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

const UNSHARE = ['/usr/bin/unshare', '/bin/unshare'];
/** With the rights of root, or without them in a user namespace. */
const WAYS: readonly (readonly string[])[] = [['--net'], ['--user', '--map-root-user', '--net']];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const works = (command: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const [file = '', ...args] = command;
    execFile(file, [...args, '--', process.execPath, '-e', ''], { env: {}, timeout: 10_000 }, (error) => {
      resolve(error === null);
    });
  });

/** The command to put before another one to take the network from it, or null when this system has none. */
export async function networkless(): Promise<readonly string[] | null> {
  const unshare = UNSHARE.find(isExecutable);
  if (process.platform !== 'linux' || unshare === undefined) return null;
  for (const way of WAYS) {
    const command = [unshare, ...way];
    if (await works(command)) return [...command, '--'];
  }
  return null;
}
