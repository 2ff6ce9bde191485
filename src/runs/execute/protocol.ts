/**
 * What the walk of a run and whoever drives it tell each other: the tasks, their outcomes, the answers to advances. Plain
 * JSON, kept small: the driver stores it in its history.
 */
import type { SkeletonNode } from '../../graph/skeleton.ts';
import type { RunRef, StartDescription } from '../engine.ts';

/** Node executions of one run at once (SPEC REL-in-flight); Temporal allows 2,000 pending activities. */
export const MAX_IN_FLIGHT = 200;

/**
 * How long an attempt may wait in queues of its process beside its own timeout. A line of a hundred functions that each take
 * 35 s, as long as one may, is over by then on two threads.
 */
export const MAX_PAUSED_MS = 3_600_000;

/** One settled effectful node, as the interpreter knows it: which out-edges were taken, nothing of the values. */
export interface NodeOutcome {
  /** Positions in the node's list of out-edges. */
  readonly taken: readonly number[];
  /** The node failed and nothing handles it: scheduling stops. */
  readonly failed: boolean;
  /** The node has not ended: it waits for answers, the first of which may come no later than this (null: any time). */
  readonly asked?: { readonly fireAtMs: number | null };
}

export interface NodeTask extends RunRef {
  readonly runPk: string;
  readonly nodeId: string;
  readonly visit: number;
  readonly depth: number;
  /** Place of the execution in the run, from 1. */
  readonly position: number;
  /** -1 outside for_each. */
  readonly itemIndex: number;
  /** Iteration of the innermost loop around the node, or null. */
  readonly iteration: number | null;
  /** Iterations of the loops, by back edge id, when a template of the node reads them. */
  readonly loop: Readonly<Record<string, number>>;
}

/** A call of a short node that an advance has begun: which attempt of which step. Its end is not in the walk yet. */
export interface OpenCall extends NodeTask {
  /** The node's index in the skeleton. */
  readonly node: number;
  readonly stepId: string;
  readonly attempt: number;
  /** How long the next attempt waits, in ms: this one has failed. Null: the call is under way. */
  readonly retryInMs: number | null;
}

/** Agents of one run at once: each may have up to 25 turns and 64 calls, a thousand events of history. */
export const MAX_AGENTS = 32;

/** One turn of an agent, from 1. */
export interface AgentTurnTask extends NodeTask {
  readonly turn: number;
}

/** One tool call of a turn, from 0. */
export interface AgentCallTask extends AgentTurnTask {
  readonly call: number;
}

/** A tool call as the interpreter knows it. */
export interface AgentCall {
  readonly call: number;
  readonly name: string;
  /** A sub-workflow: runs as a child. */
  readonly isChild: boolean;
  readonly timeoutMs: number;
  readonly maxAttempts: number;
}

export interface AgentTurnResult {
  /** The agent has ended; or null: its calls are made, then comes the next turn. */
  readonly outcome: NodeOutcome | null;
  readonly calls: readonly AgentCall[];
  /** How many of them may be under way at once. */
  readonly atOnce: number;
  /** There are calls beside them that wait for a person. */
  readonly asks?: boolean;
}

/** One step of the interpreter through what is pure: settle, fold, and close or pause the run when nothing is left. */
export interface AdvanceInput extends RunRef {
  /** Rises by one per call; a repetition of the same number gets the stored answer. */
  readonly advance: number;
  /** Empty at the very start. */
  readonly progress: string;
  /** Nodes (index, visit) whose durable timer fired: waits and expired questions. */
  readonly elapsed: readonly (readonly [number, number])[];
  /** Nodes that the interpreter's own settling has skipped since the last advance. */
  readonly skipped: readonly number[];
  /** How many node tasks are in flight: zero lets the advance close or pause the run. */
  readonly inFlight: number;
  /** The interpreter does not have the skeleton yet. */
  readonly wantsSkeleton?: boolean;
  /** Short effectful nodes run with the advance (stretch.ts). Since version 2 of the interpreter. */
  readonly runsEffects?: boolean;
  /** So do the items of mapped ones. Since version 3. */
  readonly runsItems?: boolean;
}

/** A mapped node whose items are ready to run. */
export interface MapStarted {
  readonly node: number;
  readonly visit: number;
  readonly depth: number;
  readonly position: number;
  readonly count: number;
  /** The first item that has not been started; absent: none has. */
  readonly next?: number;
  /** Items that an advance has begun and leaves to the interpreter. */
  readonly calls?: readonly OpenCall[];
}

/** An agent that asked about tool calls and has an answer: it goes on with the calls of this turn. */
export interface AgentResumed {
  readonly node: number;
  readonly visit: number;
  readonly depth: number;
  readonly position: number;
  readonly turn: number;
}

/** A map whose history ended between two of its items. */
export interface CarriedMap extends MapStarted {
  /** The first item that has not been started. */
  readonly next: number;
}

export type AdvanceResult = {
  /**
   * The answer is an earlier one: a worker was lost after the advance was committed and before Temporal knew. What
   * the interpreter has learnt since that earlier call is not in it.
   */
  readonly repeated: boolean;
  readonly progress: string;
  /** The current segment. */
  readonly runPk: string;
  readonly maps: readonly MapStarted[];
  readonly resumed?: readonly AgentResumed[];
  /** The skeleton as JSON text, where it was wanted and is small; else the interpreter loads it in parts. */
  readonly skeleton?: string;
  /** The number of the last advance that was made, where there may have been several. */
  readonly advance?: number;
  /** Calls that the advances have begun and leave to the interpreter. */
  readonly calls?: readonly OpenCall[];
  /** The task queue of the process in which those calls, and those of maps, are under way. */
  readonly home?: string;
} & (
  | {
      readonly state: 'running';
      /** The fold stopped at its bound with pure nodes still ready: call again at once. */
      readonly more: boolean;
    }
  | { readonly state: 'interrupted' }
  | ({ readonly state: 'closed' } & RunEnd)
);

/** What was done of a run before its start. */
export interface Begun {
  /** The last answer to its advances. */
  readonly answer: AdvanceResult;
  /** The nodes that were called, in the order of their calls: operators read their names. */
  readonly called: readonly SkeletonNode[];
}

/** How a run has ended, as its row says. */
export interface RunEnd {
  readonly status: 'completed' | 'failed' | 'cancelled';
  /** Of a failed run. */
  readonly error: RunFailure | null;
}

export interface RunFailure {
  readonly code: string;
  readonly message: string;
  readonly nodeId: string | null;
}

export interface ChildStarted {
  readonly wait: boolean;
  readonly start: StartDescription;
}
