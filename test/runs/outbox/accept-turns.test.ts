/** Who has many runs accepted waits for his own, and for nobody else's. */
import { expect, test } from 'vitest';
import { AcceptTurns, AT_ONCE } from '../../../src/runs/accept/accept-turns.ts';

/** Requests that are under way until they are ended, by name. */
function requests() {
  const turns = new AcceptTurns();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (organizationId: string, name: string): Promise<string> =>
    turns.take(organizationId, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { turns, begun, ask, settled, end: (name: string) => ends.get(name)?.() };
}

const many = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

test('few of one organization are under way, in its order, and others do not wait for them', async () => {
  const { begun, ask, settled, end } = requests();
  const names = many('a', AT_ONCE + 2);
  const answers = names.map((name) => ask('a', name));
  const other = ask('b', 'b0');
  await settled();
  expect(begun).toEqual([...names.slice(0, AT_ONCE), 'b0']);
  end('a1');
  await settled();
  expect(begun.slice(AT_ONCE + 1)).toEqual([`a${AT_ONCE}`]);
  for (const name of ['b0', ...names]) {
    end(name);
    await settled();
  }
  expect(await Promise.all([...answers, other])).toEqual([...names, 'b0']);
});

test('one that is refused gives its turn to the next, and what it threw to its caller', async () => {
  const { turns, begun, ask, settled, end } = requests();
  const refused = turns.take('a', async () => {
    await settled();
    throw new Error('refused');
  });
  const answers = many('a', AT_ONCE).map((name) => ask('a', name));
  await expect(refused).rejects.toThrow('refused');
  await settled();
  expect(begun).toHaveLength(AT_ONCE);
  for (const name of begun) end(name);
  await Promise.all(answers);
});
