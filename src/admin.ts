/** The operator's command line: `node dist/src/admin.js <command>`, `npm run admin --` where npm is. */
import { runAdmin } from './admin-commands.ts';

// The reader has seen enough, as in `audit:export | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await runAdmin(process.argv.slice(2), process.env);
