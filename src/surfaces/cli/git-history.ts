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

/**
 * Finds the commit that wrote a file as it is now.
 * @returns null without git, and for a file that is not committed or has changed since
 */
export async function findWritingCommit(path: string): Promise<string | null> {
  const [folder, name] = [dirname(path), basename(path)];
  if ((await git(folder, 'status', '--porcelain', '--', name)) !== '') return null;
  const commit = await git(folder, 'log', '--format=%H', '-n', '1', '--', name);
  return commit === null || commit === '' ? null : commit.trim();
}

/**
 * Reads the committed versions of a file that lead to the current one, newest first.
 * @param since the first commit to read, without those that lead to it; null for all
 */
export async function* readCommittedVersions(
  { path }: WorkflowFile,
  since: string | null,
): AsyncGenerator<WorkflowFile, void, void> {
  const [folder, name] = [dirname(path), basename(path)];
  const range = since === null ? ['HEAD'] : ['HEAD', '--not', `${since}^@`];
  const log = await git(folder, 'log', '--format=%H', '-n', String(MAX_VERSIONS), ...range, '--', name);
  for (const commit of (log ?? '').split('\n').filter((line) => line !== '')) {
    const text = await git(folder, 'show', `${commit}:./${name}`);
    if (text === null) continue;
    try {
      yield parseWorkflowFile(path, text);
    } catch (error) {
      // A broken version was never pushed.
      if (!(error instanceof CommandError)) throw error;
    }
  }
}
