/** Clients with frames must get the same messages in the same order as clients without. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FrameNode } from '../../../src/features/canvas/server/frames.ts';
import type { Tenant } from '../../support/api-server.ts';
import { eventually } from '../../support/waiting.ts';
import { startCanvas, type Canvas } from './support/canvas.ts';
import { Peer } from './support/peer.ts';

describe('a frame', () => {
  const told = (...entries: string[]): FrameNode =>
    entries.reduce((frame, entry) => frame.append(entry), begin);
  const begin = FrameNode.empty();

  test('is encoded once for all members with the same messages, beside one with others', () => {
    const [ann, bob] = [begin.append('[1]'), begin.append('[1]')];
    const cat = begin.append('["ack"]');
    const dan = begin.append('[1]').append('[2]');
    expect(cat.append('[2]').packet.text).toBe('2["ops",[["ack"],[2]]]');
    expect(ann.append('[2]').packet.text).toBe('2["ops",[[1],[2]]]');
    expect(told('[1]', '[2]', '[3]').packet).toBe(told('[1]', '[2]', '[3]').packet);
    expect(bob.append('[2]').packet.text).toBe(dan.packet.text);
  });

  test.each([0, 100, 200, 70_000])('is a valid websocket frame of %i bytes', (length) => {
    const text = `"${'ä'.repeat(length)}"`;
    const { text: sent, options } = FrameNode.empty().append(text).packet;
    const [frame] = options.wsPreEncodedFrame;
    const size = Buffer.byteLength(sent) + 1;
    const header = size < 126 ? [size] : size < 65_536 ? [126, size >> 8, size & 255] : null;
    if (header !== null) expect([...frame.subarray(0, header.length + 1)]).toEqual([0x81, ...header]);
    else expect([frame[0], frame[1], frame.readBigUInt64BE(2)]).toEqual([0x81, 127, BigInt(size)]);
    expect(frame.subarray(frame.length - size).toString()).toBe(`4${sent}`);
  });
});

describe('over sockets', () => {
  let canvas: Canvas;
  let tenant: Tenant;
  beforeAll(async () => {
    canvas = await startCanvas();
    tenant = await canvas.api.tenant();
  });
  afterAll(() => canvas.close());

  /** Acknowledgements and broadcasts as they came: by which version, and what it was. */
  const heardBy = (peer: Peer): { name: string; version: number; opId: string }[] =>
    peer.heard
      .filter(({ name }) => name === 'ack' || name === 'node:moved')
      .map(({ name, payload: { version, opId } }) => ({ name, version, opId }));

  test.each([['websocket'], ['polling']] as const)(
    'everybody hears every version once and in order: the own ones as acks (%s)',
    async (transport) => {
      const workflowId = await canvas.workflow(tenant);
      const peers = await Promise.all(
        [['frames'], ['frames'], ['frames'], []].map((caps) =>
          Peer.connect({
            url: canvas.url,
            auth: { token: tenant.token, organizationId: tenant.org, caps },
            transports: [transport],
          }),
        ),
      );
      for (const peer of peers) await peer.join(workflowId);
      const moves = 15;
      for (let x = 1; x <= moves; x += 1) {
        await Promise.all(peers.map((peer, index) => peer.move(workflowId, 'a', x * 10 + index)));
      }
      const count = moves * peers.length;
      await eventually(
        'everything to arrive',
        20_000,
        () => peers.every((peer) => heardBy(peer).length === count) || null,
      );
      const versions = Array.from({ length: count }, (_, index) => index + 1);
      for (const peer of peers) {
        expect(heardBy(peer).map(({ version }) => version)).toEqual(versions);
        expect(heardBy(peer).filter(({ name }) => name === 'ack')).toHaveLength(moves);
        expect(heardBy(peer).map(({ opId }) => opId)).toEqual(
          heardBy(peers[0] ?? peer).map(({ opId }) => opId),
        );
      }
      for (const peer of peers) peer.close();
    },
  );
});
