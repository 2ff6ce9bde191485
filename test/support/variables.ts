/** The names of the environment's variables, read from the schema in src/config.ts itself. */
import { readFileSync } from 'node:fs';

/** In the order of the schema. */
export function configVariables(): string[] {
  const source = readFileSync(new URL('../../src/config.ts', import.meta.url), 'utf8');
  const schema = /const environment = z\.object\(\{([\s\S]*?)\n\}\);/.exec(source)?.[1] ?? '';
  return [...schema.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map((found) => found[1] ?? '');
}
