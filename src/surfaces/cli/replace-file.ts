/** Writes files whole: a killed command leaves the old text or the new one. */
import { chmod, link, open, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isRunning } from './file-lock.ts';

// Hidden, because a folder of workflows reads all other files.
const chooseUnfinished = (target: string): string =>
  join(dirname(target), `.${basename(target)}.${process.pid}`);
const UNFINISHED = /^\..+\.(?:ya?ml|json)\.(\d+)$/;

/** Replaces the text of a file, or writes a new one. @param mode by default that of the file, else the usual one */
export async function replaceFile(path: string, text: string, mode?: number): Promise<void> {
  // The link stays a link: its target is replaced.
  const target = await realpath(path).catch(() => path);
  const kept = mode ?? (await stat(target).catch(() => null))?.mode;
  const written = chooseUnfinished(target);
  await writeFile(written, text, kept === undefined ? {} : { mode: kept });
  // `mode` has no effect on a file that already exists, and is cut by the umask.
  if (kept !== undefined) await chmod(written, kept);
  await rename(written, target);
}

/** Writes a new file. @throws EEXIST when the path is taken */
export async function writeNewFile(path: string, text: string): Promise<void> {
  const written = chooseUnfinished(path);
  await writeFile(written, text);
  try {
    // Unlike `rename`, never over another file.
    await link(written, path);
  } catch (error) {
    // Some file systems have no links: a command that is killed here leaves an empty file.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    await (await open(path, 'wx')).close();
    await rename(written, path);
  } finally {
    await rm(written, { force: true });
  }
}

/** Removes what killed commands have left unfinished in a folder. */
export async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names) {
    const pid = UNFINISHED.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(folder, name), { force: true });
  }
}
