/** The operator's command line: `node dist/src/processes/admin.js <command>`, `npm run admin --` where npm is. */
import { runAdmin } from './admin-commands.ts';
import { endWithReader } from '../surfaces/cli/end-with-reader.ts';

endWithReader(process.env);
process.exitCode = await runAdmin(process.argv.slice(2), process.env);
