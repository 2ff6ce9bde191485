/** Has clients that generators make of the OpenAPI document read an example of every frame and of every node. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isObject, type Json, type JsonObject } from '../../../../src/language/graph/values/value.ts';
import { renderOpenApi30 } from '../../../../src/platform/http/docs/openapi-3-0.ts';
import { apiDocument } from '../../../../src/processes/api-document.ts';
import { findPython } from '../../../support/python.ts';
import { ROOT } from '../../../docs/readmes.ts';

const SCRIPT = join(ROOT, 'test', 'surfaces', 'client', 'generators', 'read.sh');
const PREFIX = '#/components/schemas/';
const UNIONS = ['RunEvent', 'Node'] as const;

/** The generators of read.sh, which has their versions. */
export const GENERATORS = [
  'openapi-typescript',
  'hey-api',
  'orval',
  'openapi-python-client',
  'datamodel-code-generator',
  'oapi-codegen',
  'ogen',
  'openapi-generator-go',
] as const;

interface Example {
  readonly union: (typeof UNIONS)[number];
  /** The value of the discriminator. */
  readonly tag: string;
  /** The schema of the alternative. */
  readonly name: string;
  readonly value: JsonObject;
}

/** A line of read.sh. */
interface Result {
  readonly index: number;
  readonly error?: string;
  readonly read?: string;
  readonly value?: Json;
}

/** How many examples a generated client has read, and what is wrong with the others. */
export interface Reading {
  readonly frames: number;
  readonly nodes: number;
  readonly faults: readonly string[];
}

/** @returns the examples of the document, at least one of each alternative. @throws Error for one without */
export function listExamples(document: JsonObject): readonly Example[] {
  const { schemas } = document['components'] as { readonly schemas: Readonly<Record<string, JsonObject>> };
  return UNIONS.flatMap((union) => {
    const { mapping } = (schemas[union] ?? {})['discriminator'] as {
      readonly mapping: Record<string, string>;
    };
    return Object.entries(mapping).flatMap(([tag, ref]) => {
      const name = ref.slice(PREFIX.length);
      const examples = schemas[name]?.['examples'];
      if (!Array.isArray(examples) || examples.length === 0) throw new Error(`${name} has no example`);
      return examples.map((value) => ({ union, tag, name, value: value as JsonObject }));
    });
  });
}

const INSTANT = /^\d{4}-\d\d-\d\dT/;

/** Returns whether a model has written what it has read; it may add defaults, and write whole seconds of an instant. */
function holds(written: Json | undefined, value: Json): boolean {
  if (Array.isArray(value))
    return (
      Array.isArray(written) &&
      written.length === value.length &&
      value.every((item, at) => holds(written[at], item))
    );
  if (isObject(value))
    return isObject(written) && Object.entries(value).every(([name, inner]) => holds(written[name], inner));
  if (typeof value === 'string' && INSTANT.test(value))
    return typeof written === 'string' && Math.abs(Date.parse(written) - Date.parse(value)) < 1000;
  // Python's clients leave out what is null.
  return written === value || (value === null && written === undefined);
}

/** Describes what is wrong with a result; null for one that is right. */
function judge(example: Example, result: Result | undefined): string | null {
  if (result?.read === undefined) return result?.error ?? 'nothing was read';
  if (![example.name, example.tag].includes(result.read)) return `read as ${result.read}`;
  return holds(result.value, example.value) ? null : `written as ${JSON.stringify(result.value)}`;
}

/**
 * Makes a client and reads the examples with it, in a folder of its own.
 * @throws Error when the client cannot be made, with what its generator has printed
 */
export async function readExamples(generator: (typeof GENERATORS)[number]): Promise<Reading> {
  const document = apiDocument();
  const examples = listExamples(document);
  const folder = mkdtempSync(join(tmpdir(), 'generator-'));
  try {
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
    writeFileSync(join(folder, 'openapi-3.0.json'), JSON.stringify(renderOpenApi30(document)));
    writeFileSync(join(folder, 'examples.json'), JSON.stringify(examples));
    const env = { ...process.env };
    if (generator === 'openapi-python-client') env['PYTHON'] = (await findPython()) ?? 'python3';
    const { stdout } = await promisify(execFile)('bash', [SCRIPT, generator], {
      cwd: folder,
      env,
      maxBuffer: 64 << 20,
    });
    const results = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Result);
    const judged = examples.map((example, at) => ({
      example,
      fault: judge(
        example,
        results.find(({ index }) => index === at),
      ),
    }));
    const count = (wanted: Example['union']): number =>
      judged.filter(({ example, fault }) => example.union === wanted && fault === null).length;
    return {
      frames: count('RunEvent'),
      nodes: count('Node'),
      faults: judged.flatMap(({ example: { tag }, fault }) => (fault === null ? [] : [`${tag}: ${fault}`])),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
