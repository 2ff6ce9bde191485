/** The READMEs of the repository. */
import { readdirSync, readFileSync } from 'node:fs';
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

/** A fenced block of a README. */
interface ReadmeBlock {
  readonly page: string;
  readonly language: string;
  readonly text: string;
  /** Why no test runs it; null when one does. */
  readonly reason: string | null;
}

/** A mark `<!-- not run: reason -->` above a block keeps it from being run. */
const BLOCK = /(?:<!-- not run: (.+) -->\n)?^```(\w+)\n([\s\S]*?)^```$/gm;

/** Reads all blocks, in the order of the pages. */
export const readBlocks = (): readonly ReadmeBlock[] =>
  readmes().flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(BLOCK)].map(
      ([, reason, language = '', text = '']) => ({ page, language, text, reason: reason ?? null }),
    ),
  );
