#!/usr/bin/env node
/** The command `workflow`. */
import { EXIT } from './exit.ts';
import { run } from './program.ts';

// The reader has seen enough, as in `workflow runs list | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT.completed);
});

process.exitCode = await run(process.argv.slice(2), process.env);
