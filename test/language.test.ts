/**
 * A reader would meet a sentence, a name or a clock that the house has agreed not to have, or a test file that does
 * not say what it protects.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, type Comment } from 'oxc-parser';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const GENERATED = /node_modules|^src\/base\/db\/generated\/|^src\/surfaces\/client\/openapi\.ts$/;
/** Files that a program or a package starts from: their exports are for the world outside. */
const ENTRIES =
  /^src\/(surfaces\/client\/client|features\/canvas\/client\/canvas|surfaces\/web\/vite\.config)\.ts$|^temporal\/interpreter\/workflows\.ts$/;
/** Loaded by Temporal's SDK by name. */
const LOADED_BY_NAME = /^temporal\/interpreter\/.* (interceptors|runChildWorkflow|scheduledRun)$/;
const OPENINGS = /^(What|Who|Whoever|Whatever|Whose|So many|So much|So long|How many|How much)\b/;

interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** The text without comments, every place where it was. */
  readonly code: string;
  readonly comments: readonly Comment[];
  readonly exports: readonly string[];
  /** The exported names that the file declares itself. */
  readonly declared: readonly string[];
  /** `path#name` of what the file imports; `path#*` for all of a module. */
  readonly imports: readonly string[];
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const { module, comments } = parseSync(path, text);
  const entries = module.staticExports
    .flatMap((found) => found.entries)
    .filter(({ exportName }) => exportName.kind === 'Name');
  const target = (name: string): string => join(dirname(path), name);
  const named = (kind: string, name: string | null): string => (kind === 'Name' ? (name ?? '*') : '*');
  return {
    path,
    text,
    comments,
    code: comments.reduce(
      (code, { start, end }) => code.slice(0, start) + ' '.repeat(end - start) + code.slice(end),
      text,
    ),
    exports: entries.map(({ exportName }) => exportName.name ?? ''),
    declared: entries
      .filter(({ moduleRequest }) => moduleRequest === null)
      .map(({ exportName }) => exportName.name ?? ''),
    imports: [
      ...module.staticImports.flatMap((found) =>
        found.entries.map(
          ({ importName: { kind, name } }) => `${target(found.moduleRequest.value)}#${named(kind, name)}`,
        ),
      ),
      ...module.staticExports.flatMap(({ entries }) =>
        entries.flatMap(({ moduleRequest, importName: { kind, name } }) =>
          moduleRequest === null ? [] : [`${target(moduleRequest.value)}#${named(kind, name)}`],
        ),
      ),
      ...[...text.matchAll(/import\('(\.[^']+)'\)(?:\.(\w+))?/g)].map(
        ([, name = '', member = '*']) => `${target(name)}#${member}`,
      ),
    ],
  };
}

const readFolder = (top: string): SourceFile[] =>
  readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
    .map((name) => join(top, name))
    .filter((path) => /\.c?tsx?$/.test(path) && !GENERATED.test(path))
    .map(readSource);

const source = ['src', 'temporal'].flatMap(readFolder);
const everything = [...source, ...['test', 'prisma'].flatMap(readFolder)];

const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length;
const shown = ({ path, text }: SourceFile, position: number, what: string): string =>
  `${path}:${lineAt(text, position)} ${what}`;

/** The places of the code, comments left out, that a pattern finds. */
const findInCode = (pattern: RegExp, isLeftOut = /^$/): string[] =>
  source
    .filter(({ path }) => !isLeftOut.test(path))
    .flatMap((file) =>
      [...file.code.matchAll(pattern)].map(({ 0: what, index }) => shown(file, index, what)),
    );

/** The sentences of a file's comments, those of neighbouring line comments read as one text. */
function readSentences({
  text,
  comments,
}: SourceFile): { readonly position: number; readonly sentence: string }[] {
  const blocks: { start: number; end: number; words: string }[] = [];
  for (const { type, start, end, value } of comments) {
    const last = blocks.at(-1);
    const isNextLine = last !== undefined && /^\n[ \t]*$/.test(text.slice(last.end, start));
    if (type === 'Line' && isNextLine) Object.assign(last, { end, words: `${last.words} ${value}` });
    else blocks.push({ start, end, words: value });
  }
  return blocks.flatMap(({ start, words }) =>
    words
      .replace(/\n\s*\*/g, ' ')
      .replace(/^\*/, '')
      .replace(/\s+/g, ' ')
      .trim()
      .split(/(?<=[.!?:;]) (?=[A-Z`@])/)
      .map((sentence) => ({ position: start, sentence: sentence.replace(/^@\w+ /, '') })),
  );
}

/** All of temporal is one room; in src each folder of a wing is. */
function findRoom(path: string): string {
  const [top = '', wing = '', room = ''] = path.split('/');
  return top === 'temporal' ? top : `${top}/${wing}/${room}`;
}

describe('the language of the source', () => {
  test('it sees comments, exports and imports', () => {
    const plan = source.find(({ path }) => path === 'src/language/graph/schedule/plan.ts');
    expect(plan?.exports).toContain('compile');
    expect(plan === undefined ? [] : readSentences(plan).length).not.toBe(0);
    expect(
      everything.some(({ imports }) => imports.includes('src/language/graph/schedule/plan.ts#compile')),
    ).toBe(true);
  });

  test('no sentence of a comment opens with a question word or a measure', () => {
    const found = source.flatMap((file) =>
      readSentences(file).flatMap(({ position, sentence }) =>
        OPENINGS.test(sentence) ? [shown(file, position, sentence)] : [],
      ),
    );
    expect(found).toEqual([]);
  });

  test('a function is named by a verb, not by the suffix Of', () => {
    const definitions =
      /\b(?:function|const|let) \w+Of\b|^\s+(?:async |static )*#?\w+Of(?:<[^>]*>)?\(.*[{;]$|\b\w+Of\??: \(/gm;
    // OpenAPI's `oneOf`.
    const known = /describeOneOf/;
    expect(findInCode(definitions).filter((place) => !known.test(place))).toEqual([]);
  });

  test('two files of a room never export one name', () => {
    const exported = new Map<string, string[]>();
    for (const { path, declared } of source)
      for (const name of declared) {
        const key = `${findRoom(path)} ${name}`;
        exported.set(key, [...(exported.get(key) ?? []), path]);
      }
    const twice = [...exported].filter(([, paths]) => paths.length > 1);
    expect(twice.filter(([key]) => !key.endsWith(' interceptors'))).toEqual([]);
  });

  test('every export has an importer', () => {
    const imported = new Map<string, Set<string>>();
    for (const { path, imports } of everything)
      for (const name of imports) imported.set(name, (imported.get(name) ?? new Set()).add(path));
    const unused = source.flatMap(({ path, exports }) =>
      exports
        .filter(
          (name) => !ENTRIES.test(path) && !imported.has(`${path}#${name}`) && !imported.has(`${path}#*`),
        )
        .map((name) => `${path} ${name}`),
    );
    expect(unused.filter((place) => !LOADED_BY_NAME.test(place))).toEqual([]);
  });

  test('a row of the database has the types of its columns, without a cast through unknown', () => {
    // Rooms that see no row; schemas of zod, the insides of pg and Prisma; a generic result, and an interface presented as JSON.
    const exempt =
      /^src\/(?:features\/canvas\/(?:client|room)|surfaces\/(?:cli|web)|language|platform\/(?:http|outbound))\/|\/schema\.ts$|^src\/base\/db\/(?:request-context|schema-engine-wasm)\.ts$|^src\/engine\/runs\/walk\/redact\.ts$|^src\/engine\/runs\/api\/present\.ts$/;
    expect(findInCode(/\bas unknown as\b/g, exempt)).toEqual([]);
  });

  test('the time is read from clock.ts alone', () => {
    // The client is a package of its own. In Temporal's sandbox of workflows only the global Date is deterministic on replay.
    const exempt = /^src\/(?:base\/clock\.ts$|surfaces\/client\/)|^temporal\/interpreter\//;
    expect(findInCode(/\b(?:performance|Date)\.now\b|\bnew Date\(\)/g, exempt)).toEqual([]);
  });

  test('every test file begins with a comment that says what it protects', () => {
    const tests = everything.filter(({ path }) => path.endsWith('.test.ts'));
    const headless = tests.filter(({ text }) => !/^\/\*\*[ \n][^]*?\w[^]*?\*\/\nimport /.test(text));
    expect(tests.length).not.toBe(0);
    expect(headless.map(({ path }) => path)).toEqual([]);
  });

  test('no test reads once what a page shows: the page may not have come to it yet', () => {
    const reads =
      /\bexpect\(\s*\[?\s*await [^;]*?\.(?:count|textContent|inputValue|isVisible|isEnabled|isDisabled|isChecked|allTextContents)\(\)/g;
    const pages = everything.filter(({ imports }) =>
      imports.some((name) => name.startsWith('test/surfaces/web/support/')),
    );
    const found = pages.flatMap((file) =>
      [...file.code.matchAll(reads)].map(({ 0: what, index }) => shown(file, index, what)),
    );
    expect(pages.length).not.toBe(0);
    expect(found).toEqual([]);
  });
});
