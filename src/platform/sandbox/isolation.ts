/** Isolates the sandbox process from the network: an empty network namespace, if the system allows one. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

const UNSHARE = ['/usr/bin/unshare', '/bin/unshare'];
/** With root privileges, or without them in a user namespace. */
const WAYS: readonly (readonly string[])[] = [['--net'], ['--user', '--map-root-user', '--net']];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const canRun = (command: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const [file = '', ...args] = command;
    execFile(file, [...args, '--', process.execPath, '-e', ''], { env: {}, timeout: 10_000 }, (error) => {
      resolve(error === null);
    });
  });

/** Finds the command prefix that runs a process without network; null when the system has none. */
export async function networkless(): Promise<readonly string[] | null> {
  const unshare = UNSHARE.find(isExecutable);
  if (process.platform !== 'linux' || unshare === undefined) return null;
  for (const way of WAYS) {
    const command = [unshare, ...way];
    if (await canRun(command)) return [...command, '--'];
  }
  return null;
}
