/** Snapshots in flight must be bounded per socket, organization and process, and share their encoded bytes. */
import { describe, expect, test } from 'vitest';
import type { AccessWatch } from '../../../src/features/canvas/server/access-watch.ts';
import { FrameScheduler } from '../../../src/features/canvas/server/frames.ts';
import { SharedSchema, SharedSchemaCache } from '../../../src/features/canvas/server/shared-schema.ts';
import { SocketSnapshotSemaphore } from '../../../src/features/canvas/server/snapshot-semaphore.ts';
import { SocketSession, SNAPSHOT_TIMEOUT_MS } from '../../../src/features/canvas/server/socket-session.ts';
import type { ReleaseSnapshot } from '../../../src/features/canvas/room/ports.ts';

interface Sent {
  readonly text: string;
  readonly frame: readonly Buffer[];
  /** The client takes it. */
  take(): void;
}

/** A socket whose client takes what it is sent when the test says so. */
function client(organizationId = 'o', capabilities: readonly string[] = []) {
  const sent: Sent[] = [];
  const raw = { bufferedAmount: 0 };
  const cut = { isCut: false };
  const conn = {
    transport: { socket: raw },
    writeBuffer: [],
    send(
      text: string,
      { wsPreEncodedFrame }: { wsPreEncodedFrame: readonly Buffer[] },
      onTaken?: () => void,
    ) {
      raw.bufferedAmount += text.length;
      const take = (): void => {
        raw.bufferedAmount -= text.length;
        onTaken?.();
      };
      sent.push({ text, frame: wsPreEncodedFrame, take });
    },
    close: () => void (cut.isCut = true),
  };
  const scope = { caller: { userId: 'u', email: 'u@x' }, organizationId, role: 'owner' };
  const visitor = { scope, capabilities: new Set(capabilities) };
  const frames = new FrameScheduler();
  const session = new SocketSession({ id: 's', conn, connected: true } as never, visitor as never, {
    frames,
    access: {} as AccessWatch,
  });
  return { session, sent, raw, cut, frames };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** Whether a turn has come. */
function turn(turns: SocketSnapshotSemaphore, { session }: ReturnType<typeof client>, bytes: number) {
  const state: { end: ReleaseSnapshot | null } = { end: null };
  void turns.acquire(session, bytes).then((end) => (state.end = end));
  return state;
}
const schema = new SharedSchema({ nodes: [] });
const show = ({ session }: ReturnType<typeof client>): void =>
  session.sendSnapshot({ event: 'workflow:snapshot', payload: { version: 1 } }, schema);

describe('CAN-R48: the semaphore', () => {
  test('a socket has one snapshot in flight: the next waits until it was read', async () => {
    const turns = new SocketSnapshotSemaphore({ capacity: 100, perOrganization: 100 });
    const ann = client();
    const [first, second] = [turn(turns, ann, 10), turn(turns, ann, 10)];
    await settle();
    show(ann);
    first.end?.();
    await settle();
    expect([second.end, turns.held]).toEqual([null, 10]);
    ann.sent[0]?.take();
    await settle();
    expect(second.end).not.toBeNull();
    second.end?.();
    await settle();
    expect(turns.held).toBe(0);
  });

  test('a slow reader holds bytes of its own organization, not of others', async () => {
    const turns = new SocketSnapshotSemaphore({ capacity: 30, perOrganization: 20 });
    const [slow, ann, bob, eve] = [client(), client(), client(), client('other')];
    for (const one of [slow, ann]) {
      const end = await turns.acquire(one.session, 10);
      show(one);
      end();
    }
    ann.sent[0]?.take();
    await settle();
    expect(turns.heldBy('o')).toBe(10);
    const again = turn(turns, ann, 10);
    await settle();
    expect(again.end).not.toBeNull();
    const [waiting, foreign] = [turn(turns, bob, 10), turn(turns, eve, 10)];
    await settle();
    expect([waiting.end, turns.heldBy('o'), turns.held]).toEqual([null, 20, 30]);
    expect(foreign.end).not.toBeNull();
    again.end?.();
    await settle();
    expect(waiting.end).not.toBeNull();
  });

  test('a closed connection releases its bytes and its slot', async () => {
    const turns = new SocketSnapshotSemaphore({ capacity: 10, perOrganization: 10 });
    const [ann, bob] = [client(), client()];
    const end = await turns.acquire(ann.session, 10);
    show(ann);
    end();
    const [own, waiting] = [turn(turns, ann, 10), turn(turns, bob, 10)];
    await settle();
    expect([own.end, waiting.end]).toEqual([null, null]);
    ann.session.end();
    await settle();
    own.end?.();
    await settle();
    expect(waiting.end).not.toBeNull();
    bob.session.end();
    waiting.end?.();
    await settle();
    expect(turns.held).toBe(0);
  });

  test('a waiting snapshot leaves the queue when its connection closes', async () => {
    const turns = new SocketSnapshotSemaphore({ capacity: 10, perOrganization: 10 });
    const [ann, bob] = [client(), client()];
    const end = await turns.acquire(ann.session, 10);
    const waiting = turn(turns, bob, 10);
    await settle();
    bob.session.end();
    await settle();
    expect([waiting.end === null, turns.held]).toEqual([false, 10]);
    end();
    await settle();
    expect(turns.held).toBe(0);
  });

  test('a client that does not read a snapshot within a minute is disconnected, and one that does is not', async () => {
    const [slow, ann] = [client(), client()];
    for (const one of [slow, ann]) show(one);
    for (const one of [slow, ann]) expect(one.session.checkBackpressure(1_000)).toBe(true);
    ann.sent[0]?.take();
    expect(slow.session.checkBackpressure(1_000 + SNAPSHOT_TIMEOUT_MS - 1)).toBe(true);
    expect(slow.session.checkBackpressure(1_000 + SNAPSHOT_TIMEOUT_MS)).toBe(false);
    expect([ann.session.checkBackpressure(1_000 + SNAPSHOT_TIMEOUT_MS), slow.cut.isCut]).toEqual([
      true,
      true,
    ]);
  });

  test('a snapshot counts as read when nothing is buffered, also without the engine callback', async () => {
    const turns = new SocketSnapshotSemaphore({ capacity: 10, perOrganization: 10 });
    const ann = client();
    const end = await turns.acquire(ann.session, 10);
    show(ann);
    end();
    ann.session.checkBackpressure(0);
    await settle();
    expect(turns.held).toBe(10);
    ann.raw.bufferedAmount = 0;
    ann.session.checkBackpressure(1);
    await settle();
    expect(turns.held).toBe(0);
  });
});

describe('CAN-R48: bytes', () => {
  const textOf = ({ frame }: Sent): string => {
    const [begin, tail] = frame;
    const whole = Buffer.concat([begin ?? Buffer.alloc(0), tail ?? Buffer.alloc(0)]);
    const [, length = 0] = whole;
    const header = length < 126 ? 2 : length === 126 ? 4 : 10;
    const size =
      header === 2 ? length : header === 4 ? whole.readUInt16BE(2) : Number(whole.readBigUInt64BE(2));
    expect(whole.length - header).toBe(size);
    return whole.subarray(header).toString();
  };

  test.each([10, 200, 70_000])('a snapshot of %i bytes is one message in two buffers', (length) => {
    const document = { nodes: [], config: { text: 'é'.repeat(length) } };
    const payload = { version: 3, stateHash: 'x' };
    const shared = new SharedSchema(document);
    const [plain, framed] = [client('o', []), client('o', ['frames'])];
    for (const { session } of [plain, framed])
      session.sendSnapshot({ event: 'workflow:snapshot', payload }, shared);
    const message = ['workflow:snapshot', { ...payload, schema: document }];
    for (const [one, expected] of [
      [plain, message],
      [framed, ['ops', [message]]],
    ] as const) {
      const [sent] = one.sent;
      if (sent === undefined) throw new Error('nothing was sent');
      expect(JSON.parse(textOf(sent).slice(2))).toEqual(expected);
      expect(`4${sent.text}`).toBe(textOf(sent));
    }
  });

  test('of one version are encoded once for all sockets', () => {
    const schemas = new SharedSchemaCache();
    const [first, second] = [{ nodes: [] }, { nodes: [] }];
    const people = [client(), client(), client('other')];
    for (const [at, { session }] of people.entries())
      session.sendSnapshot({ event: 'workflow:joined', payload: { at } }, schemas.share(first));
    people[0]?.session.sendSnapshot({ event: 'workflow:snapshot', payload: {} }, schemas.share(second));
    const tails = people.map(({ sent }) => sent[0]?.frame[1]);
    expect(tails[1]).toBe(tails[0]);
    expect(tails[2]).toBe(tails[0]);
    expect(people[0]?.sent[1]?.frame[1]).not.toBe(tails[0]);
  });

  test('are cached up to a bound, least recently used first out', () => {
    const document = (): { config: { text: string } } => ({ config: { text: 'x'.repeat(1_000) } });
    const size = new SharedSchema(document()).bytes;
    const schemas = new SharedSchemaCache(2 * size);
    const [a, b, c] = [document(), document(), document()];
    const [ofA, ofB] = [schemas.share(a), schemas.share(b)];
    expect(schemas.share(a)).toBe(ofA);
    schemas.share(c);
    expect([schemas.bytes, schemas.share(a) === ofA]).toEqual([2 * size, true]);
    expect(schemas.share(b)).not.toBe(ofB);
  });

  test('are sent in order with the frames of a client', () => {
    const { session, sent, frames } = client('o', ['frames']);
    session.send('first', {});
    show({ session } as ReturnType<typeof client>);
    session.send('last', {});
    frames.flush();
    const names = sent.map(({ text }) =>
      (JSON.parse(text.slice(1)) as [string, [string][]])[1].map(([name]) => name),
    );
    expect(names).toEqual([['first'], ['workflow:snapshot'], ['last']]);
  });
});
