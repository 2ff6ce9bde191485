/** The READMEs of the repository. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Paths from the root; the root's own is the first. */
export function readmes(): string[] {
  const below = ['prisma', 'src', 'temporal', 'test'].flatMap((top) =>
    readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
      .map((path) => `${top}/${path}`),
  );
  return ['README.md', ...below.toSorted()];
}
