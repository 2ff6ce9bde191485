/** Reads earlier versions of a workflow file from git. */
import { execFile } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { parseWorkflowFile, type WorkflowFile } from './definition-files.ts';
import { CommandError } from './exit.ts';

const execute = promisify(execFile);
/** A guess: a service that is this many commits of one file behind needs a person. */
const MAX_VERSIONS = 200;
const MAX_BYTES = 64 * 1024 * 1024;

/** @returns the output; null without git, outside a repository and for an unknown file */
async function git(folder: string, ...args: string[]): Promise<string | null> {
  try {
    const { stdout } = await execute('git', args, { cwd: folder, maxBuffer: MAX_BYTES });
    return stdout;
  } catch {
    return null;
  }
}

/** Whether a committed version of the file that leads to the current one satisfies the condition; newest first. */
export async function hasCommittedVersion(
  { path }: WorkflowFile,
  isWanted: (file: WorkflowFile) => boolean,
): Promise<boolean> {
  const [folder, name] = [dirname(path), basename(path)];
  const log = await git(folder, 'log', '--format=%H', '-n', String(MAX_VERSIONS), '--', name);
  for (const commit of (log ?? '').split('\n').filter((line) => line !== '')) {
    const text = await git(folder, 'show', `${commit}:./${name}`);
    if (text === null) continue;
    try {
      if (isWanted(parseWorkflowFile(path, text))) return true;
    } catch (error) {
      // A broken version was never pushed.
      if (!(error instanceof CommandError)) throw error;
    }
  }
  return false;
}
