/** If this failed, the large bodies of one organization would fill the memory of a process, or let the bodies of others wait. */
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import type { Context } from 'koa';
import { expect, test } from 'vitest';
import { BODY_SHARES, holdBody, MAX_BYTES, readBytes } from '../../../src/platform/http/body.ts';
import { readMultipart } from '../../../src/platform/http/multipart.ts';
import { ByteBudget } from '../../../src/base/shares/byte-budget.ts';

const MIB = 1024 * 1024;

/** A request whose body is sent piece by piece. */
function open() {
  const stream = Object.assign(new PassThrough({ highWaterMark: 16 * 1024 }), { headers: {} });
  return { stream, request: stream as unknown as IncomingMessage };
}
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Sends a body of 4 MiB, and holds it when it is read until it may end. */
function send(bodies: ByteBudget, owner: string) {
  const { stream, request } = open();
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const state = { isRead: false };
  stream.end(Buffer.alloc(MAX_BYTES));
  const done = holdBody({ bodies }, owner, async (lease) => {
    const bytes = await readBytes(request, lease, MAX_BYTES);
    state.isRead = true;
    await ended;
    return bytes.length;
  });
  return { state, done, end };
}

async function settle(): Promise<void> {
  for (let at = 0; at < 2_000; at += 1) await turn();
}

test('SEC-H08: of forty large bodies at once one organization has its share in memory, and another one gets in', async () => {
  const bodies = new ByteBudget(BODY_SHARES);
  const crowd = Array.from({ length: 40 }, () => send(bodies, 'one'));
  await settle();
  expect(bodies.heldBy('one')).toBeLessThanOrEqual(BODY_SHARES.perOrganization);
  expect(crowd.filter(({ state }) => state.isRead).length).toBeLessThanOrEqual(2);
  const other = send(bodies, 'other');
  await settle();
  expect(other.state.isRead).toBe(true);
  for (const { end } of [...crowd, other]) end();
  expect(await Promise.all([...crowd, other].map(({ done }) => done))).toEqual(
    Array.from({ length: 41 }, () => MAX_BYTES),
  );
  expect(bodies.held).toBe(0);
});

test('SEC-H08: a body of usual size is not counted, and waits for nobody', async () => {
  const bodies = new ByteBudget({ capacity: 1, perOrganization: 1 });
  const holdAfter = async (size: number): Promise<number> => {
    const { stream, request } = open();
    stream.end(Buffer.alloc(size));
    return holdBody({ bodies }, 'one', async (lease) => {
      await readBytes(request, lease, MAX_BYTES);
      return bodies.held;
    });
  };
  expect(await holdAfter(64 * 1024)).toBe(0);
  expect(await holdAfter(64 * 1024 + 1)).toBe(1);
  expect(bodies.held).toBe(0);
});

test('SEC-P06: a body of as many bytes as are allowed is read, and one more is refused, also without a length', async () => {
  const read = (size: number): Promise<number> => {
    const { stream, request } = open();
    stream.end(Buffer.alloc(size));
    return holdBody({ bodies: new ByteBudget(BODY_SHARES) }, 'one', async (lease) => {
      return (await readBytes(request, lease, MAX_BYTES)).length;
    });
  };
  expect(await read(MAX_BYTES)).toBe(MAX_BYTES);
  await expect(read(MAX_BYTES + 1)).rejects.toThrow('too large');
});

/** Sends an upload with a file of this size, and holds it when it is read until it may end. */
function sendFile(uploads: ByteBudget, owner: string, size: number) {
  const { stream, request } = open();
  const type = 'multipart/form-data; boundary=b';
  const ctx = {
    req: request,
    get: (name: string) => (name === 'Content-Type' ? type : ''),
  } as unknown as Context;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const state = { isRead: false };
  stream.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n');
  stream.write(Buffer.alloc(size, 'a'));
  stream.end('\r\n--b--\r\n');
  const done = holdBody({ bodies: uploads }, owner, async (lease) => {
    const { file } = await readMultipart(ctx, lease, size);
    state.isRead = true;
    await ended;
    return file.bytes.length;
  });
  return { state, done, end };
}

test('SEC-H08: of ten uploads at once one organization has its share in memory, and another one gets in', async () => {
  const uploads = new ByteBudget({ capacity: 4 * MIB, perOrganization: 2 * MIB });
  const crowd = Array.from({ length: 10 }, () => sendFile(uploads, 'one', MIB));
  await settle();
  expect(uploads.heldBy('one')).toBeLessThanOrEqual(2 * MIB);
  expect(crowd.filter(({ state }) => state.isRead)).toHaveLength(2);
  const other = sendFile(uploads, 'other', MIB);
  await settle();
  expect(other.state.isRead).toBe(true);
  for (const { end } of [...crowd, other]) end();
  expect(await Promise.all([...crowd, other].map(({ done }) => done))).toEqual(
    Array.from({ length: 11 }, () => MIB),
  );
  expect(uploads.held).toBe(0);
});
