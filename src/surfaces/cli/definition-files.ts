/** Reads, writes and checks workflow files: JSON or YAML, a whole workflow or only its graph. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { buffer as readStream } from 'node:stream/consumers';
import { isNode, LineCounter, parse, parseDocument } from 'yaml';
import { isBound, parseExactJson } from '../../language/graph/values/exact-json.ts';
import { findJsonErrorOffset } from '../../language/graph/values/json-error-offset.ts';
import { findForbiddenKey, type Json, type JsonObject } from '../../language/graph/values/value.ts';
import { isUuid } from '../../base/uuid.ts';
import { CommandError, EXIT } from './exit.ts';
import { mapReferences } from './references.ts';

export interface Fields {
  readonly [name: string]: unknown;
}

/** A parsed workflow file. */
export interface WorkflowFile {
  readonly path: string;
  /** The name by which folders and environments know the workflow. */
  readonly slug: string;
  /** Id that an earlier version of the command line wrote into the file; null otherwise. */
  readonly id: string | null;
  readonly fields: Fields & { readonly name: string; readonly workflow_schema: Fields };
  /** Path of the definition in the file. */
  readonly schemaPath: readonly string[];
  /** The parsed content. */
  readonly value: Fields;
  readonly text: string;
}

/** A problem of a file. */
export interface Finding {
  readonly file: string;
  /** From 1; null when the parser gives none. */
  readonly line: number | null;
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  /** Path in the definition. */
  readonly path: readonly (string | number)[];
  /** Both values of a conflict; a side without one removed it. */
  readonly values?: { readonly ours?: Json | undefined; readonly theirs?: Json | undefined };
}

/** The fields of a workflow that a file contains; the service sets the others. */
const FILE_FIELDS = [
  'name',
  'description',
  'version',
  'tags',
  'category',
  'input',
  'config',
  'workflow_schema',
];

/** Reserved in a folder: it describes environments and not a workflow. */
export const ENVIRONMENTS_FILE = 'environments.yaml';
const SLUG = /^[a-z0-9][a-z0-9_-]{0,99}$/;

/** Converts a name to a slug. */
export const toSlug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .slice(0, 100)
    .replaceAll(/^[-_]+|-+$/g, '') || 'workflow';

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws CommandError for a text that is not UTF-8: a push would save it with other characters */
function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(`${path}:1: the file is not UTF-8`, EXIT.usage);
  }
}

/** @returns the text of a file without a byte order mark @throws CommandError when it cannot be read or is not UTF-8 */
export const readText = async (path: string): Promise<string> =>
  decode(
    path,
    await readFile(path).catch((error: Error) => {
      throw new CommandError(`Cannot read ${path}: ${error.message}`, EXIT.usage);
    }),
  );

/** Keeps all digits of YAML's integers, as `parseExactJson` does for JSON. */
function reviveExactly(this: unknown, key: unknown, value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) || (isFields(this) && isBound(this, String(key)))
    ? number
    : String(value);
}

/** Begins the first conflict that git has left in a file. */
const CONFLICT = /^<{7}(?: |$)/m;

/** @returns what a parser says, in one line and without the place */
export function describeSyntaxError(error: unknown, text: string): string {
  if (CONFLICT.test(text))
    return 'git has left a conflict in the file: resolve it, or take either side and pull';
  // The parsers go down into what a value contains.
  if (error instanceof RangeError) return 'an alias contains itself, or the nesting is too deep';
  // A YAML error shows the lines of the text below its message.
  const [message = ''] = (error as Error).message.split(/ at line \d+, column \d+:\n/);
  return message.replaceAll(/\s+/g, ' ');
}

/** @returns the line of a parse error as `:12`; empty when the parsers give none */
function formatErrorLine(error: unknown, text: string): string {
  const conflict = CONFLICT.exec(text);
  if (conflict !== null) return `:${text.slice(0, conflict.index).split('\n').length}`;
  const offset = findJsonErrorOffset(text, error);
  if (offset !== null) return `:${text.slice(0, offset).split('\n').length}`;
  // Some JSON errors have no position; parsed as YAML, most have a line.
  const line = parseDocument(text).errors[0]?.linePos?.[0].line;
  return line === undefined ? '' : `:${line}`;
}

/**
 * Parses a text.
 * @param prefix of the error message
 * @throws CommandError for invalid syntax and for a key that no request body may have
 */
function parseText(text: string, parse: () => unknown, prefix: (error?: unknown) => string): unknown {
  let value: unknown;
  try {
    value = parse();
  } catch (error) {
    throw new CommandError(`${prefix(error)}${describeSyntaxError(error, text)}`, EXIT.usage);
  }
  const forbidden = findForbiddenKey(value as Json);
  if (forbidden === null) return value;
  throw new CommandError(`${prefix()}The key ${forbidden} is not allowed`, EXIT.usage);
}

/** @throws CommandError with the file and the line */
const parseFile = (path: string, text: string): unknown =>
  parseText(
    text,
    () =>
      extname(path) === '.json' ? parseExactJson(text) : parse(text, reviveExactly, { intAsBigInt: true }),
    (error) => `${path}${error === undefined ? '' : formatErrorLine(error, text)}: `,
  );

/** Reads any JSON value. @param given JSON, `@file`, or `-` for stdin */
export async function readValue(given: string): Promise<unknown> {
  if (given === '-') return parseFile('stdin', decode('stdin', await readStream(process.stdin)));
  if (given.startsWith('@')) return parseFile(given.slice(1), await readText(given.slice(1)));
  return parseText(
    given,
    () => parseExactJson(given),
    (error) => (error === undefined ? '' : 'Invalid JSON: '),
  );
}

/** Reads a JSON object; empty for undefined. @param given JSON, `@file`, or `-` for stdin */
export async function readInput(given: string | undefined): Promise<Fields> {
  const value = given === undefined ? {} : await readValue(given);
  if (!isFields(value)) throw new CommandError('The input must be a JSON object', EXIT.usage);
  return value;
}

/** Reads a list of JSON objects. @param given JSON, `@file`, or `-` for stdin */
export async function readInputs(given: string): Promise<readonly Fields[]> {
  const value = await readValue(given);
  if (!Array.isArray(value) || !value.every(isFields))
    throw new CommandError('The inputs must be a list of JSON objects', EXIT.usage);
  return value;
}

/** @throws CommandError when it is neither a workflow nor a graph */
export const readWorkflowFile = async (path: string): Promise<WorkflowFile> =>
  parseWorkflowFile(path, await readText(path));

/** @throws CommandError when the text is neither a workflow nor a graph */
export function parseWorkflowFile(path: string, text: string): WorkflowFile {
  const value = parseFile(path, text);
  if (!isFields(value)) throw new CommandError(`${path}:1: expected an object`, EXIT.usage);
  const schema = value['workflow_schema'] ?? value;
  if (!isFields(schema) || !Array.isArray(schema['nodes']))
    throw new CommandError(`${path}:1: expected a workflow or its graph, with nodes`, EXIT.usage);
  const isWhole = schema !== value;
  const metadata = isFields(schema['metadata']) ? schema['metadata'] : {};
  // The service prefers the metadata's name.
  const named = metadata['name'] ?? (isWhole ? value['name'] : undefined);
  const name = typeof named === 'string' ? named : basename(path, extname(path));
  const kept = isWhole ? Object.entries(value).filter(([key]) => FILE_FIELDS.includes(key)) : [];
  const id = isWhole && typeof value['id'] === 'string' ? value['id'].toLowerCase() : null;
  const fields = { ...Object.fromEntries(kept), name, workflow_schema: schema };
  const slug = isWhole && value['slug'] !== undefined ? value['slug'] : toSlug(basename(path, extname(path)));
  if (typeof slug !== 'string' || !SLUG.test(slug)) {
    const line = /^slug:/m.exec(text)?.index ?? 0;
    const message = 'the slug must consist of lower-case letters, digits, - and _';
    throw new CommandError(`${path}:${text.slice(0, line).split('\n').length}: ${message}`, EXIT.usage);
  }
  return { path, slug, id, fields, schemaPath: isWhole ? ['workflow_schema'] : [], value, text };
}

export const isError = ({ severity }: Finding): boolean => severity === 'error';

interface ReadFiles {
  readonly files: readonly WorkflowFile[];
  /** The files that could not be read, with the reason. */
  readonly unread: readonly { readonly path: string; readonly message: string }[];
}

/** Reads files, and the workflow files of folders. */
export async function readFiles(paths: readonly string[]): Promise<ReadFiles> {
  const files: WorkflowFile[] = [];
  const unread: { path: string; message: string }[] = [];
  for (const path of paths)
    try {
      if (await isFolder(path)) {
        const found = await readFolder(path);
        files.push(...found.files);
        unread.push(...found.unread);
      } else files.push(await readWorkflowFile(path));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      unread.push({ path, message: error.message });
    }
  return { files, unread };
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Reads the workflow files of a folder, without hidden files. */
export async function readFolder(folder: string): Promise<ReadFiles> {
  const names = await readdir(folder).catch((error: Error) => {
    throw new CommandError(`Cannot read ${folder}: ${error.message}`, EXIT.usage);
  });
  const found = names
    .filter((name) => /^[^.].*\.(json|ya?ml)$/.test(name) && name !== ENVIRONMENTS_FILE)
    .sort();
  return readFiles(found.map((name) => join(folder, name)));
}

/** Builds a function that finds the line of a path in a definition; a missing path has the line of its parent. */
function createLineFinder({ text, schemaPath }: WorkflowFile): (path: Finding['path']) => number | null {
  const lines = new LineCounter();
  // JSON parses as YAML, with the same lines.
  const document = parseDocument(text, { lineCounter: lines });
  return (path) => {
    for (const at = [...schemaPath, ...path]; ; at.pop()) {
      const found = document.getIn(at, true);
      const [start] = (isNode(found) ? found.range : null) ?? [];
      if (start !== undefined) return lines.linePos(start).line;
      if (at.length === 0) return null;
    }
  };
}

/** Stands for the id of a reference by name. */
const ANY_ID = '00000000-0000-4000-8000-000000000000';

type Problem = Pick<Finding, 'severity' | 'code' | 'message' | 'path'>;

/** Adds the file and the line to problems of a definition. */
export function locateProblems(file: WorkflowFile, problems: readonly Problem[]): Finding[] {
  if (problems.length === 0) return [];
  const findLine = createLineFinder(file);
  return problems.map(({ severity, code, message, path }) => ({
    file: file.path,
    line: findLine(path),
    severity,
    code,
    message,
    path,
  }));
}

/** Validates files with the service's own rules. */
export async function findProblems(files: readonly WorkflowFile[]): Promise<Finding[]> {
  // Loading the rules doubles the start time of a command, so only validation loads them.
  const rules = await Promise.all([
    import('../../language/graph/checks/validate.ts'),
    import('../../language/nodes/registry.ts'),
  ]);
  const [{ validate }, { kindRules }] = rules;
  return files.flatMap((file) => {
    // The rules expect ids: a name is resolved later, by the environment to which the file is pushed.
    const definition = mapReferences(file.fields.workflow_schema as JsonObject, ({ name }) =>
      isUuid(name) ? name : ANY_ID,
    );
    return locateProblems(file, validate(definition, kindRules));
  });
}
