/** The schema of a run's stream: a union of the frames of all types of events (ledger/event-types.ts). */
import { z } from 'zod';
import { moment, uuid } from '../../../../platform/http/wire.ts';
import { EVENT_TYPES, type EventType } from '../../ledger/event-types.ts';
import type { FrameRow } from './frame-row.ts';
import { NODE_FRAMES } from './node-frames.ts';
import { RUN_FRAMES } from './run-frames.ts';
import { STREAM_FRAMES } from './stream-frames.ts';

const FRAMES: Readonly<Record<EventType, FrameRow>> = { ...RUN_FRAMES, ...NODE_FRAMES, ...STREAM_FRAMES };

const common = {
  run_id: uuid,
  thread_id: z.string().nullable(),
  timestamp: moment,
};
/** The fields of every stored event; a client continues after `seq`. */
const numbered = { ...common, seq: z.int() };

/** The fields that each frame has, by the subject of its event. */
const SHARED = {
  run: numbered,
  node: {
    ...numbered,
    step_id: uuid,
    node_id: z.string(),
    node_type: z.string(),
    node_name: z.string(),
    attempt: z.int(),
    depth: z.int(),
    item_index: z.int().optional(),
    parent_step_id: uuid.optional(),
    iteration: z.int().optional(),
  },
  stream: common,
};

function buildFrame(type: EventType) {
  const { fields, example } = FRAMES[type];
  const id = `${type.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Frame`;
  return z
    .looseObject({ type: z.literal(type), ...SHARED[EVENT_TYPES[type].of], ...fields })
    .meta({ id, examples: [{ type, ...example }] });
}

const [first, ...others] = (Object.keys(EVENT_TYPES) as [EventType, ...EventType[]]).map(buildFrame);
if (first === undefined) throw new Error('There is no type of events');

/** Every frame. Types may be added, so clients must ignore unknown ones. */
export const frames = z.discriminatedUnion('type', [first, ...others]).meta({ id: 'RunEvent' });
