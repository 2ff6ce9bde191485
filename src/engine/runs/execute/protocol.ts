/**
 * The messages between the interpreter and the activities of a run: tasks, outcomes, answers to advances. Plain JSON, and small:
 * Temporal stores it in the history.
 */
import type { SkeletonNode } from '../../../language/graph/definition/skeleton.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { RunRef, StartDescription } from '../engine.ts';

/** Concurrent node executions of one run (SPEC REL-in-flight); Temporal allows 2,000 pending activities. */
export const MAX_IN_FLIGHT = 200;

/**
 * The longest time that an attempt may wait in queues of its process, in addition to its timeout. On two threads, a queue of a
 * hundred functions of 35 s each, the maximum, ends within it.
 */
export const MAX_PAUSED_MS = 3_600_000;

/** Concurrent agents of one run: each may have up to 25 turns and 64 calls, a thousand events of history. */
export const MAX_AGENTS = 32;

/** The end of an effectful node, as the interpreter knows it: which out-edges were taken, nothing of the values. */
export interface NodeOutcome {
  /** Positions in the node's list of out-edges. */
  readonly taken: readonly number[];
  /** The node failed and nothing handles it: scheduling stops. */
  readonly failed: boolean;
  /**
   * The node waits for answers; its first question expires then (null: none does). Recorded in the histories of runs, so the name stays.
   */
  readonly asked?: { readonly fireAtMs: number | null };
  /** The run has ended, so the node never does: the next advance returns how. */
  readonly gone?: true;
}

/** The outcome of a task whose run has ended. */
export const GONE_OUTCOME: NodeOutcome = { taken: [], failed: false, gone: true };

/** One execution of a node, as the walk hands it out. */
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
  /** The execution may have started before, so its step is read first. */
  readonly isRepeated?: true;
}

/** An attempt that its host no longer waits for (`patienceMs`): it continues in its process. */
export interface StillRunning {
  /** The task queue of that process. */
  readonly queue: string;
  /** ISO 8601: the start of the attempt. */
  readonly since: string;
}

/** The input of a local activity: one argument, because each argument is encrypted separately. */
export interface ShortTask<Task extends NodeTask> {
  readonly task: Task;
  /** How long it waits for the attempt before it leaves it running. Recorded in the histories of runs, so the name stays. */
  readonly patienceMs: number;
}

/** The answer of a short host: the node's outcome, or that the attempt continues. */
export type ShortResult = NodeOutcome | { readonly running: StillRunning };

/** Details of the failure that ends one attempt: the node's outcome, or the wait before the next attempt. */
export type FailureDetails = NodeOutcome | { readonly retryInMs: number };

/** Some items of a mapped node, which run together. */
export interface ItemRange extends NodeTask {
  readonly first: number;
  /** The index behind the last item. */
  readonly end: number;
  /** The maximum of concurrent items. */
  readonly atOnce: number;
}

/** An item that has started in a range and not ended there. */
export interface OpenItem {
  readonly itemIndex: number;
  /** The attempt that continues in its process; null: the next attempt has to start. */
  readonly running: StillRunning | null;
  /** How long that attempt waits, in ms. */
  readonly retryInMs: number;
}

/** The answer of a range of items. */
export interface ItemRangeResult {
  /** The first item that has not started. */
  readonly next: number;
  /** An item has failed the node. */
  readonly failed: boolean;
  readonly open: readonly OpenItem[];
  readonly gone?: true;
}

/** One turn of an agent, from 1. */
export interface AgentTurnTask extends NodeTask {
  readonly turn: number;
}

/** One tool call of a turn, from 0: an execution like that of a node. */
export interface AgentCallTask extends AgentTurnTask {
  readonly call: number;
}

export const isToolCall = (task: NodeTask): task is AgentCallTask => 'call' in task;

/** A tool call as the interpreter knows it: the kind of node that it runs as. */
export interface AgentCall extends Pick<SkeletonNode, 'type' | 'name' | 'placement' | 'timeoutMs'> {
  readonly call: number;
}

export interface AgentTurnResult {
  /** The agent has ended; or null: its calls are made, then comes the next turn. */
  readonly outcome: NodeOutcome | null;
  readonly calls: readonly AgentCall[];
  /** The maximum of concurrent calls. */
  readonly atOnce: number;
  /** Other calls of the turn wait for approval. */
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
  /** Number of node tasks in flight; with zero the advance may close or pause the run. */
  readonly inFlight: number;
  /** The interpreter does not have the skeleton yet. */
  readonly wantsSkeleton?: boolean;
}

/** A mapped node whose items are ready to run. */
export interface MapStarted {
  readonly node: number;
  readonly visit: number;
  readonly depth: number;
  readonly position: number;
  readonly count: number;
}

/** A map whose history ended between two of its items. */
export interface CarriedMap extends MapStarted {
  /** The first item that has not been started. */
  readonly next: number;
}

/** A paused execution whose questions were answered, and that goes on. */
export interface NodeResumed {
  readonly node: number;
  readonly visit: number;
  readonly depth: number;
  readonly position: number;
  /** An agent continues with the calls of this turn; null: the task starts again, in another attempt. */
  readonly turn: number | null;
}

/** A question that a paused run waits for, as operators read it: who may answer it and since when, no value. */
export interface OpenQuestion {
  /** `Approve refund (approve)` */
  readonly nodeLabel: string;
  /** Names of roles and ids of users; empty: any member of the organization. */
  readonly assignees: readonly string[];
  /** ISO 8601. */
  readonly since: string;
  readonly expiresAt: string | null;
}

export type AdvanceResult = {
  /**
   * The answer is a stored one: a worker was lost after the commit of the advance and before Temporal recorded it. It does not
   * include what the interpreter has learned since.
   */
  readonly repeated: boolean;
  readonly progress: string;
  /** The current segment. */
  readonly runPk: string;
  readonly maps: readonly MapStarted[];
  readonly resumed: readonly NodeResumed[];
  /** The skeleton as JSON text, where it was wanted and is small; else the interpreter loads it in parts. */
  readonly skeleton?: string;
} & (
  | {
      readonly state: 'running';
      /** The fold stopped at its limit with pure nodes still ready: request another advance. */
      readonly more: boolean;
    }
  | { readonly state: 'interrupted'; readonly questions: readonly OpenQuestion[] }
  | ({ readonly state: 'closed' } & RunEnd)
);

/** A node as operators read it: `Fetch orders (fetch_orders)`. */
export const formatNodeLabel = ({ id, name }: { readonly id: string; readonly name: string }): string =>
  name === id ? id : `${name} (${id})`;

/** The end of a run, from its row. */
export interface RunEnd {
  readonly status: 'completed' | 'failed' | 'cancelled';
  /** Of a failed run. */
  readonly error: RunFailure | null;
}

export interface RunFailure {
  readonly code: string;
  readonly message: string;
  readonly nodeId: string | null;
  /** `Fetch orders (fetch_orders)`, for operators. */
  readonly nodeLabel?: string;
}

/** The error of a run as its row and its frames hold it. */
export const toErrorFields = ({ code, message, nodeId }: RunFailure): JsonObject => ({
  code,
  message,
  node_id: nodeId,
});

/** A child run that the interpreter starts. */
export interface ChildStarted {
  readonly wait: boolean;
  /** How long the parent waits for it at most. */
  readonly timeoutMs: number;
  readonly start: StartDescription;
}

/** How the wait for a child run ended: with the child's execution, at the timeout of its node, or at its start. */
export type ChildWait = 'ended' | 'terminated' | 'timed_out' | 'not_awaited';
