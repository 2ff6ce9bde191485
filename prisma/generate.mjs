// Generates the Prisma client into src/db/generated, only when the schema changed since the last time.
// `prisma generate` needs no engine but tries to download one; naming any executable keeps it from trying.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = `${root}src/db/generated/.schema-hash`;
const hash = createHash('sha256')
  .update(readFileSync(`${root}prisma/schema.prisma`))
  .digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) {
  process.stderr.write('Generating the database client...\n');
  const done = spawnSync(
    process.execPath,
    [`${root}node_modules/prisma/build/index.js`, 'generate', '--config', 'prisma/prisma.config.ts'],
    {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...process.env,
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        CHECKPOINT_DISABLE: '1',
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
      },
    },
  );
  if (done.status !== 0) {
    process.stderr.write(`prisma generate failed:\n${done.stdout}\n${done.stderr}\n`);
    process.exit(1);
  }
  writeFileSync(stamp, hash);
}
