/** A caller would get the rows of another one when many ask the same statement at the same moment. */
import { expect, test } from 'vitest';
import { Batcher, readKind } from '../../../src/base/db/batcher.ts';

/** A database that answers when it is told to, each key with as many rows as it says. */
function slowDatabase() {
  const statements: { readonly columns: unknown[][]; answer(): void; fail(): void }[] = [];
  const run = (columns: unknown[][]) =>
    new Promise<{ readonly place: number; readonly name: string }[]>((resolve, reject) => {
      const counts = columns[1] as number[];
      const rows = (columns[0] as string[]).flatMap((name, at) =>
        Array.from({ length: counts[at] ?? 0 }, () => ({ place: at + 1, name })),
      );
      const fail = (): void => reject(new Error('the database is away'));
      statements.push({ columns, answer: () => resolve(rows), fail });
    });
  return { statements, run };
}

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('concurrent reads share a statement, and each gets its own rows', async () => {
  const { statements, run } = slowDatabase();
  const reads = new Batcher(readKind(run, 1));
  const answers = [reads.add(['a', 1]), reads.add(['b', 0]), reads.add(['a', 2])];
  await soon();
  expect(statements.map(({ columns }) => columns)).toEqual([
    [
      ['a', 'b', 'a'],
      [1, 0, 2],
    ],
  ]);
  statements[0]?.answer();
  const names = (await Promise.all(answers)).map((rows) => rows.map(({ name }) => name));
  expect(names).toEqual([['a'], [], ['a', 'a']]);
});

test('a read never joins a statement under way, whose snapshot may be older', async () => {
  const { statements, run } = slowDatabase();
  const reads = new Batcher(readKind(run, 1));
  const first = reads.add(['a', 1]);
  await soon();
  const later = [reads.add(['a', 1]), reads.add(['c', 1])];
  await soon();
  expect(statements).toHaveLength(1);
  statements[0]?.answer();
  await first;
  await soon();
  expect(statements[1]?.columns).toEqual([
    ['a', 'c'],
    [1, 1],
  ]);
  statements[1]?.answer();
  expect(await Promise.all(later)).toHaveLength(2);
});

test('a failing statement rejects those that share it, and no others', async () => {
  const { statements, run } = slowDatabase();
  const reads = new Batcher(readKind(run, 2));
  const first = reads.add(['a', 1]);
  await soon();
  const second = reads.add(['b', 1]);
  await soon();
  statements[0]?.fail();
  statements[1]?.answer();
  await expect(first).rejects.toThrow('the database is away');
  expect(await second).toHaveLength(1);
});

test('items of different keys share no statement, and do not wait for each other', async () => {
  const statements: string[][] = [];
  const batcher = new Batcher<string, string>({
    run: async (items) => {
      statements.push([...items]);
      return items[0]?.startsWith('slow') ? new Promise<never>(() => undefined) : items;
    },
    maxConcurrent: 1,
    getKey: (item) => item.split(' ')[0] ?? '',
    isLarge: (item) => item.endsWith('large'),
  });
  void batcher.add('slow 1');
  await soon();
  void batcher.add('slow 2');
  expect(await Promise.all([batcher.add('fast 1'), batcher.add('fast 2')])).toEqual(['fast 1', 'fast 2']);
  expect(await batcher.add('fast large')).toBe('fast large');
  expect(statements).toEqual([['slow 1'], ['fast 1', 'fast 2'], ['fast large']]);
});

test('an item that breaks the statement fails alone; the others are run without it', async () => {
  const batcher = new Batcher<string, string>({
    run: async (items) => {
      if (items.includes('bad')) throw Object.assign(new Error('no text'), { code: '22021' });
      return items;
    },
    maxConcurrent: 1,
  });
  const found = await Promise.allSettled(['a', 'bad', 'b'].map((item) => batcher.add(item)));
  expect(found.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
