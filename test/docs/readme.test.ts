/** The README against the code: what it names exists, and what it shows as a definition is one. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ENTITLEMENT_KEYS, MILLICREDITS, PLANS, type Plan } from '../../src/billing/plans.ts';
import { SEARCH_MC, tokenCost } from '../../src/billing/prices.ts';
import { MAX_EDGES, MAX_NODES } from '../../src/graph/definition.ts';
import { MAX_EXECUTIONS } from '../../src/graph/schedule.ts';
import { validate } from '../../src/graph/validate.ts';
import { isObject, type JsonObject } from '../../src/graph/value.ts';
import { allRoutes } from '../../src/resources/tables.ts';
import { MAX_CHILD_DEPTH } from '../../src/runs/accept/child-run.ts';
import { BATCH_INTERVAL_MS, RECURSION_LIMIT } from '../../src/runs/accept/limits.ts';
import { kindRules, nodeKinds } from '../../src/nodes/registry.ts';
import { MAX_IN_FLIGHT } from '../../src/runs/execute/protocol.ts';
import { SEARCH_ATTRIBUTES } from '../../temporal/contract.ts';
import { configVariables } from '../support/variables.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TEXT = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** The matches of a pattern with one group, each once. */
const named = (pattern: RegExp, text = TEXT): string[] => [
  ...new Set([...text.matchAll(pattern)].map((found) => found[1] ?? '')),
];

/** What stands between a heading and the next one of its level. */
function section(heading: string): string {
  const [, body] = TEXT.split(`\n## ${heading}\n`);
  if (body === undefined) throw new Error(`the README has no section "${heading}"`);
  return body.split('\n## ')[0] ?? '';
}

const blocks = (language: string): string[] =>
  [...TEXT.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter((found) => found[1] === language)
    .map((found) => found[2] ?? '');

interface Call {
  readonly method: string;
  readonly path: string;
}
const shown = ({ method, path }: Call): string => `${method} ${path}`;

/** The calls of `curl` in the examples; a line that ends with a backslash goes on. */
function curlCalls(): Call[] {
  const lines = blocks('sh').flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'));
  return lines
    .filter((line) => line.startsWith('curl '))
    .map((line) => {
      const path = /\$API(\/[^\s"?]*)/.exec(line)?.[1];
      if (path === undefined) throw new Error(`no address in: ${line}`);
      return { method: / -X ([A-Z]+) /.exec(line)?.[1] ?? (/ -d /.test(line) ? 'POST' : 'GET'), path };
    });
}

/** The routes that the text names: `GET /workflow-runs/{run_pk}`. */
const spokenCalls = (): Call[] =>
  [...TEXT.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[\w/{}-]*)/g)].map(([, method = '', path = '']) => ({
    method,
    path,
  }));

/** Ids in paths: shell variables, path parameters, and ids as they are shown, cut or whole. */
const ID = /^(?:\$\w+|\{\w+\}|[0-9a-f]{8}-.*)$/;

const isServed = ({ method, path }: Call): boolean => {
  const given = path.split('/');
  return allRoutes().some((row) => {
    const wanted = row.path.split('/');
    return (
      row.method === method &&
      wanted.length === given.length &&
      wanted.every((part, at) => (part.startsWith(':') ? ID.test(given[at] ?? '') : part === given[at]))
    );
  });
};

/** Definitions in the examples: JSON blocks with nodes, and the body of a created workflow. */
function definitions(): JsonObject[] {
  const heredocs = named(/<<'JSON'\n([\s\S]*?)\nJSON\n/g);
  const whole = blocks('json').filter((block) => /"nodes"/.test(block));
  return [...heredocs, ...whole].map((text) => {
    const value = JSON.parse(text) as JsonObject;
    return isObject(value['workflow_schema']) ? value['workflow_schema'] : value;
  });
}

const number = (value: number): string => value.toLocaleString('en-US');

/** The cells of the row of a section's table that begins with `first`. */
function cells(heading: string, first: string): string[] {
  const row = section(heading)
    .split('\n')
    .find((line) => line.startsWith(`| ${first} |`));
  if (row === undefined) throw new Error(`"${heading}" has no row "${first}"`);
  return row
    .slice(1, -1)
    .split('|')
    .slice(1)
    .map((cell) => cell.trim());
}

/** All files of the tests, as one text. */
const testSources = (): string =>
  readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('docs'))
    .map((path) => readFileSync(join(ROOT, 'test', path), 'utf8'))
    .join('\n');

describe('README.md', () => {
  test('every npm script that it names exists', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const names = named(/npm run (?:-s )?([a-z][\w:-]*)/g);
    expect(names).toContain('demo');
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('every file and folder that it names exists', () => {
    const paths = [
      ...named(/(?<![\w./@-])((?:src|temporal|test|prisma|\.ci)\/[\w./-]*[\w/])/g),
      ...named(/^(package\.json|tsconfig\.json|docker-compose\.yml|\.env\.example)/gm),
    ];
    expect(paths).toContain('src/runs/accept/accept.ts');
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('every folder of the source is on its map', () => {
    const folders = ['src', 'temporal'].flatMap((top) =>
      readdirSync(join(ROOT, top), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => `${top}/${entry.name}/`),
    );
    const mapped = named(/^((?:src|temporal)\/[\w-]+\/) /gm, section('Map of the tree'));
    expect(mapped.toSorted()).toEqual(folders.toSorted());
  });

  test('its table of variables is the environment of src/config.ts', () => {
    const rows = named(/^\| `([A-Z][A-Z0-9_]+)`/gm, section('In production'));
    expect(rows.toSorted()).toEqual(configVariables().toSorted());
  });

  test('every route in its examples is served', () => {
    const calls = curlCalls();
    expect(calls.map(shown)).toContain('POST /workflows/run');
    expect(calls.filter((call) => !isServed(call)).map(shown)).toEqual([]);
  });

  test('every route that it speaks of is served', () => {
    const calls = spokenCalls();
    expect(calls.map(shown)).toContain('GET /system/health');
    expect(calls.filter((call) => !isServed(call)).map(shown)).toEqual([]);
  });

  test('every definition that it shows is valid', () => {
    const found = definitions();
    expect(found.length).toBeGreaterThanOrEqual(3);
    for (const definition of found) expect(validate(definition, kindRules)).toEqual([]);
  });

  test('its table of kinds knows every type of node', () => {
    const firstCells = named(/^\| (`[^|]*) \|/gm, section('The definition language')).join(' ');
    for (const { type } of nodeKinds) expect(firstCells).toContain(`\`${type}\``);
  });

  test.each([
    ['Nodes of a definition', [MAX_NODES]],
    ['Edges of a definition', [MAX_EDGES]],
    ['Node executions of a run ', [MAX_EXECUTIONS]],
    ['Depth of a run', [RECURSION_LIMIT.min, RECURSION_LIMIT.max, RECURSION_LIMIT.default]],
    ['`batch_interval_ms`', [BATCH_INTERVAL_MS.min, BATCH_INTERVAL_MS.max, BATCH_INTERVAL_MS.default]],
    ['Node executions of a run at once', [MAX_IN_FLIGHT]],
    ['Sub-workflows', [MAX_CHILD_DEPTH]],
  ])('its limit "%s" is the one of the code', (words, values) => {
    const row = section('Limits')
      .split('\n')
      .find((line) => line.startsWith(`| ${words}`));
    const cell = row?.split(' | ')[1] ?? '';
    expect(cell.match(/\d[\d,]*\d|\d/g)).toEqual(values.map(number));
  });

  test.each(Object.keys(PLANS) as Plan[])('its plan %s is the one of the code', (plan) => {
    const values = ENTITLEMENT_KEYS.map((key) => PLANS[plan][key]);
    const words = values.map((value) => (value === null ? 'unlimited' : number(value)));
    expect(cells('Plans and prices', `\`${plan}\``)).toEqual(words);
  });

  test.each([
    ['1,000 tokens in', { input_tokens: 1_000, output_tokens: 0 }],
    ['1,000 tokens out', { input_tokens: 0, output_tokens: 1_000 }],
  ])('its price of %s is the one of the code', (words, tokens) => {
    expect(cells('Plans and prices', words)).toEqual([number(tokenCost('llm', tokens) / MILLICREDITS)]);
  });

  test('its prices of knowledge bases are those of the code', () => {
    const tokens = { input_tokens: 1_000, output_tokens: 0 };
    const embedded = tokenCost('embedding', tokens) / MILLICREDITS;
    expect(cells('Plans and prices', '1,000 tokens of documents, embedded')).toEqual([String(embedded)]);
    expect(cells('Plans and prices', 'a search')).toEqual([number(SEARCH_MC / MILLICREDITS)]);
  });

  test('it knows every command of the operator', () => {
    const source = readFileSync(join(ROOT, 'src/admin.ts'), 'utf8');
    const commands = named(/^ {2}'([a-z]+:[a-z]+)': \w+,$/gm, source);
    expect(commands).toContain('org:set');
    expect(named(/^ {2}([a-z]+:[a-z]+) /gm, section('For operators')).toSorted()).toEqual(
      commands.toSorted(),
    );
  });

  test('the variables that it names for the tests are read there', () => {
    const names = named(/^\| `([A-Z][A-Z0-9_]+)`/gm, section('Tests'));
    expect(names).toContain('TEST_DATABASE_URL');
    const sources = testSources();
    expect(names.filter((name) => !sources.includes(`process.env['${name}']`))).toEqual([]);
  });

  test('the metrics that it names are collected', () => {
    const source = readFileSync(join(ROOT, 'src/observe/metrics.ts'), 'utf8');
    const collected = named(/name: '(\w+)'/g, source);
    const text = section('For operators');
    expect(collected.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  test('it registers the search attributes that the service uses', () => {
    const text = section('In production');
    for (const name of Object.keys(SEARCH_ATTRIBUTES)) expect(text).toContain(name);
  });

  test('its links within the page lead somewhere', () => {
    const anchors = named(/^## (.+)$/gm).map((heading) => heading.toLowerCase().replaceAll(' ', '-'));
    expect(named(/\]\(#([\w-]+)\)/g).filter((anchor) => !anchors.includes(anchor))).toEqual([]);
  });
});
