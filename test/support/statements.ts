/**
 * The constant SQL statements of the source: the texts that are given to `query` or `batched`, with the row type that each
 * call declares. A copy of each file is run whose only addition is that it hands its statements out, so that constants and
 * the functions that build texts are the real ones. Text that depends on a caller's variables is not constant.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Columns, SourceFile, Sources, Tree } from './row-types.ts';

export interface Statement {
  /** `path:line` of the call. */
  readonly place: string;
  readonly sql: string;
  /** Null: the call declares no row type, or one that only its caller knows. */
  readonly columns: Columns | null;
  readonly isBatched: boolean;
}

interface Call {
  readonly place: string;
  readonly text: string;
  readonly columns: Columns | null;
  readonly isBatched: boolean;
}

const METHODS = ['query', 'batched'];

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && typeof (value as Tree).type === 'string';
}

function* walk(node: Tree): Generator<Tree> {
  yield node;
  for (const value of Object.values(node)) {
    if (isTree(value)) yield* walk(value);
    else if (Array.isArray(value)) for (const item of value) if (isTree(item)) yield* walk(item);
  }
}

function callsOf(sources: Sources, file: SourceFile): Call[] {
  const calls: Call[] = [];
  for (const statement of file.body)
    for (const node of walk(statement)) {
      if (node.type !== 'CallExpression') continue;
      const callee = node['callee'] as Tree;
      if (callee.type !== 'MemberExpression') continue;
      const method = String((callee['property'] as Tree)['name']);
      const [text] = node['arguments'] as Tree[];
      if (!METHODS.includes(method) || text === undefined) continue;
      const given = (node['typeArguments'] as Tree | null)?.['params'] as Tree[] | undefined;
      const [row] = given ?? [];
      calls.push({
        place: `${file.path}:${file.text.slice(0, node.start).split('\n').length}`,
        text: file.text.slice(text.start, text.end),
        columns: row === undefined ? null : sources.columnsOf(file, row),
        isBatched: method !== 'query',
      });
    }
  return calls;
}

/** Imports of the copy lead to the originals. */
function absoluteImports(root: string, file: SourceFile): string {
  let { text } = file;
  const sourcesOf = file.body.filter((node) => isTree(node['source'])).map((node) => node['source'] as Tree);
  for (const source of sourcesOf.toSorted((a, b) => b.start - a.start)) {
    const value = String(source['value']);
    if (!value.startsWith('.')) continue;
    const target = pathToFileURL(join(root, dirname(file.path), value)).pathname;
    text = `${text.slice(0, source.start)}'${target}'${text.slice(source.end)}`;
  }
  return text;
}

/**
 * Collects the constant statements of files.
 * @param paths from the root; none whose import starts something
 */
export async function constantStatements(
  root: string,
  sources: Sources,
  paths: readonly string[],
): Promise<{ readonly constant: Statement[]; readonly dynamic: string[] }> {
  const data = join(root, '.data');
  mkdirSync(data, { recursive: true });
  const directory = mkdtempSync(join(data, 'statements-'));
  const constant: Statement[] = [];
  const dynamic: string[] = [];
  try {
    for (const path of paths) {
      const file = sources.file(path);
      const calls = callsOf(sources, file);
      if (calls.length === 0) continue;
      const copy = join(directory, path.replaceAll('/', '__'));
      const handed = calls.map(({ text }) => `() => (${text})`).join(',\n');
      writeFileSync(copy, `${absoluteImports(root, file)}\nexport const statements = [\n${handed}\n];\n`);
      const { statements } = (await import(copy)) as { statements: (() => unknown)[] };
      for (const [index, call] of calls.entries()) {
        const sql = valueOf(statements[index]);
        if (typeof sql === 'string') constant.push({ ...call, sql });
        else dynamic.push(call.place);
      }
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return { constant, dynamic };
}

/** Null: the text needs what only a call knows. */
function valueOf(text: (() => unknown) | undefined): unknown {
  try {
    return text?.();
  } catch (error) {
    if (error instanceof ReferenceError) return null;
    throw error;
  }
}
