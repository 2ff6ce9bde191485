/** `npm run docs`: writes the generated tables of all READMEs anew, and the facts of the forms. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCHEMA_FACTS, schemaFacts } from './schema-facts.ts';
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

const facts = join(ROOT, SCHEMA_FACTS);
if (!existsSync(facts) || readFileSync(facts, 'utf8') !== schemaFacts()) {
  writeFileSync(facts, schemaFacts());
  process.stdout.write(`${SCHEMA_FACTS}\n`);
}
