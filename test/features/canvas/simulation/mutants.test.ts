/**
 * Checks the simulation itself: bugs that such servers have had are planted one at a time into a copy of the sources, and the
 * simulation must notice each. Without it a simulation that checks nothing would pass.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { simulate, type Subjects } from './simulation.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** Below the root, so that packages are found from there. */
const DATA = join(ROOT, '.data');
const MAX_SEEDS = 80;

interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const DIFF = 'src/language/graph/definition/diff.ts';
const room = (file: string): string => `src/features/canvas/room/${file}.ts`;
const MUTANTS: readonly Mutant[] = [
  {
    name: 'duplicates are not recognised',
    file: room('room-history'),
    from: 'if (known === null) return null;',
    to: 'if (known !== undefined) return null;',
  },
  {
    name: 'the sender hears its own broadcast',
    file: room('room'),
    from: 'this.#audience.broadcast(name, payload, { except: session });',
    to: 'this.#audience.broadcast(name, payload);',
  },
  {
    name: 'acknowledged before it is applied',
    file: room('room'),
    from: "if (reduction.outcome === 'rejected') return this.#rejectOperation(session, { event, opId }, reduction);",
    to: "if (reduction.outcome === 'rejected') return this.#ack(session, { opId, version: this.#version + 1 });",
  },
  {
    name: 'broadcasts what was sent, not what was applied',
    file: room('room'),
    from: 'userId, sessionId, ...body }',
    to: 'userId, sessionId, ...(sent.op as object) } as never',
  },
  {
    name: 'operations accepted during a save are forgotten',
    file: room('saver'),
    from: 'this.#unsaved.replace(later);',
    to: 'this.#unsaved.replace([]);',
  },
  {
    name: 'the difference leaves removals out',
    file: DIFF,
    from: "if (!isKept(id)) patch.add({ op: 'remove', path: `${path}/${index}` });",
    to: '',
  },
  {
    name: 'positions in the difference are off by one',
    file: DIFF,
    from: "if (was === undefined) patch.add({ op: 'add', path: at, value: element });",
    to: "if (was === undefined) patch.add({ op: 'add', path: `${path}/${Math.max(0, index - 1)}`, value: element });",
  },
  {
    name: 'a save moves the counter',
    file: room('room'),
    from: 'this.#audience.broadcast(event, payload);',
    to: "if (event === 'saved') this.#version += 1; this.#audience.broadcast(event, payload);",
  },
  {
    name: 'a room that lost its lease goes on',
    file: room('saver'),
    from: "this.#end('moved');\n        return 'ended';",
    to: "return 'failed';",
  },
  {
    name: 'announcements of other saves are ignored',
    file: room('rooms'),
    from: 'this.#find(hint)?.handleExternalSave(hint);',
    to: '',
  },
  {
    name: 'a conflicting operation is applied all the same',
    file: room('room'),
    from: 'return this.#conflict(session, opId, read.version ?? 0);',
    to: 'this.#conflict(session, opId, read.version ?? 0);',
  },
  {
    name: 'locks outlive their holders',
    file: room('room-members'),
    from: "this.locks.releaseAll(session, 'disconnected');",
    to: '',
  },
  {
    name: 'edges of deleted nodes stay',
    file: room('reduce-nodes'),
    from: 'if (edgeKeys.length > 0) draft.edges.remove(new Set(edgeKeys));',
    to: '',
  },
  {
    name: 'the columns that mirror the metadata are not written',
    file: room('save-attempt'),
    from: 'mirrors: isObject(metadata) ? toMirroredColumns(metadata) : {},',
    to: 'mirrors: {},',
  },
  {
    name: 'an unanswered save is not recognised as our own',
    file: room('saver'),
    from: '(attempt) => attempt.historyId === first?.historyId',
    to: '() => false',
  },
  {
    name: 'saved operations are replayed after a crash',
    file: room('op-log'),
    from: '{ ...row, savedIn }',
    to: 'row',
  },
];

const COPIED = [
  'tsconfig.json',
  'src/language/graph',
  'src/language/nodes',
  'src/features/canvas/room',
  'src/features/canvas/client',
];

const directories: string[] = [];
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** A copy of what the simulation runs, changed in one place. */
async function plant({ file, from, to }: Mutant): Promise<Subjects> {
  mkdirSync(DATA, { recursive: true });
  const directory = mkdtempSync(join(DATA, 'mutant-'));
  directories.push(directory);
  for (const path of COPIED) {
    cpSync(join(ROOT, path), join(directory, path), { recursive: true });
  }
  const source = readFileSync(join(directory, file), 'utf8');
  if (source.split(from).length !== 2) throw new Error(`${file} has no single place for this bug: ${from}`);
  writeFileSync(
    join(directory, file),
    source.replace(from, () => to),
  );
  const rooms = (await import(join(directory, room('rooms')))) as Pick<Subjects, 'Rooms'>;
  const client = (await import(join(directory, 'src/features/canvas/client/canvas.ts'))) as Pick<
    Subjects,
    'Canvas'
  >;
  return { Rooms: rooms.Rooms, Canvas: client.Canvas };
}

/** The first course of events that goes wrong; null when none does. */
async function noticed(subjects: Subjects): Promise<string | null> {
  for (let seed = 1; seed <= MAX_SEEDS; seed += 1) {
    try {
      const { failures } = await simulate(seed, subjects);
      if (failures.length > 0) return `seed ${seed}: ${failures[0]}`;
    } catch (error) {
      return `seed ${seed}: ${String(error)}`;
    }
  }
  return null;
}

describe('planted bugs', () => {
  test.for(MUTANTS)('$name', { timeout: 120_000 }, async (mutant) => {
    expect(await noticed(await plant(mutant))).not.toBeNull();
  });
});
