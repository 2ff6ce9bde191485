/** The schema of a run's stream: a union of the frames of all types of events (ledger/event-types.ts). */
import { z } from 'zod';
import { EVENT_TYPES, type EventType } from '../../ledger/event-types.ts';
import { seq, type FrameRow } from './frame-row.ts';
import { NODE_FRAMES } from './node-frames.ts';
import { RUN_FRAMES } from './run-frames.ts';
import { STREAM_FRAMES } from './stream-frames.ts';
import { eventTime, runId } from '../../../../platform/http/fields.ts';
import {
  attemptNumber,
  itemIndex,
  iteration,
  nodeId,
  nodeName,
  nodeType,
  parentStepId,
  stepId,
  threadId,
} from '../fields.ts';

const FRAMES: Readonly<Record<EventType, FrameRow>> = { ...RUN_FRAMES, ...NODE_FRAMES, ...STREAM_FRAMES };

const common = {
  run_id: runId,
  thread_id: threadId,
  timestamp: eventTime,
};
/** The fields of every stored event; a client continues after `seq`. */
const numbered = { ...common, seq: seq };

/** The fields that each frame has, by the subject of its event. */
const SHARED = {
  run: numbered,
  node: {
    ...numbered,
    step_id: stepId,
    node_id: nodeId,
    node_type: nodeType,
    node_name: nodeName,
    attempt: attemptNumber,
    depth: z.int().meta({ description: 'Number of nodes on the path up to this one' }),
    item_index: itemIndex,
    parent_step_id: parentStepId,
    iteration: iteration,
  },
  stream: common,
};

function buildFrame(type: EventType) {
  const { fields, example } = FRAMES[type];
  const id = `${type.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Frame`;
  return z
    .looseObject({
      type: z.literal(type).meta({ description: 'Discriminator of the alternatives' }),
      ...SHARED[EVENT_TYPES[type].of],
      ...fields,
    })
    .meta({ id, examples: [{ type, ...example }] });
}

const [first, ...others] = (Object.keys(EVENT_TYPES) as [EventType, ...EventType[]]).map(buildFrame);
if (first === undefined) throw new Error('There is no type of events');

/** Every frame. Types may be added, so clients must ignore unknown ones. */
export const frames = z.discriminatedUnion('type', [first, ...others]).meta({ id: 'RunEvent' });
