/** `npm run docs`: writes the generated tables of all READMEs anew, and the types of the client. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENT_TYPES, clientTypes, isCurrent } from './client-types.ts';
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

const types = join(ROOT, CLIENT_TYPES);
if (!existsSync(types) || !isCurrent(readFileSync(types, 'utf8'))) {
  writeFileSync(types, clientTypes());
  process.stdout.write(`${CLIENT_TYPES}\n`);
}
