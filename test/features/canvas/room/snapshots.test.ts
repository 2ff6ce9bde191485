/** Waiting snapshots must be coalesced, be current when they are sent, and release their semaphore slot. */
import { describe, expect, test } from 'vitest';
import { countJsonBytes } from '../../../../src/language/graph/definition/definition-size.ts';
import { DOCUMENT, KEY, OneRoom, type Person } from './one-room.ts';

const asked = (one: OneRoom, person: Person): ReturnType<typeof one.rooms.resync> =>
  one.rooms.resync(person, KEY);

describe('CAN-R48: a resync', () => {
  test('that waits answers all requests made meanwhile, and later ones get another', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    one.turns.isHeld = true;
    const replies = Array.from({ length: 60 }, () => asked(one, ann));
    one.move(ann, 5);
    one.turns.give();
    for (const reply of await Promise.all(replies)) expect(reply).toMatchObject({ ok: true, version: 1 });
    expect(ann.of('workflow:snapshot')).toMatchObject([
      { version: 1, schema: { nodes: [{ position: { x: 5 } }, {}] } },
    ]);
    one.move(ann, 6);
    expect(await asked(one, ann)).toMatchObject({ ok: true, version: 2 });
    expect(ann.of('workflow:snapshot')).toHaveLength(2);
    expect(one.turns.open).toBe(0);
  });

  test('of one member does not answer another member', async () => {
    const one = new OneRoom();
    const [ann, bob] = [await one.member(), await one.member()];
    one.turns.isHeld = true;
    const replies = [asked(one, ann), asked(one, bob)];
    one.turns.give();
    await Promise.all(replies);
    expect([ann, bob].map((person) => person.of('workflow:snapshot').length)).toEqual([1, 1]);
  });

  test('of a member that leaves meanwhile sends nothing and releases its slot', async () => {
    const one = new OneRoom();
    const [ann] = [await one.member(), await one.member()];
    one.turns.isHeld = true;
    const reply = asked(one, ann);
    one.rooms.leave(ann, KEY);
    one.turns.give();
    expect(await reply).toMatchObject({ ok: false, code: 'NOT_JOINED' });
    expect([ann.of('workflow:snapshot'), one.turns.open]).toEqual([[], 0]);
  });

  test('acquires the bytes of the definition', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    await asked(one, ann);
    expect(one.turns.asked).toEqual([countJsonBytes(DOCUMENT), countJsonBytes(DOCUMENT)]);
  });
});

describe('CAN-R48: a join', () => {
  test('that waits gets the current document and every event after it', async () => {
    const one = new OneRoom();
    const [ann, bob] = [await one.member(), one.person()];
    one.turns.isHeld = true;
    const reply = one.rooms.join(bob, KEY);
    one.move(ann, 5);
    await one.clock.advance(10);
    expect(bob.heard).toEqual([]);
    one.turns.give();
    expect(await reply).toMatchObject({ ok: true, version: 1 });
    one.move(ann, 6);
    expect(bob.of('workflow:joined')).toMatchObject([{ version: 1, mode: 'snapshot' }]);
    expect(bob.of('node:moved')).toMatchObject([{ version: 2 }]);
  });

  test('that is cancelled while it waits adds no member and releases its slot', async () => {
    const one = new OneRoom();
    const bob = one.person();
    await one.member();
    one.turns.isHeld = true;
    const reply = one.rooms.join(bob, KEY);
    one.rooms.leave(bob, KEY);
    one.turns.give();
    expect(await reply).toMatchObject({ ok: false, code: 'SUPERSEDED' });
    expect([bob.of('workflow:joined'), one.rooms.counts().sessions.total, one.turns.open]).toEqual([
      [],
      1,
      0,
    ]);
  });

  test('resumes with the missed events, unless the definition is smaller', async () => {
    const one = new OneRoom();
    const ann = await one.member();
    const { epoch } = await one.join(ann);
    const modeSince = async (version: number): Promise<unknown> => {
      const back = one.person();
      await one.now(one.rooms.join(back, { ...KEY, since: { epoch, version } }));
      return back.of('workflow:joined').at(-1)?.['mode'];
    };
    // Written over and over: the definition holds the last one alone.
    const write = (text: string): object => one.op(ann, 'config:update', { set: { '/text': text } });
    write('a'.repeat(30_000));
    write('b'.repeat(30_000));
    expect(await modeSince(0)).toBe('resume');
    write('c'.repeat(30_000));
    expect(await modeSince(0)).toBe('snapshot');
    expect(await modeSince(1)).toBe('resume');
  });
});
