/** Every operation that writes text or objects must save any valid text unchanged and reject forbidden characters and keys. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tenant } from '../../support/api-server.ts';
import { faultyText, forbiddenValue, LONG_TEXTS, wholeText } from '../../hostile/doors.ts';
import { startCanvas, type Canvas } from './support/canvas.ts';
import type { Payload, Peer } from './support/peer.ts';

let canvas: Canvas;
let tenant: Tenant;
let workflowId: string;
let peer: Peer;
beforeAll(async () => {
  canvas = await startCanvas();
});
afterAll(() => canvas.close());
beforeEach(async () => {
  tenant = await canvas.api.tenant();
  workflowId = await canvas.workflow(tenant);
  peer = await canvas.peer(tenant);
  await peer.join(workflowId);
});

type Fields = Readonly<Record<string, unknown>>;
let added = 0;
const newId = (): string => `n${(added += 1)}`;

/** Operations with a place for a value; `read` finds it in the saved record. */
const WRITES: Readonly<
  Record<
    string,
    { readonly op: (value: unknown) => [string, Fields]; readonly read?: (saved: Payload) => unknown }
  >
> = {
  'a new node': { op: (x) => ['node:add', { node: { id: newId(), type: 'transformer', config: { x } } }] },
  'changes of a node': {
    op: (x) => ['node:update', { nodeId: 'a', changes: { config: { x } } }],
    read: ({ workflow_schema: { nodes } }) => nodes[0].config.x,
  },
  'a place in a node': {
    op: (x) => ['node:update', { nodeId: 'a', set: { '/config/x': x } }],
    read: ({ workflow_schema: { nodes } }) => nodes[0].config.x,
  },
  'a new edge': { op: (x) => ['edge:add', { edge: { id: newId(), source: 'a', target: 'b', data: { x } } }] },
  'a place in an edge': { op: (x) => ['edge:update', { edgeId: 'a-b', set: { '/data': { x } } }] },
  'a field of the state': {
    op: (x) => ['state-schema:update', { set: { field: { type: 'any', reducer: 'none', default: x } } }],
  },
  'the configuration': {
    op: (x) => ['config:update', { set: { '/x': x } }],
    read: ({ workflow_schema: { config } }) => config.x,
  },
  'the metadata': {
    op: (x) => ['metadata:update', { set: { '/x': x } }],
    read: ({ workflow_schema: { metadata } }) => metadata.x,
  },
  'the parameters': {
    op: (x) => ['workflow:update', { input_parameters: [{ name: 'p', description: x }] }],
    read: ({
      workflow_schema: {
        input_parameters: [parameter],
      },
    }) => parameter.description,
  },
  'a part of a batch': {
    op: (x) => ['batch', { reason: 'import', ops: [{ type: 'config:update', set: { '/x': x } }] }],
    read: ({ workflow_schema: { config } }) => config.x,
  },
};

describe.each(Object.entries(WRITES))('%s', (_, { op, read }) => {
  test('SEC-P12: saves a text unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(wholeText, async (text) => {
        const [event, fields] = op(text);
        expect(await peer.op(event, workflowId, fields)).toMatchObject({ ok: true });
        if (read === undefined) return;
        expect(await peer.flush(workflowId)).toMatchObject({ ok: true });
        expect(read(await canvas.record(tenant, workflowId))).toBe(text);
      }),
      { numRuns: 8, examples: LONG_TEXTS.map((text) => [text]) },
    );
    expect(await peer.flush(workflowId)).toMatchObject({ ok: true });
  });

  test('SEC-P09, SEC-P11: rejects NUL, lone surrogates and forbidden keys', async () => {
    const before = await canvas.record(tenant, workflowId);
    const refused = fc.oneof(
      faultyText as fc.Arbitrary<unknown>,
      forbiddenValue,
      faultyText.map((text) => ({ [text]: 1 })),
    );
    await fc.assert(
      fc.asyncProperty(refused, async (value) => {
        const [event, fields] = op(value);
        const reply = await peer.op(event, workflowId, fields);
        expect(reply).toMatchObject({ ok: false, code: 'INVALID_PAYLOAD' });
      }),
      { numRuns: 12 },
    );
    await peer.flush(workflowId);
    expect(await canvas.record(tenant, workflowId)).toEqual(before);
  });
});

test('SEC-P12: name, version and description of a workflow are mirrored unchanged, or rejected', async () => {
  await fc.assert(
    fc.asyncProperty(wholeText, fc.constantFrom('name', 'version', 'description'), async (text, key) => {
      const reply = await peer.op('metadata:update', workflowId, { set: { [`/${key}`]: text } });
      expect(await peer.flush(workflowId)).toMatchObject({ ok: true });
      const record = await canvas.record(tenant, workflowId);
      if (reply.ok === true) expect(record[key]).toBe(text);
      else expect(reply).toMatchObject({ code: 'INVALID_PAYLOAD' });
    }),
    { numRuns: 20 },
  );
});
