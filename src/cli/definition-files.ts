/** Definitions as files: JSON or YAML, a whole workflow or its graph alone. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { isBound, parseExactJson } from '../graph/exact-json.ts';
import type { validate } from '../graph/validate.ts';
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

/** `@file`, or JSON itself, of any kind. @throws CommandError, also for a key that the service refuses in any body */
export async function readValue(given: string): Promise<unknown> {
  const isFile = given.startsWith('@');
  const path = given.slice(1);
  const text = isFile ? await readText(path) : given;
  const value = parseValue(text, { path: isFile ? path : null });
  const forbidden = findForbiddenKey(value as Json);
  if (forbidden === null) return value;
  throw new CommandError(`${isFile ? `${path}: ` : ''}The key ${forbidden} is not allowed`, EXIT.usage);
}

/** @param path of the file that the text was read from; null: it is an argument, and JSON */
function parseValue(text: string, { path }: { readonly path: string | null }): unknown {
  try {
    return path !== null && extname(path) !== '.json'
      ? parse(text, reviveExactly, { intAsBigInt: true })
      : parseExactJson(text);
  } catch (error) {
    throw new CommandError(`${path ?? 'This is no JSON'}: ${(error as Error).message}`, EXIT.usage);
  }
}

/** `@file`, or JSON itself, as an object; none for nothing. @throws CommandError */
export async function readInput(given: string | undefined): Promise<Fields> {
  const value = given === undefined ? {} : await readValue(given);
  if (!isFields(value)) throw new CommandError('The input is not an object', EXIT.usage);
  return value;
}

/** @throws CommandError when it is neither a workflow nor a graph */
export async function readWorkflowFile(path: string): Promise<WorkflowFile> {
  const value = await readValue(`@${path}`);
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
  const id = isWhole && typeof value['id'] === 'string' ? value['id'] : null;
  return { path, id, fields: { ...Object.fromEntries(kept), name, workflow_schema: schema } };
}

export async function readFolder(folder: string): Promise<WorkflowFile[]> {
  const names = await readdir(folder).catch((error: Error) => {
    throw new CommandError(`${folder} cannot be read: ${error.message}`, EXIT.usage);
  });
  const found = names.filter((name) => /\.(json|ya?ml)$/.test(name)).sort();
  return Promise.all(found.map((name) => readWorkflowFile(join(folder, name))));
}

/** Writes a workflow in the format of its path's ending. */
export async function writeWorkflowFile(path: string, workflow: Fields): Promise<void> {
  const kept: Fields = { id: workflow['id'], ...keptOf(workflow) };
  await writeFile(path, extname(path) === '.json' ? `${JSON.stringify(kept, null, 2)}\n` : stringify(kept));
}

export const keptOf = (workflow: Fields): Fields =>
  Object.fromEntries(KEPT.filter((key) => workflow[key] !== undefined).map((key) => [key, workflow[key]]));

/** The checks of the service. */
export async function problemsOf(file: WorkflowFile): Promise<ReturnType<typeof validate>> {
  // Loaded here alone: the rules of all kinds take as long as all the rest of a command's start.
  const rules = await Promise.all([import('../graph/validate.ts'), import('../nodes/registry.ts')]);
  const [{ validate: check }, { kindRules }] = rules;
  return check(file.fields.workflow_schema, kindRules);
}
