/** Definitions as files: JSON or YAML, a whole workflow or its graph alone. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { isNode, LineCounter, parse, parseDocument, stringify } from 'yaml';
import { isBound, parseExactJson } from '../graph/exact-json.ts';
import { findForbiddenKey, type Json } from '../graph/value.ts';
import { CommandError, EXIT } from './exit.ts';

export interface Fields {
  readonly [name: string]: unknown;
}

/** A workflow as its file has it; `id` is there once it has been pulled or pushed. */
export interface WorkflowFile {
  readonly path: string;
  readonly id: string | null;
  readonly fields: Fields & { readonly name: string; readonly workflow_schema: Fields };
  /** Where the definition stands in the file. */
  readonly schemaAt: readonly string[];
  readonly text: string;
}

/** Something wrong with a file. */
export interface Finding {
  readonly file: string;
  /** From 1; null where the parser does not tell. */
  readonly line: number | null;
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  /** Where in the definition. */
  readonly path: readonly (string | number)[];
}

/** What a file holds of a workflow; the rest is the service's. */
const KEPT = ['name', 'description', 'version', 'tags', 'category', 'input', 'config', 'workflow_schema'];

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const readText = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: Error) => {
    throw new CommandError(`${path} cannot be read: ${error.message}`, EXIT.usage);
  });

/** YAML's whole numbers, with all their digits: as JSON has them (graph/exact-json.ts). */
function reviveExactly(this: unknown, key: unknown, value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) || (isFields(this) && isBound(this, String(key)))
    ? number
    : String(value);
}

/** Finds the line of a text that could not be parsed, where a parser tells; begins with a colon. */
function lineOfError(error: unknown, text: string): string {
  const [, position] = /at position (\d+)/.exec((error as Error).message) ?? [];
  if (position !== undefined) return `:${text.slice(0, Number(position)).split('\n').length}`;
  // Some errors of JSON have no position; as YAML most of them have a line.
  const line = parseDocument(text).errors[0]?.linePos?.[0].line;
  return line === undefined ? '' : `:${line}`;
}

/** Parses a text. @param where begins the message of what is wrong. @throws CommandError, also for a key that no body may have */
function parseText(parse: () => unknown, where: (error?: unknown) => string): unknown {
  let value: unknown;
  try {
    value = parse();
  } catch (error) {
    throw new CommandError(`${where(error)}${(error as Error).message}`, EXIT.usage);
  }
  const forbidden = findForbiddenKey(value as Json);
  if (forbidden === null) return value;
  throw new CommandError(`${where()}The key ${forbidden} is not allowed`, EXIT.usage);
}

/** The text of a file as a value. @throws CommandError with the file and the line */
const parseFile = (path: string, text: string): unknown =>
  parseText(
    () =>
      extname(path) === '.json' ? parseExactJson(text) : parse(text, reviveExactly, { intAsBigInt: true }),
    (error) => `${path}${error === undefined ? '' : lineOfError(error, text)}: `,
  );

/** `@file`, or JSON itself, of any kind. @throws CommandError */
export async function readValue(given: string): Promise<unknown> {
  if (given.startsWith('@')) return parseFile(given.slice(1), await readText(given.slice(1)));
  return parseText(
    () => parseExactJson(given),
    (error) => (error === undefined ? '' : 'This is no JSON: '),
  );
}

/** `@file`, or JSON itself, as an object; none for nothing. @throws CommandError */
export async function readInput(given: string | undefined): Promise<Fields> {
  const value = given === undefined ? {} : await readValue(given);
  if (!isFields(value)) throw new CommandError('The input is not an object', EXIT.usage);
  return value;
}

/** @throws CommandError when it is neither a workflow nor a graph */
export async function readWorkflowFile(path: string): Promise<WorkflowFile> {
  const text = await readText(path);
  const value = parseFile(path, text);
  if (!isFields(value)) throw new CommandError(`${path} is not an object`, EXIT.usage);
  const schema = value['workflow_schema'] ?? value;
  if (!isFields(schema) || !Array.isArray(schema['nodes']))
    throw new CommandError(`${path} has no nodes: it is neither a workflow nor its graph`, EXIT.usage);
  const isWhole = schema !== value;
  const metadata = isFields(schema['metadata']) ? schema['metadata'] : {};
  // The service takes the metadata's name first.
  const named = metadata['name'] ?? (isWhole ? value['name'] : undefined);
  const name = typeof named === 'string' ? named : basename(path, extname(path));
  const kept = isWhole ? Object.entries(value).filter(([key]) => KEPT.includes(key)) : [];
  const id = isWhole && typeof value['id'] === 'string' ? value['id'].toLowerCase() : null;
  const fields = { ...Object.fromEntries(kept), name, workflow_schema: schema };
  return { path, id, fields, schemaAt: isWhole ? ['workflow_schema'] : [], text };
}

export const isError = ({ severity }: Finding): boolean => severity === 'error';

/** Files that could be read, and why the others could not. */
export interface ReadFiles {
  readonly files: readonly WorkflowFile[];
  readonly unread: readonly { readonly path: string; readonly message: string }[];
}

export async function readFiles(paths: readonly string[]): Promise<ReadFiles> {
  const files: WorkflowFile[] = [];
  const unread: { path: string; message: string }[] = [];
  for (const path of paths)
    try {
      files.push(await readWorkflowFile(path));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      unread.push({ path, message: error.message });
    }
  return { files, unread };
}

/** Reads the definitions of a folder; hidden files are none. @throws CommandError for a folder that cannot be read */
export async function readFolder(folder: string): Promise<ReadFiles> {
  const names = await readdir(folder).catch((error: Error) => {
    throw new CommandError(`${folder} cannot be read: ${error.message}`, EXIT.usage);
  });
  const found = names.filter((name) => /^[^.].*\.(json|ya?ml)$/.test(name)).sort();
  return readFiles(found.map((name) => join(folder, name)));
}

/** Writes a workflow in the format of its path's ending. */
export async function writeWorkflowFile(path: string, workflow: Fields): Promise<void> {
  const kept: Fields = { id: workflow['id'], ...keptOf(workflow) };
  await writeFile(path, extname(path) === '.json' ? `${JSON.stringify(kept, null, 2)}\n` : stringify(kept));
}

export const keptOf = (workflow: Fields): Fields =>
  Object.fromEntries(KEPT.filter((key) => workflow[key] !== undefined).map((key) => [key, workflow[key]]));

/** Finds the lines of places in the definition of a file; of a place that is not there, of what should hold it. */
function openLines({ text, schemaAt }: WorkflowFile): (path: Finding['path']) => number | null {
  const lines = new LineCounter();
  // JSON is read as YAML here: its places have the same lines.
  const document = parseDocument(text, { lineCounter: lines });
  return (path) => {
    for (const at = [...schemaAt, ...path]; ; at.pop()) {
      const found = document.getIn(at, true);
      const [start] = (isNode(found) ? found.range : null) ?? [];
      if (start !== undefined) return lines.linePos(start).line;
      if (at.length === 0) return null;
    }
  };
}

type Problem = Pick<Finding, 'severity' | 'code' | 'message' | 'path'>;

/** Problems of a file's definition, with the file and their lines. */
export function locate(file: WorkflowFile, problems: readonly Problem[]): Finding[] {
  if (problems.length === 0) return [];
  const lineOf = openLines(file);
  return problems.map(({ severity, code, message, path }) => ({
    file: file.path,
    line: lineOf(path),
    severity,
    code,
    message,
    path,
  }));
}

/** Checks files as the service does. */
export async function findProblems(files: readonly WorkflowFile[]): Promise<Finding[]> {
  // Loaded here alone: the rules of all kinds take as long as all the rest of a command's start.
  const rules = await Promise.all([import('../graph/validate.ts'), import('../nodes/registry.ts')]);
  const [{ validate }, { kindRules }] = rules;
  return files.flatMap((file) => locate(file, validate(file.fields.workflow_schema, kindRules)));
}
