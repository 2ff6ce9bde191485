/** A flood of one organization's starts would delay everybody else's, whose transactions never wait for it. */
import { expect, test } from 'vitest';
import { FairSemaphore } from '../../../src/base/shares/fair-semaphore.ts';

const CONCURRENCY = 3;

/** Tasks that are under way until they are ended, by name. */
function tasks() {
  const limit = new FairSemaphore({ capacity: Infinity, perOrganization: CONCURRENCY });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (key: string, name: string): Promise<string> =>
    limit.run(key, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { limit, begun, run, settled, end: (name: string) => ends.get(name)?.() };
}

const many = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

test('few tasks of one key are under way, in order, and others do not wait for them', async () => {
  const { begun, run, settled, end } = tasks();
  const names = many('a', CONCURRENCY + 2);
  const answers = names.map((name) => run('a', name));
  const other = run('b', 'b0');
  await settled();
  expect(begun).toEqual([...names.slice(0, CONCURRENCY), 'b0']);
  end('a1');
  await settled();
  expect(begun.slice(CONCURRENCY + 1)).toEqual([`a${CONCURRENCY}`]);
  for (const name of ['b0', ...names]) {
    end(name);
    await settled();
  }
  expect(await Promise.all([...answers, other])).toEqual([...names, 'b0']);
});

test('a task that throws gives its place to the next, and its error to its caller', async () => {
  const { limit, begun, run, settled, end } = tasks();
  const refused = limit.run('a', async () => {
    await settled();
    throw new Error('refused');
  });
  const answers = many('a', CONCURRENCY).map((name) => run('a', name));
  await expect(refused).rejects.toThrow('refused');
  await settled();
  expect(begun).toHaveLength(CONCURRENCY);
  for (const name of begun) end(name);
  await Promise.all(answers);
});
