/** The AsyncAPI document must be current and describe every event that the server accepts and sends. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeProtocol } from '../../../../src/features/canvas/server/asyncapi.ts';
import {
  OPERATION_REPLY,
  REFUSED,
  REPLIES,
  SERVER_EVENTS,
} from '../../../../src/features/canvas/server/server-events.ts';
import { Canvas } from '../../../../src/features/canvas/client/canvas.ts';
import { BROADCASTS, type DurableEvent } from '../../../../src/features/canvas/room/operations.ts';
import type { Audience, Reply, RoomPorts, Session } from '../../../../src/features/canvas/room/ports.ts';
import { readOperation } from '../../../../src/features/canvas/room/read-operation.ts';
import type { RoomOptions } from '../../../../src/features/canvas/room/room-api.ts';
import { Rooms } from '../../../../src/features/canvas/room/rooms.ts';
import { simulate, WORKFLOW } from '../simulation/simulation.ts';
import { OneRoom } from './one-room.ts';

interface Document {
  readonly channels: { readonly canvas: { readonly messages: Readonly<Record<string, unknown>> } };
  readonly components: { readonly messages: object; readonly schemas: Readonly<Record<string, object>> };
}
const document = describeProtocol() as unknown as Document;

/** All values of `$ref`. */
function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === '$ref' && typeof child === 'string' ? [child] : refsIn(child),
  );
}

describe('the document', () => {
  test('is current: `npx vitest run --config test/vitest.config.ts --project pure asyncapi -u` writes it', async () => {
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(
      '../../../../src/features/canvas/asyncapi.json',
    );
  });

  test('refers only to existing components, by valid keys', () => {
    const find = (ref: string): unknown =>
      ref
        .slice(2)
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
    expect(refsIn(document).filter((ref) => find(ref) === undefined)).toEqual([]);
    const keys = [document.components.messages, document.components.schemas].flatMap(Object.keys);
    expect(keys.filter((key) => !/^[\w.-]+$/.test(key))).toEqual([]);
  });

  test('names every durable operation and its broadcast', () => {
    const names = Object.entries(BROADCASTS).flat();
    const keys = Object.keys(document.channels.canvas.messages);
    expect(names.filter((name) => !keys.includes(name.replaceAll(':', '.')))).toEqual([]);
  });
});

describe('what clients send', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'canvas', components: document.components });
  const isDocumented = (event: string, payload: unknown): boolean =>
    ajv.getSchema(`canvas#/components/messages/${event.replaceAll(':', '.')}/payload`)?.(payload) === true;

  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '', 'x'.repeat(129), 7);
  const number = fc.constantFrom(0, 1, 2, 3, 1.5, -1, 1e7, 1e8, '1');
  const position = fc.record({ x: number, y: number }, { requiredKeys: [] });
  const pointers = fc.constantFrom('/a', '/a/b', '/~2', 'a', '');
  const single = fc.record(
    {
      nodeId: id,
      nodeIds: fc.array(id, { maxLength: 2 }),
      edgeId: id,
      edgeIds: fc.array(id, { maxLength: 2 }),
      node: fc.record({ id, type: fc.constantFrom('llm', 'magic', 3) }, { requiredKeys: [] }),
      edge: fc.record({ id, source: id, target: id }, { requiredKeys: [] }),
      index: number,
      position,
      moves: fc.array(fc.record({ nodeId: id, position }), { maxLength: 2 }),
      changes: fc.constantFrom({}, { a: 1 }, [], null),
      set: fc.dictionary(pointers, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2, noNullPrototype: true }),
      unset: fc.array(pointers, { maxLength: 2 }),
      entry_point: id,
      start_position: position,
    },
    { requiredKeys: [] },
  );
  const events = Object.keys(BROADCASTS) as DurableEvent[];
  const part = fc
    .tuple(fc.constantFrom(...events, 'node:fly'), single)
    .map(([type, fields]) => ({ ...fields, type }));
  const payload = fc
    .record(
      {
        workflowId: fc.constantFrom(WORKFLOW, WORKFLOW, WORKFLOW.toUpperCase(), 'w'),
        opId: fc.constantFrom('c:1', 'c:2', 'c:3', '', 'o'.repeat(97), 1),
        version: number,
        ops: fc.array(part, { maxLength: 2 }),
        reason: fc.constantFrom('undo', 'no reason'),
        mode: fc.constantFrom('atomic', 'never'),
      },
      { requiredKeys: ['workflowId'] },
    )
    .chain((envelope) => single.map((fields) => ({ ...fields, ...envelope })));

  test('is documented wherever it is accepted', () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.constantFrom(...events), payload, (event, sent) => {
        const isAccepted = !('code' in readOperation(event, sent));
        if (isAccepted) accepted += 1;
        if (isAccepted) expect(isDocumented(event, sent)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  test.each([
    ['node:move', { nodeId: 'a', position: { x: 1e8, y: 0 } }],
    ['node:add', { node: { id: 'a', type: 'magic' } }],
    ['edge:add', { edge: { id: 'a', source: 'b' } }],
    ['node:update', { nodeId: 'a', set: { 'no pointer': 1 } }],
    ['batch', { ops: [], reason: 'undo' }],
    ['batch', { ops: [{ type: 'node:fly' }], reason: 'undo' }],
    ['batch', { ops: [{ type: 'node:delete', nodeId: 'a', if: { ptr: 7 } }], reason: 'undo' }],
  ] as const)('is refused and undocumented: %s %j', (event, fields) => {
    const sent = { workflowId: WORKFLOW, ...fields };
    expect(readOperation(event, sent)).toMatchObject({ code: 'INVALID_PAYLOAD' });
    expect(isDocumented(event, sent)).toBe(false);
  });
});

describe('what the server sends', () => {
  const seen = new Set<string>();
  const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;
  /** Parsing leaves out what is not declared. */
  const check = (event: string, payload: object): void => {
    seen.add(event);
    expect({ event, payload: SERVER_EVENTS[event]?.parse(sent(payload)) }).toEqual({
      event,
      payload: sent(payload),
    });
  };
  const checkReply = (event: string, reply: Reply): void => {
    const known = event in BROADCASTS ? OPERATION_REPLY : REPLIES[event as keyof typeof REPLIES];
    const type = reply.ok ? known : REFUSED;
    expect({ event, reply: type.parse(sent(reply)) }).toEqual({ event, reply: sent(reply) });
  };

  class CheckedRooms extends Rooms {
    constructor(ports: RoomPorts, options: RoomOptions) {
      const audience: RoomPorts['audience'] = (key) => {
        const room = ports.audience(key);
        const checked: Audience = {
          add: (session) => room.add(session),
          remove: (session) => room.remove(session),
          sendSnapshot: (session, shown) => room.sendSnapshot(session, shown),
          broadcast(event, payload, how) {
            check(event, payload);
            room.broadcast(event, payload, how);
          },
        };
        return checked;
      };
      super({ ...ports, audience }, options);
    }

    override async join(session: Session, payload: unknown): Promise<Reply> {
      const send = session.send.bind(session);
      session.send = (event, body, options): void => {
        check(event, body);
        send(event, body, options);
      };
      const reply = await super.join(session, payload);
      checkReply('workflow:join', reply);
      return reply;
    }

    override apply(session: Session, event: string, payload: unknown): Reply {
      const reply = super.apply(session, event, payload);
      checkReply(event, reply);
      return reply;
    }
  }

  test('is documented, over simulated histories', async () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const { failures } = await simulate(seed, { Rooms: CheckedRooms, Canvas });
      expect(failures).toEqual([]);
    }
    expect([...seen]).toEqual(
      expect.arrayContaining(['workflow:joined', 'ack', 'node:moved', 'batch:applied', 'saved']),
    );
  });

  test('is documented for presence, locks and rejections', async () => {
    const one = new OneRoom();
    const [ann, bob] = [await one.member({ clientId: 'tab' }), await one.member()];
    const tell = (event: string, fields: object): void =>
      one.rooms.updatePresence(ann, event, { workflowId: WORKFLOW, ...fields });
    const ask = (person: Session, event: string, fields: object): Reply => {
      const reply = one.rooms.handleLockRequest(person, event, { workflowId: WORKFLOW, ...fields });
      checkReply(event, reply);
      return reply;
    };
    for (const [event, fields] of [
      ['cursor:move', { x: 1, y: 2, zoom: 1 }],
      ['selection:update', { nodeIds: ['a'], edgeIds: [] }],
      ['presence:update', { state: 'idle', focus: { nodeId: 'a' }, viewport: { x: 0, y: 0 } }],
      ['node:drag', { moves: [{ nodeId: 'a', position: { x: 1, y: 1 } }] }],
    ] as const) {
      tell(event, fields);
    }
    const held = ask(ann, 'node:lock', { nodeId: 'a' });
    ask(bob, 'node:lock', { nodeId: 'a' });
    ask(ann, 'node:lock-renew', { locks: [{ nodeId: 'a', token: held.ok ? held['token'] : 0 }] });
    ask(bob, 'node:unlock', { nodeId: 'a', token: 99 });
    one.op(bob, 'node:update', { nodeId: 'a', changes: { name: 'x' } });
    one.op(bob, 'node:move', { nodeId: 'a', position: { x: 1, y: 1 }, version: 99 });
    await one.clock.advance(3_000);
    checkReply('workflow:resync', await one.rooms.resync(bob, { workflowId: WORKFLOW }));
    checkReply('workflow:flush', await one.now(one.rooms.flush(bob, { workflowId: WORKFLOW })));
    tell('cursor:move', { hidden: true });
    await one.clock.advance(100);
    const again = await one.member({ clientId: 'tab', userId: ann.userId });
    checkReply('workflow:leave', one.rooms.leave(again, { workflowId: WORKFLOW }));
    one.rooms.revoke(bob);
    await one.now(one.rooms.join(bob, { workflowId: '22222222-2222-4222-8222-222222222222' }));
    for (const { event, payload } of [ann, bob, again].flatMap((person) => person.heard))
      check(event, payload);
    for (const { event, payload } of one.told) check(event, payload);
    const people = Object.keys(SERVER_EVENTS).filter((event) =>
      /^(node:(un)?lock|presence|cursor|sel)/.test(event),
    );
    expect(
      [...people, 'node:dragging', 'session:replaced', 'conflict'].filter((event) => !seen.has(event)),
    ).toEqual([]);
  });
});
