/** A large canvas (300 nodes, 450 kB): what a save of it keeps the process from, and how long joining it takes. */
import { takeTurn } from '../../../src/base/shares/turns.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  readDocument,
  writeDocument,
  type CanvasDocument,
} from '../../../src/features/canvas/room/document.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { reduce } from '../../../src/features/canvas/room/reduce.ts';
import { UNLOCKED } from '../../../src/features/canvas/room/reduction.ts';
import { prepareAttempt, toSaveRequest } from '../../../src/features/canvas/room/save-attempt.ts';
import type { Measured, PartLimits } from '../part.ts';
import { percentile } from '../statistics.ts';
import type { Bench } from '../system.ts';
import { ms } from '../table.ts';
import { enter } from './load.ts';
import { canvasOf, type Sides } from './sides.ts';

const SHAPE = { nodes: 300, text: 1_400 };
/** Moves between two saves: what a few people do in two seconds. */
const MOVES = 40;

function moved(document: CanvasDocument, x: number): CanvasDocument {
  let after = document;
  for (let move = 0; move < MOVES; move += 1) {
    const nodeId = `n${(x * MOVES + move) % SHAPE.nodes}`;
    const reduction = reduce(after, { type: 'node:move', nodeId, position: { x, y: move } }, UNLOCKED);
    if (reduction.outcome !== 'applied') throw new Error('a move was not applied');
    after = reduction.document;
  }
  return after;
}

/** How long preparing a save holds the process, in this one: everything that happens in one turn before it is sent. */
async function saveBlocks(schema: JsonObject, times: number): Promise<number[]> {
  let [document, base] = [readDocument(schema), schema];
  const blocks: number[] = [];
  for (let round = 1; round <= times; round += 1) {
    document = moved(document, round);
    const begun = performance.now();
    const cut = { document, version: round, base: { editVersion: round, document: base }, external: null };
    const op = {
      opId: `${round}`,
      userId: 'u',
      op: { type: 'node:move', nodeId: 'n0', position: { x: 0, y: 0 } },
    } as const;
    const ops = [{ ...op, version: round, size: 1, at: 0 }];
    const attempt = await prepareAttempt({ takeTurn }, { ...cut, ops, lastAuthor: 'u' }, 'history');
    toSaveRequest({ organizationId: 'o', workflowId: 'w' }, 1n, attempt);
    blocks.push(performance.now() - begun);
    base = writeDocument(document);
  }
  // The first ones are spent on compiling.
  return blocks.slice(Math.floor(times / 3));
}

export async function largeDocument(bench: Bench, sides: Sides, limits: PartLimits): Promise<Measured> {
  const workflowId = await canvasOf(bench, 0, SHAPE);
  limits.tell('a large canvas');
  const { workflow_schema: schema } = await (await bench.tenant(0)).get(`/workflows/${workflowId}`);
  const blocks = await saveBlocks(schema as JsonObject, limits.quick ? 60 : 300);
  const auth = await sides.service.auth(0);
  const writer = await enter(sides.service, auth, workflowId, 'n0');
  const joins: number[] = [];
  try {
    for (let join = 0; join < (limits.quick ? 20 : 60); join += 1) {
      // Another document each time.
      writer.move();
      const guest = await enter(
        sides.service,
        { ...auth, caps: join % 2 === 0 ? ['frames'] : [] },
        workflowId,
        'n1',
      );
      joins.push(guest.joinedWithinMs);
      guest.socket.disconnect();
      await sleep(50);
    }
  } finally {
    writer.socket.disconnect();
  }
  const kilobytes = Math.round(JSON.stringify(schema).length / 1_000);
  const [block, join] = [percentile(blocks, 0.95), percentile(joins, 0.95)];
  return {
    rows: [
      {
        workload: `a canvas of ${SHAPE.nodes} nodes, ${kilobytes} kB`,
        service: `a save holds the process for ${ms(block)}, a join takes ${ms(join)} (p95)`,
        beside: null,
        ratio: null,
      },
    ],
    values: {
      'canvas: time that saving 450 kB holds the process p95, ms': block,
      'canvas: join of 450 kB p95, ms': join,
    },
  };
}
