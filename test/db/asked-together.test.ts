/** Who asks while a statement is under way is answered by the next one, each with its own rows. */
import { expect, test } from 'vitest';
import { AskedTogether } from '../../src/db/asked-together.ts';

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

test('those who ask at the same moment share a statement; each gets its own rows', async () => {
  const { statements, run } = slowDatabase();
  const asked = new AskedTogether<{ readonly name: string }>(run, 1);
  const answers = [asked.ask(['a', 1]), asked.ask(['b', 0]), asked.ask(['a', 2])];
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

test('a statement under way answers nobody who asks after it: what it sees may be older than the question', async () => {
  const { statements, run } = slowDatabase();
  const asked = new AskedTogether<{ readonly name: string }>(run, 1);
  const first = asked.ask(['a', 1]);
  await soon();
  const later = [asked.ask(['a', 1]), asked.ask(['c', 1])];
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

test('a failure is told to those who shared the statement, and to nobody else', async () => {
  const { statements, run } = slowDatabase();
  const asked = new AskedTogether(run, 2);
  const first = asked.ask(['a', 1]);
  await soon();
  const second = asked.ask(['b', 1]);
  await soon();
  statements[0]?.fail();
  statements[1]?.answer();
  await expect(first).rejects.toThrow('the database is away');
  expect(await second).toHaveLength(1);
});
