/** A comment or a test would cite a rule that a reader cannot find. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** An id: a prefix, then a letter with a number, a section's number, or words (`API-KEY` is none). */
const ID = /\b(?:API|CAN|DEF|REL|RUN|SEC|SRV|TMP)-(?:[A-Z]\d{0,2}(?![A-Za-z])|\d+\.\d+|[a-z]+(?:-[a-z]+)*)/g;
/** Citations of pages that are not in the repository. */
const FOREIGN =
  /specification, (?:"|POST|shape|order)|\b(?:security|reliability) (?:bar|row|table|promise)|\((?:runs|definition|realtime|house|contract),? (?:\d|R\d|")|ecosystem notes|\berrata\b|\bpromise [GR]\d/i;

const filesOf = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    // A migration that was released stays as it was applied: the first ones cite as they did then.
    .filter(
      (file) =>
        /\.(?:ts|mjs|sql|prisma)$/.test(file) && !/\/(?:generated|node_modules)\/|\/20261121\d+_/.test(file),
    );

/** The comments of a file and, of a test, its strings: titles stand in tables, too. Line breaks of comments are blanks. */
function wordsOf(file: string, source: string): string[] {
  if (!/\.(?:ts|mjs)$/.test(file)) return source.match(/(?:--|\/\/).*/g) ?? [];
  const { comments } = parseSync(file, source);
  const texts = file.startsWith('test/')
    ? (source.match(/'(?:[^'\\\n]|\\.)*'|`[^`]*`|"[^"\n]*"/g) ?? [])
    : [];
  return [...comments.map(({ value }) => value.replaceAll(/\s+\*?\s*/g, ' ')), ...texts];
}

const words = ['src', 'temporal', 'prisma', 'test']
  .flatMap(filesOf)
  .filter((file) => file !== 'test/spec.test.ts')
  .flatMap((file) => wordsOf(file, readFileSync(join(ROOT, file), 'utf8')).map((text) => ({ file, text })));
const known = new Set(
  [...readFileSync(join(ROOT, 'test/SPEC.md'), 'utf8').matchAll(/^- \*\*(.+?)\*\* \S/gm)].map(([, id]) => id),
);

test('every rule that is cited stands in test/SPEC.md', () => {
  const missing = words.flatMap(({ file, text }) =>
    (text.match(ID) ?? []).filter((id) => !known.has(id)).map((id) => `${file}: ${id}`),
  );
  expect(missing).toEqual([]);
});

test('nothing is cited that is not in the repository', () => {
  const foreign = words.filter(({ text }) => FOREIGN.test(text)).map(({ file, text }) => `${file}: ${text}`);
  expect(foreign).toEqual([]);
});
