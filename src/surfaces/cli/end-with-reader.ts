/** Ends a command as its output ends: well when the reader has seen enough, as in `workflow runs list | head`. */
import { EXIT } from './exit.ts';
import type { Environment } from './profiles.ts';
import { Screen } from './screen.ts';

/** @param environment of the command, which may forbid colours */
export function endWithReader(environment: Environment): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.completed);
    new Screen(environment).note(`error: the output cannot be written: ${error.message}`);
    process.exit(EXIT.failed);
  });
  // Nobody reads the notes; the command and its output go on.
  process.stderr.on('error', () => undefined);
}
