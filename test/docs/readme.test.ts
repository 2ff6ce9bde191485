/** A README would name what does not exist, or show an example that the service refuses. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { validate } from '../../src/language/graph/checks/validate.ts';
import { isObject, type JsonObject } from '../../src/language/graph/values/value.ts';
import { kindRules, nodeKinds } from '../../src/language/nodes/registry.ts';
import { findProblems, parseWorkflowFile } from '../../src/surfaces/cli/definition-files.ts';
import { allRoutes } from '../../src/processes/routes.ts';
import { SEARCH_ATTRIBUTES } from '../../temporal/contract.ts';
import { readmes, ROOT } from './readmes.ts';
import { withTables } from './tables.ts';

const PAGES: ReadonlyMap<string, string> = new Map(
  readmes().map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]),
);
/** All pages as one text. */
const TEXT = [...PAGES.values()].join('\n');

/** @throws when there is no such page */
function page(path: string): string {
  const text = PAGES.get(path);
  if (text === undefined) throw new Error(`there is no ${path}`);
  return text;
}

/** The matches of a pattern with one group, each once. */
const named = (pattern: RegExp, text = TEXT): string[] => [
  ...new Set([...text.matchAll(pattern)].map((found) => found[1] ?? '')),
];

/** What stands between a heading of a page and the next one of its level. */
function section(path: string, heading: string): string {
  const [, body] = page(path).split(`\n## ${heading}\n`);
  if (body === undefined) throw new Error(`${path} has no section "${heading}"`);
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

/** All files of the tests, as one text. */
const testSources = (): string =>
  readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('docs'))
    .map((path) => readFileSync(join(ROOT, 'test', path), 'utf8'))
    .join('\n');

/** The source files of the repository. */
const SOURCES = ['src', 'temporal', 'test', 'prisma'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.c?tsx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => `/${folder}/${file}`),
);

/** Targets of a page's links that are not addresses of the web. */
const linksOf = (text: string): string[] => named(/\]\((?!https?:)([^)\s]+)\)/g, text);
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');

describe.each([...PAGES.keys()])('%s', (path) => {
  test('every npm script that it names exists', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const names = named(/npm run (?:-s )?([a-z][\w:-]*)/g, page(path));
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('every file and folder that it names exists', () => {
    const paths = named(/(?<![\w./@-])((?:src|temporal|test|prisma|\.ci)\/[\w./-]*[\w/])/g, page(path));
    const missing = paths.filter((file) => !existsSync(join(ROOT, file)) && !MADE_LATER.test(file));
    expect(missing).toEqual([]);
  });

  test('every source file that it names by its last folders exists', () => {
    const names = named(/`(?:\.\/)?([\w/-]+\.c?tsx?)`/g, page(path));
    expect(names.filter((name) => !SOURCES.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
  });

  test('its links lead somewhere', () => {
    const broken = linksOf(page(path)).filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(ROOT, target))) return true;
      if (anchor === undefined) return false;
      return !named(/^#+ (.+)$/gm, readFileSync(join(ROOT, target), 'utf8'))
        .map(anchorOf)
        .includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  test('its generated tables are those of the code: npm run docs', () => {
    expect(page(path)).toBe(withTables(page(path)));
  });
});

/** Written by a run of the bench, or by an installation. */
const MADE_LATER = /^test\/bench\/results/;

describe('the pages together', () => {
  test('the root has at most 180 lines', () => {
    expect(page('README.md').split('\n').length).toBeLessThanOrEqual(180);
  });

  test('every folder of the source is on the map', () => {
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `src/${entry.name}/`);
    const mapped = named(/^(src\/[\w-]+\/) /gm, section('README.md', 'Map'));
    expect(mapped.toSorted()).toEqual(folders.toSorted());
  });

  test('every room is in the table of its wing', () => {
    for (const wing of readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    )) {
      const rooms = readdirSync(join(ROOT, 'src', wing.name), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => `${entry.name}/`);
      const told = named(/^\| `([\w-]+\/)` \|/gm, page(`src/${wing.name}/README.md`));
      expect(told.toSorted()).toEqual(rooms.toSorted());
    }
  });

  test('variables and limits have their tables', () => {
    for (const name of ['variables', 'limits'])
      expect(page('src/README.md')).toContain(`<!-- generated: ${name} -->`);
  });

  test('every route in the examples is served', () => {
    expect(
      curlCalls()
        .filter((call) => !isServed(call))
        .map(shown),
    ).toEqual([]);
  });

  test('every route that they speak of is served', () => {
    const calls = spokenCalls();
    expect(calls.map(shown)).toContain('GET /system/health');
    expect(calls.filter((call) => !isServed(call)).map(shown)).toEqual([]);
  });

  test('every definition that they show is valid', () => {
    for (const definition of definitions()) expect(validate(definition, kindRules)).toEqual([]);
  });

  test('every workflow file that they show can be pushed', async () => {
    const files = blocks('yaml')
      .filter((block) => /^ *nodes:/m.test(block))
      .map((block, at) => parseWorkflowFile(`example-${at}.yaml`, block));
    expect(files.map(({ slug }) => slug)).toContain('welcome');
    expect(await findProblems(files)).toEqual([]);
  });

  test('they know every type of node', () => {
    const firstCells = named(/^\| (`[^|]*) \|/gm).join(' ');
    for (const { type } of nodeKinds) expect(firstCells).toContain(`\`${type}\``);
  });

  test('they know every command of the operator', () => {
    const source = readFileSync(join(ROOT, 'src/processes/admin-commands.ts'), 'utf8');
    const commands = named(/^ {2}'([a-z]+:[a-z]+)': \w+,$/gm, source);
    expect(commands).toContain('org:set');
    const told = named(/^ {2}([a-z]+:[a-z]+) /gm, section('src/README.md', 'Command line'));
    expect(told.toSorted()).toEqual(commands.toSorted());
  });

  test('the variables that they name for the tests are read there', () => {
    const text = section('test/README.md', 'Variables') + section('test/README.md', 'Campaigns');
    const names = [
      ...named(/^\| `([A-Z][A-Z0-9_]+)`/gm, text),
      ...named(/`([A-Z][A-Z0-9_]+)(?:=\d+)?`/g, text),
    ];
    expect(names).toContain('TEST_DATABASE_URL');
    const sources = testSources();
    expect(names.filter((name) => !sources.includes(`'${name}'`))).toEqual([]);
  });

  test('the metrics of the API are told of', () => {
    const source = readFileSync(join(ROOT, 'src/base/observe/metrics.ts'), 'utf8');
    const text = section('src/README.md', 'Probes and metrics');
    expect(named(/name: '(\w+)'/g, source).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  test('the search attributes that the service uses are told of', () => {
    for (const name of Object.keys(SEARCH_ATTRIBUTES)) expect(TEXT).toContain(name);
  });
});
