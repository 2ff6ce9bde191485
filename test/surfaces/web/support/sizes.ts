/** How much a browser fetches of the built page before it shows something, compressed. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface PageSizes {
  /** Bytes of scripts and styles of the first page. */
  readonly first: number;
  /** The same when the first page is the canvas. */
  readonly editor: number;
}

/** A file, and all that it imports before it runs. */
function closure(assets: string, name: string, seen: Set<string>): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  if (!name.endsWith('.js')) return seen;
  const text = readFileSync(join(assets, name), 'utf8');
  for (const [, imported] of text.matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g))
    if (imported !== undefined) closure(assets, imported, seen);
  return seen;
}

/** As gzip has it, or as it is where it is too small to be compressed. */
function bytesOf(assets: string, name: string): number {
  const compressed = join(assets, `${name}.gz`);
  return statSync(existsSync(compressed) ? compressed : join(assets, name)).size;
}

/** @param directory of the build: `dist/web`. @throws when it holds no page */
export function compressedSizes(directory: string): PageSizes {
  const assets = join(directory, 'assets');
  const page = readFileSync(join(directory, 'index.html'), 'utf8');
  const names = Array.from(page.matchAll(/\/app\/assets\/([\w.-]+\.(?:js|css))/g), ([, name]) => name ?? '');
  const first = new Set<string>();
  for (const name of names) closure(assets, name, first);
  // The page of the editor is a chunk of its own, and so is its style.
  const editor = new Set(first);
  for (const name of readdirSync(assets))
    if (/^editor-[\w-]+\.(?:js|css)$/.test(name)) closure(assets, name, editor);
  const sum = (all: Set<string>): number =>
    [...all].reduce((bytes, name) => bytes + bytesOf(assets, name), 0);
  if (first.size === 0 || editor.size === first.size) throw new Error(`there is no page in ${directory}`);
  return { first: sum(first), editor: sum(editor) };
}
