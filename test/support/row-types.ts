/** Reads from the source which columns a row type declares, and of which kind each is: as far as a statement can be held to it. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** What a column's value is in JavaScript; `json` stands for everything that is stored as JSON. */
export type Kind = 'string' | 'number' | 'boolean' | 'date' | 'bytes' | 'json';
export interface Column {
  readonly kinds: ReadonlySet<Kind>;
  readonly isArray: boolean;
  /** Some statements leave it out. */
  readonly isOptional: boolean;
}
export type Columns = ReadonlyMap<string, Column>;

/** A node of the parser's tree. */
export interface Tree {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}
const tree = (value: unknown): Tree => value as Tree;
const trees = (value: unknown): Tree[] => (value ?? []) as Tree[];

export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly body: readonly Tree[];
}

/** The files of the source by their path from the root; each is parsed once. */
export class Sources {
  readonly #root: string;
  readonly #files = new Map<string, SourceFile>();

  constructor(root: string) {
    this.#root = root;
  }

  file(path: string): SourceFile {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const text = readFileSync(join(this.#root, path), 'utf8');
    const file = { path, text, body: trees(parseSync(path, text).program.body) };
    this.#files.set(path, file);
    return file;
  }

  /** The declaration of a type name, where the file declares or imports it; null for a name of the language or a package. */
  #declaration(file: SourceFile, name: string): { readonly file: SourceFile; readonly node: Tree } | null {
    for (const statement of file.body) {
      const node = statement.type === 'ExportNamedDeclaration' ? tree(statement['declaration']) : statement;
      const isType = node?.type === 'TSInterfaceDeclaration' || node?.type === 'TSTypeAliasDeclaration';
      if (isType && tree(node['id'])['name'] === name) return { file, node };
      if (statement.type !== 'ImportDeclaration') continue;
      const from = String(tree(statement['source'])['value']);
      if (!from.startsWith('.')) continue;
      for (const specifier of trees(statement['specifiers'])) {
        if (tree(specifier['local'])['name'] !== name) continue;
        const imported = this.file(join(dirname(file.path), from));
        return this.#declaration(imported, String(tree(specifier['imported'])['name']));
      }
    }
    return null;
  }

  /** The columns that a row type declares; null when it cannot be told from the text (a type parameter). */
  columnsOf(file: SourceFile, type: Tree): Columns | null {
    switch (type.type) {
      case 'TSTypeLiteral':
        return this.#members(file, trees(type['members']));
      case 'TSParenthesizedType':
        return this.columnsOf(file, tree(type['typeAnnotation']));
      case 'TSIntersectionType':
        return this.#merged(trees(type['types']).map((part) => this.columnsOf(file, part)));
      case 'TSTypeReference':
        return this.#referenced(file, type);
      default:
        return null;
    }
  }

  #referenced(file: SourceFile, type: Tree): Columns | null {
    const name = String(tree(type['typeName'])['name']);
    const given = trees(tree(type['typeArguments'] ?? {})['params']);
    if ((name === 'Pick' || name === 'Omit') && given.length === 2) {
      const base = this.columnsOf(file, tree(given[0]));
      const keys = literalsOf(tree(given[1]));
      if (base === null || keys === null) return null;
      return new Map([...base].filter(([key]) => keys.includes(key) === (name === 'Pick')));
    }
    if (name === 'Readonly' && given.length === 1) return this.columnsOf(file, tree(given[0]));
    const found = this.#declaration(file, name);
    if (found === null) return null;
    if (found.node.type === 'TSTypeAliasDeclaration')
      return this.columnsOf(found.file, tree(found.node['typeAnnotation']));
    const own = this.#members(found.file, trees(tree(found.node['body'])['body']));
    const inherited = trees(found.node['extends']).map((parent) =>
      this.#referenced(found.file, { ...parent, typeName: parent['expression'] }),
    );
    return this.#merged([...inherited, own]);
  }

  #merged(parts: readonly (Columns | null)[]): Columns | null {
    const all = new Map<string, Column>();
    for (const part of parts) {
      if (part === null) return null;
      for (const [name, column] of part) all.set(name, column);
    }
    return all;
  }

  #members(file: SourceFile, members: readonly Tree[]): Columns {
    const columns = new Map<string, Column>();
    for (const member of members) {
      if (member.type !== 'TSPropertySignature') continue;
      const key = tree(member['key']);
      const name = String(key['name'] ?? key['value']);
      const column = this.#column(file, tree(tree(member['typeAnnotation'])['typeAnnotation']));
      columns.set(name, { ...column, isOptional: member['optional'] === true });
    }
    return columns;
  }

  #column(file: SourceFile, type: Tree): Column {
    if (type.type === 'TSTypeOperator' && type['operator'] === 'keyof')
      return { isArray: false, isOptional: false, kinds: new Set(['string']) };
    if (type.type === 'TSTypeOperator') return this.#column(file, tree(type['typeAnnotation']));
    if (type.type === 'TSArrayType')
      return { ...this.#column(file, tree(type['elementType'])), isArray: true };
    if (type.type === 'TSUnionType') {
      const parts = trees(type['types'])
        .filter((part) => part.type !== 'TSNullKeyword')
        .map((part) => this.#column(file, part));
      return {
        isArray: parts.some((part) => part.isArray),
        isOptional: false,
        kinds: new Set(parts.flatMap((part) => [...part.kinds])),
      };
    }
    return this.#plain(file, type);
  }

  #plain(file: SourceFile, type: Tree): Column {
    const one = (kind: Kind): Column => ({ isArray: false, isOptional: false, kinds: new Set([kind]) });
    switch (type.type) {
      case 'TSStringKeyword':
      case 'TSTemplateLiteralType':
        return one('string');
      case 'TSNumberKeyword':
        return one('number');
      case 'TSBooleanKeyword':
        return one('boolean');
      case 'TSLiteralType': {
        const { value } = tree(type['literal']);
        return one(typeof value === 'boolean' ? 'boolean' : typeof value === 'number' ? 'number' : 'string');
      }
      case 'TSIndexedAccessType': {
        // One of a list of constants.
        if (/^\(?typeof/.test(file.text.slice(type.start, type.end))) return one('string');
        // Those names of a table whose rows fit.
        if (tree(type['objectType']).type === 'TSMappedType') return one('string');
        const columns = this.columnsOf(file, tree(type['objectType']));
        const [key] = literalsOf(tree(type['indexType'])) ?? [];
        return columns?.get(key ?? '') ?? one('json');
      }
      case 'TSTypeReference': {
        const name = String(tree(type['typeName'])['name']);
        if (name === 'Date') return one('date');
        if (name === 'Buffer' || name === 'Uint8Array') return one('bytes');
        const [given] = trees(tree(type['typeArguments'] ?? {})['params']);
        if (name === 'Exclude' && given !== undefined) return this.#column(file, given);
        const found = this.#declaration(file, name);
        // `Json` is a union of its own; whatever is an object was stored as JSON.
        if (found === null || name === 'Json' || found.node.type === 'TSInterfaceDeclaration')
          return one('json');
        return this.#column(found.file, tree(found.node['typeAnnotation']));
      }
      default:
        return one('json');
    }
  }
}

/** The string literals of a union of them. */
function literalsOf(type: Tree): string[] | null {
  if (type.type === 'TSLiteralType') return [String(tree(type['literal'])['value'])];
  if (type.type !== 'TSUnionType') return null;
  const parts = trees(type['types']).map(literalsOf);
  return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
}
