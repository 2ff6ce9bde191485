/** Ends a command as its output ends: well when the reader has seen enough, as in `workflow runs list | head`. */
import { EXIT } from './exit.ts';

export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.completed);
    process.stderr.write(`error: the output cannot be written: ${error.message}\n`);
    process.exit(EXIT.failed);
  });
  // Nobody reads the notes; the command and its output go on.
  process.stderr.on('error', () => undefined);
}
