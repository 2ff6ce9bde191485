#!/usr/bin/env node
/** The command `workflow`. */
import { endWithReader } from './end-with-reader.ts';
import { run } from './program.ts';

endWithReader(process.env);
process.exitCode = await run(process.argv.slice(2), process.env);
