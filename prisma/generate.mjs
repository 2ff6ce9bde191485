// Generates the Prisma client into src/base/db/generated, only when the schema changed since the last time.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runPrisma } from './cli.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = `${root}src/base/db/generated/.schema-hash`;
const hash = createHash('sha256')
  .update(readFileSync(`${root}prisma/schema.prisma`))
  .digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) {
  process.stderr.write('Generating the database client...\n');
  runPrisma(['generate']);
  writeFileSync(stamp, hash);
}
