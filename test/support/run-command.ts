/** Runs a program of another suite, whose output is that of this process. */
import { spawn, type SpawnOptions } from 'node:child_process';

/** @returns the exit status of the command; 1 when a signal ended it */
export function runCommand(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'>,
): Promise<number> {
  const child = spawn(command, args, { ...options, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
