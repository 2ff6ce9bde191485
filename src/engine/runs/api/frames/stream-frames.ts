/** The frames that a stream makes itself. */
import { z } from 'zod';
import { AT, IDS, LATER } from '../../../../platform/http/docs/example-ids.ts';
import { json, uuid } from '../../../../platform/http/wire.ts';
import type { StreamEventType } from '../../ledger/event-types.ts';
import { exampleAt, runExample, type FrameRow } from './frame-row.ts';

const snapshotNode = z
  .looseObject({
    node_id: z.string(),
    step_id: uuid,
    status: z.string(),
    attempt: z.int(),
    output: json,
    output_truncated: z.boolean(),
  })
  .meta({ id: 'SnapshotNode' });
const snapshotInterrupt = z
  .looseObject({ interrupt_id: z.string(), node_id: z.string() })
  .meta({ id: 'SnapshotInterrupt' });
const heartbeatNode = z
  .looseObject({ node_id: z.string(), attempt: z.int(), seq: z.int(), tokens: z.int() })
  .meta({ id: 'HeartbeatNode' });

export const STREAM_FRAMES: Readonly<Record<StreamEventType, FrameRow>> = {
  heartbeat: {
    fields: { nodes: z.array(heartbeatNode) },
    example: {
      ...runExample,
      timestamp: AT,
      nodes: [{ node_id: 'classify', attempt: 1, seq: 7, tokens: 42 }],
    },
  },
  snapshot: {
    fields: {
      seq: z.int(),
      status: z.string(),
      last_seq: z.int(),
      nodes: z.array(snapshotNode),
      partial_text: z.record(z.string(), z.string()),
      interrupts: z.array(snapshotInterrupt),
    },
    example: {
      ...exampleAt(11, LATER),
      status: 'completed',
      last_seq: 12,
      nodes: [
        {
          node_id: 'hello',
          step_id: IDS.step,
          status: 'succeeded',
          attempt: 1,
          output: { greeting: 'Hello Ada' },
          output_truncated: false,
        },
      ],
      partial_text: {},
      interrupts: [],
    },
  },
  stream_error: {
    fields: { code: z.string(), message: z.string() },
    example: {
      ...runExample,
      timestamp: AT,
      code: 'run_removed',
      message: 'The run is no longer stored',
    },
  },
};
