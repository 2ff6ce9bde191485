/** Tools that read the OpenAPI document strictly would reject it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { renderOpenApi30 } from '../../src/platform/http/docs/openapi-3-0.ts';
import { starterDefinition } from '../../src/features/workflows/starter.ts';
import { asking, mixed } from '../faults/support/shapes.ts';
import { apiDocument } from '../../src/processes/api-document.ts';
import type { HttpRecorder } from '../support/http-recorder.ts';
import { ROOT } from './readmes.ts';

const document = apiDocument();

interface Lint {
  readonly totals: { readonly errors: number };
  readonly problems: readonly { readonly ruleId: string; readonly message: string }[];
}

async function lint(text: string): Promise<Lint> {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  try {
    writeFileSync(join(folder, 'openapi.json'), text);
    writeFileSync(join(folder, 'redocly.yaml'), 'extends: [recommended]\n');
    const redocly = join(ROOT, 'node_modules', '.bin', 'redocly');
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const args = ['lint', 'openapi.json', '--format', 'json', '--max-problems', '1000'];
    const done = await promisify(execFile)(redocly, args, { cwd: folder, env, maxBuffer: 64 << 20 }).catch(
      (error: { stdout: string }) => error,
    );
    return JSON.parse(done.stdout) as Lint;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('Redocly finds nothing, but paths that a reader must take in order', async () => {
  const { totals, problems } = await lint(JSON.stringify(document));
  expect(totals.errors).toBe(0);
  const told = problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
  // The specification gives `listen`; whoever has an id that reads `listen` does not exist, for ids are UUIDs.
  const twice = (other: string) =>
    `no-ambiguous-paths: Paths should resolve unambiguously. Found two ambiguous paths: \`/workflows/listen/{run_id}\` and \`/workflows/{workflow_id}/${other}\`.`;
  expect(told).toEqual([
    twice('deploy'),
    twice('deployments'),
    twice('sheet'),
    twice('rehearsals'),
    twice('hooks'),
    twice('error-workflow'),
  ]);
});

test('the document as OpenAPI 3.0 has none of the keywords of 3.1, and a type wherever null is allowed', () => {
  const text = JSON.stringify(renderOpenApi30(document));
  const keywords = [
    /"type":(?:\[|"null")/,
    /"(?:unevaluatedProperties|dependentRequired|propertyNames|contentSchema|contentMediaType|webhooks)":/,
    /"\$ref":"[^"]*",|,"\$ref"/,
    /"exclusiveMinimum":\d/,
    /\{(?:"description":"[^"]*",)?"nullable"/,
    // Go's client of OpenAPI Generator refuses each value of a nullable text with a pattern.
    /"pattern":"(?:[^"\\]|\\.)*"[^{}]*"nullable":true|"nullable":true[^{}]*"pattern":/,
  ];
  for (const keyword of keywords) expect(keyword.exec(text)?.[0]).toBeUndefined();
  const { schemas } = renderOpenApi30(document)['components'] as { schemas: JsonObject };
  expect(schemas['HttpAgentTool']).toMatchObject({
    properties: { kind: { $ref: '#/components/schemas/HttpAgentToolKind' } },
  });
  expect(schemas['HttpAgentToolKind']).toMatchObject({ type: 'string', enum: ['http'] });
});

test('each alternative of a tool of an agent has all fields and a name of its own', () => {
  const { schemas } = document['components'] as { schemas: Record<string, JsonObject> };
  const { oneOf } = schemas['AgentTool'] as { oneOf: { $ref: string }[] };
  const names = oneOf.map(({ $ref }) => $ref.slice('#/components/schemas/'.length));
  expect(names).toContain('HttpAgentTool');
  for (const name of names) expect(Object.keys(schemas[name]?.['properties'] ?? {})).toContain('approval');
});

test('a document without what it refers to is found out', async () => {
  const broken = JSON.stringify(document).replace(
    '#/components/schemas/RunEvent"',
    '#/components/schemas/None"',
  );
  expect((await lint(broken)).totals.errors).toBeGreaterThan(0);
});

test('no pattern has classes of letters, which the regular expressions of Python do not know', () => {
  expect(JSON.stringify(document).match(/"pattern":"[^"]*\\\\[pP]\{[^"]*"/g) ?? []).toEqual([]);
});

test('no default of a union: what generators of clients make of one does not compile', () => {
  const text = JSON.stringify(document);
  const unions = [
    /"default":\{[^{}]*\},"\$ref"/,
    /"default":(?!null)[^,{}[\]]+,"anyOf":\[(?!\{[^{}]*\},\{"type":"null"\}\])/,
  ];
  for (const union of unions) expect(union.exec(text)?.[0]).toBeUndefined();
});

describe('definitions against WorkflowDefinition', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'openapi');
  const fits = (definition: object): boolean =>
    ajv.validate('openapi#/components/schemas/WorkflowDefinition', definition);
  const recorder = { origin: 'http://127.0.0.1:1' } as HttpRecorder;

  const readme = readFileSync(join(ROOT, 'src/language/graph/README.md'), 'utf8');
  const written = [...readme.matchAll(/```json\n([\s\S]*?)```/g)]
    .map(([, text]) => JSON.parse(text ?? '') as JsonObject)
    .filter((example) => Object.hasOwn(example, 'nodes'));
  test('those of the README fit', () => {
    expect(written.length).toBeGreaterThanOrEqual(2);
    for (const definition of written) expect(fits(definition), ajv.errorsText()).toBe(true);
  });

  test.each([
    ['the starter', starterDefinition(null)],
    ['the starter with a model', starterDefinition('some-model')],
    ['twenty nodes of every effect class', mixed(recorder)],
    ['a question', asking(recorder)],
  ])('%s fits', (_, definition) => {
    expect(fits(definition), ajv.errorsText()).toBe(true);
  });

  test.each([
    ['a method that there is not', { kind: 'http', method: 'GOT', url: 'http://127.0.0.1' }],
    ['a tool of no kind', { kind: 'htpt', method: 'GET', url: 'http://127.0.0.1' }],
    ['no address', { kind: 'http', method: 'GET' }],
  ])('%s does not', (_, config) => {
    expect(fits({ nodes: [{ id: 'a', type: 'tool', config }], edges: [] })).toBe(false);
  });
});
