/** Projects by what they need: nothing (pure), PostgreSQL (api), Temporal too (engine), the whole service (faults). */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './support/longest-first.ts';

const postgres = './test/support/postgres-setup.ts';
const temporal = './test/support/temporal-setup.ts';
const build = './test/support/build-setup.ts';
const browser = './test/support/browser-setup.ts';
const API = [
  'test/{api,base/db,platform/outbox,engine/runs}/**/*.test.ts',
  'test/platform/knowledge/*.test.ts',
  'test/platform/knowledge/extraction/extractor.test.ts',
  'test/platform/knowledge/parsing/parser.test.ts',
  // Rooms, their clients and the simulation of both need no service.
  'test/features/canvas/*.test.ts',
  'test/features/canvas/!(room|client|simulation)/**/*.test.ts',
  'test/hostile/*.test.ts',
  // The canvas in a browser, over the API and the realtime server.
  'test/surfaces/web/*.test.ts',
];
const ENGINE = ['test/{temporal,wire,hostile/engine}/**/*.test.ts', 'test/engine/*.test.ts'];
/** These start servers and processes of their own. */
const LOCAL = ['test/processes/local/**/*.test.ts'];
/** Real processes are killed here; they wait for most of their time, so these come last, with nothing beside them. */
const FAULTS = ['test/faults/**/*.test.ts', 'test/hostile/service/*.test.ts'];

/** Files share their modules: no state lies in them, and loading them for each file took as long as its tests. */
const shared = { isolate: false } as const;

/** A test ends by what it waits for. These bounds are for one that would hang: a busy machine takes minutes for what takes seconds. */
const PATIENCE_MS = 180_000;
const POLL_PATIENCE_MS = 45_000;

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    pool: 'forks',
    // Two leave the cores idle: many files wait for a browser, a save or a process.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    reporters: ['default'],
    setupFiles: ['./test/support/property-seed.ts'],
    expect: { poll: { timeout: POLL_PATIENCE_MS } },
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          ...shared,
          include: ['test/**/*.test.ts'],
          exclude: [...API, ...ENGINE, ...LOCAL, ...FAULTS],
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          ...shared,
          include: [...API, ...LOCAL],
          globalSetup: [postgres, build, browser],
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
        },
      },
      {
        extends: true,
        test: {
          name: 'engine',
          ...shared,
          include: ENGINE,
          globalSetup: [postgres, temporal, build, browser],
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          ...shared,
          include: FAULTS,
          globalSetup: [postgres, temporal, build],
          sequence: { groupOrder: 1 },
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
        },
      },
    ],
  },
});
