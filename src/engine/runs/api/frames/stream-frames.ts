/** The frames that a stream makes itself. */
import { z } from 'zod';
import { AT, IDS, LATER } from '../../../../platform/http/docs/example-ids.ts';
import type { StreamEventType } from '../../ledger/event-types.ts';
import { exampleAt, runExample, seq, type FrameRow } from './frame-row.ts';
import { stableCode } from '../../../../platform/http/fields.ts';
import {
  attemptNumber,
  interruptId,
  nodeId,
  outputTruncated,
  stepId,
  stepOutput,
  stepStatus,
} from '../fields.ts';

const snapshotNode = z
  .looseObject({
    node_id: nodeId,
    step_id: stepId,
    status: stepStatus,
    attempt: attemptNumber,
    output: stepOutput,
    output_truncated: outputTruncated,
  })
  .meta({ id: 'SnapshotNode' });
const snapshotInterrupt = z
  .looseObject({ interrupt_id: interruptId, node_id: nodeId })
  .meta({ id: 'SnapshotInterrupt' });
const heartbeatNode = z
  .looseObject({
    node_id: nodeId,
    attempt: attemptNumber,
    seq: z.int().meta({ description: 'Sequence number of the last event of the node; 0 without one' }),
    tokens: z.int().meta({ description: 'Number of tokens that the node has streamed' }),
  })
  .meta({ id: 'HeartbeatNode' });

export const STREAM_FRAMES: Readonly<Record<StreamEventType, FrameRow>> = {
  heartbeat: {
    fields: { nodes: z.array(heartbeatNode).meta({ description: 'The running nodes' }) },
    example: {
      ...runExample,
      timestamp: AT,
      nodes: [{ node_id: 'classify', attempt: 1, seq: 7, tokens: 42 }],
    },
  },
  snapshot: {
    fields: {
      seq: seq,
      status: z.string().meta({ description: 'Final status of the run' }),
      last_seq: z.int().meta({ description: 'Sequence number of the last event of the run' }),
      nodes: z.array(snapshotNode).meta({ description: 'The steps of the run, without those of items' }),
      partial_text: z
        .record(z.string(), z.string())
        .meta({ description: 'Text streamed so far, by step; empty after the end of the run' }),
      interrupts: z.array(snapshotInterrupt).meta({ description: 'The questions' }),
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
    fields: {
      code: stableCode,
      message: z.string().meta({ description: 'Reason why the stream ends; it says nothing about the run' }),
    },
    example: {
      ...runExample,
      timestamp: AT,
      code: 'run_removed',
      message: 'The run is no longer stored',
    },
  },
};
