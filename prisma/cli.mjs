// Runs Prisma's command line offline, as in `node prisma/cli.mjs format --check`. Prints its output only when it fails.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs one command; ends the process when it fails. @param {readonly string[]} args */
export function runPrisma(args) {
  const done = spawnSync(
    process.execPath,
    [`${root}node_modules/prisma/build/index.js`, ...args, '--config', 'prisma/prisma.config.ts'],
    {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...process.env,
        // The commands used here need no engine, but Prisma downloads one unless this names an executable.
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        CHECKPOINT_DISABLE: '1',
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
      },
    },
  );
  if (done.status === 0) return;
  process.stderr.write(`prisma ${args.join(' ')} failed:\n${done.stdout}\n${done.stderr}\n`);
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) runPrisma(process.argv.slice(2));
