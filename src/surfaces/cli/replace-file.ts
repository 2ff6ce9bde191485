/** Writes files whole: a killed command leaves the old text or the new one. */
import { chmod, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Replaces the text of a file, or writes a new one. @param mode by default that of the file, else the usual one */
export async function replaceFile(path: string, text: string, mode?: number): Promise<void> {
  // The link stays a link: its target is replaced.
  const target = await realpath(path).catch(() => path);
  const kept = mode ?? (await stat(target).catch(() => null))?.mode;
  // Hidden, because a folder of workflows reads all other files.
  const written = join(dirname(target), `.${basename(target)}.${process.pid}`);
  await writeFile(written, text, kept === undefined ? {} : { mode: kept });
  // `mode` has no effect on a file that already exists, and is cut by the umask.
  if (kept !== undefined) await chmod(written, kept);
  await rename(written, target);
}
