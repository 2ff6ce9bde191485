/** A model would read the messages of another organization, in a wrong order, or twice after a retry. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createThreadMemory } from '../../../src/engine/runs/ledger/read/thread-memory.ts';
import { openTestDatabase, type TestDb } from '../../support/database.ts';

let db: TestDb;
beforeAll(async () => {
  db = await openTestDatabase(2);
});
afterAll(() => db.close());

const step = () => ({ runPk: randomUUID(), stepId: randomUUID() });
const turn = (at: number) => [
  { role: 'user' as const, content: `question ${at}` },
  { role: 'assistant' as const, content: `answer ${at}` },
];

test('a thread is read oldest first, cut to its newest messages, and belongs to one organization (SEC-T15)', async () => {
  const memory = createThreadMemory(db);
  const [organization, stranger] = [randomUUID(), randomUUID()];
  for (const at of [1, 2])
    await memory.append({ organizationId: organization, threadId: 't' }, step(), turn(at));
  expect(await memory.read(organization, 't', 100)).toEqual([...turn(1), ...turn(2)]);
  expect(await memory.read(organization, 't', 3)).toEqual([turn(1)[1], ...turn(2)]);
  expect(await memory.read(organization, 'other', 100)).toEqual([]);
  expect(await memory.read(stranger, 't', 100)).toEqual([]);
});
test('saying the same step again changes nothing', async () => {
  const memory = createThreadMemory(db);
  const [organization, of] = [randomUUID(), step()];
  await memory.append({ organizationId: organization, threadId: 't' }, of, turn(1));
  await memory.append({ organizationId: organization, threadId: 't' }, of, turn(2));
  expect(await memory.read(organization, 't', 100)).toEqual(turn(1));
});
test('several messages of one role in a step become one; NUL is dropped', async () => {
  const memory = createThreadMemory(db);
  const organization = randomUUID();
  await memory.append({ organizationId: organization, threadId: 't' }, step(), [
    { role: 'user', content: 'a\0' },
    { role: 'user', content: 'b' },
    { role: 'assistant', content: 'c' },
  ]);
  expect(await memory.read(organization, 't', 100)).toEqual([
    { role: 'user', content: 'a\n\nb' },
    { role: 'assistant', content: 'c' },
  ]);
});
