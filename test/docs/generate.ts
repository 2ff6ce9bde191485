/** `npm run docs`: writes the generated tables of all READMEs anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readmes, ROOT } from './readmes.ts';
import { withTables } from './tables.ts';

for (const path of readmes()) {
  const file = join(ROOT, path);
  const text = readFileSync(file, 'utf8');
  const next = withTables(text);
  if (next === text) continue;
  writeFileSync(file, next);
  process.stdout.write(`${path}\n`);
}
