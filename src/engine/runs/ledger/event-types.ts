/**
 * The types of events in the stream of a run, one row each, in the order of the API reference. The compiler demands a frame of each
 * (`api/frames/`), and what the page and the command line show of it.
 */

interface EventFacts {
  /** Events of the run and of its nodes are stored; those of the stream are made while it is read. */
  readonly of: 'run' | 'node' | 'stream';
  /** When the event is sent, for the table of the README. */
  readonly when: string;
  /** The status of the run or the node after the event, for the canvas; absent: it has not changed. */
  readonly status?: string;
  /** The last event of a stream. */
  readonly isTerminal?: true;
}

export const EVENT_TYPES = {
  run_started: { of: 'run', when: 'the run was accepted', status: 'running' },
  node_started: { of: 'node', when: 'the first attempt of a node begins', status: 'running' },
  node_completed: { of: 'node', when: 'a node has an output', status: 'completed' },
  node_failed: { of: 'node', when: 'the last attempt of a node has failed', status: 'failed' },
  node_retry: {
    of: 'node',
    when: 'an attempt has failed or was lost, and another follows',
    status: 'retrying',
  },
  node_skipped: {
    of: 'node',
    when: 'no edge to the node was taken, or the node is disabled',
    status: 'skipped',
  },
  node_reused: { of: 'node', when: 'a rerun takes the output of an earlier run', status: 'reused' },
  state_updated: { of: 'node', when: 'a node has changed declared fields' },
  token: { of: 'node', when: 'a model has written text; deleted an hour after the end of the run' },
  token_reset: { of: 'node', when: 'the text of the step so far is void' },
  progress: { of: 'node', when: 'a node reports progress, or a sub-workflow waits for an answer' },
  tool_call: { of: 'node', when: 'a tool call of an agent begins, is attempted again, or ends' },
  interrupt: { of: 'node', when: 'a question is open', status: 'waiting' },
  interrupt_resolved: { of: 'node', when: 'a question was answered or has expired', status: 'running' },
  run_completed: { of: 'run', when: 'the run has an output', status: 'completed', isTerminal: true },
  run_failed: { of: 'run', when: 'the run has failed', status: 'failed', isTerminal: true },
  run_cancelled: { of: 'run', when: 'the run was cancelled', status: 'cancelled', isTerminal: true },
  run_interrupted: {
    of: 'run',
    when: 'the run waits for an answer, which another segment continues',
    status: 'interrupted',
    isTerminal: true,
  },
  paused: { of: 'run', when: 'in place of `run_interrupted` when the run has ended without an answer' },
  heartbeat: { of: 'stream', when: 'nodes are running' },
  snapshot: { of: 'stream', when: 'in place of events that were deleted' },
  stream_error: { of: 'stream', when: 'the stream ends without the end of the run' },
} as const satisfies Readonly<Record<string, EventFacts>>;

export type EventType = keyof typeof EVENT_TYPES;

type TypesOf<Subject extends EventFacts['of']> = {
  [Type in EventType]: (typeof EVENT_TYPES)[Type]['of'] extends Subject ? Type : never;
}[EventType];
export type RunEventType = TypesOf<'run'>;
export type NodeEventType = TypesOf<'node'>;
export type StreamEventType = TypesOf<'stream'>;
export type StoredEventType = RunEventType | NodeEventType;

const FACTS: Readonly<Record<EventType, EventFacts>> = EVENT_TYPES;

/** Returns the facts of the event's type. */
export const findEventFacts = (type: EventType): EventFacts => FACTS[type];

const isStored = (type: EventType): type is StoredEventType => FACTS[type].of !== 'stream';

/** Lists the types of stored events whose facts fit, in the order of the table. */
export const listStoredTypes = (fits: (facts: EventFacts) => boolean): readonly StoredEventType[] =>
  (Object.keys(FACTS) as EventType[]).filter(isStored).filter((type) => fits(FACTS[type]));
