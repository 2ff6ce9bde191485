/**
 * Names and shapes shared by the starter (API), the interpreter (workflow sandbox) and the activities (worker).
 * No imports beyond types of the pure room: this file is part of the workflow bundle.
 */
import type { SkeletonNode } from '../src/graph/skeleton.ts';

/** The workflow type that operators see. One generic interpreter runs every definition. */
export const WORKFLOW_TYPE = 'interpretWorkflow';
export const RESUME_SIGNAL = 'resume';
/** The Temporal header that a W3C traceparent travels in. */
export const TRACE_HEADER = 'traceparent';

/** One execution serves all segments of a run: its id names the organization and the first segment's run_pk. */
export function temporalWorkflowId(organizationId: string, rootRunPk: string): string {
  return `org/${organizationId}/run/${rootRunPk}`;
}

/** The workflow type that Temporal's Schedules start: accepts the run of one scheduled time and sees it through. */
export const SCHEDULED_WORKFLOW_TYPE = 'scheduledRun';

/** One Temporal Schedule per row of `schedules`, by its id. */
export const temporalScheduleId = (scheduleId: string): string => `schedule:${scheduleId}`;

/** Temporal appends the scheduled time, to the second: two firings within one second are one. */
export const scheduledWorkflowId = (organizationId: string, scheduleId: string): string =>
  `org/${organizationId}/schedule/${scheduleId}`;
/** The workflow type that takes one document of a knowledge base in. */
export const INGEST_WORKFLOW_TYPE = 'ingestDocument';

/** One attempt to take a document in. Ids alone: bytes and texts stay in PostgreSQL. */
export interface DocumentRef {
  readonly organizationId: string;
  readonly documentId: string;
  /** From 1; another after each failed one that is tried again. */
  readonly attempt: number;
}

/** One execution per attempt, however often it is started. */
export const ingestWorkflowId = ({ organizationId, documentId, attempt }: DocumentRef): string =>
  `org/${organizationId}/document/${documentId}/${attempt}`;

/** Activities of ingests have a queue of their own: a thousand uploads do not hold up the nodes of runs. */
export const ingestTaskQueue = (taskQueue: string): string => `${taskQueue}-ingest`;
export const nodesTaskQueue = (taskQueue: string): string => `${taskQueue}-nodes`;

/** Registered per namespace at boot; ids and closed words only, they are never encrypted. */
export const SEARCH_ATTRIBUTES = {
  OrganizationId: 'KEYWORD',
  WorkflowDefinitionId: 'KEYWORD',
  DeploymentId: 'KEYWORD',
  TriggerType: 'KEYWORD',
  RunStatus: 'KEYWORD',
  ThreadId: 'KEYWORD',
  IsAdHoc: 'BOOL',
} as const;

export interface RunRef {
  readonly organizationId: string;
  readonly rootRunPk: string;
}

/** What RunEngine.start needs to make an execution readable for operators. Ids and names, no values. */
export interface StartDescription extends RunRef {
  readonly runId: string;
  readonly workflowId: string | null;
  readonly deploymentId: string | null;
  readonly workflowName: string;
  readonly workflowVersion: string;
  readonly triggerType: string;
  readonly threadId: string | null;
  readonly isAdHoc: boolean;
}

export type RunAttribute =
  | { readonly key: { readonly name: string; readonly type: 'KEYWORD' }; readonly value: string }
  | { readonly key: { readonly name: string; readonly type: 'BOOL' }; readonly value: boolean };

/**
 * The search attributes of a starting run. Ids and closed words: never encrypted.
 * @param status what has become of it already
 */
export function runAttributes(run: StartDescription, status = 'running'): RunAttribute[] {
  const keywords = {
    OrganizationId: run.organizationId,
    WorkflowDefinitionId: run.workflowId,
    DeploymentId: run.deploymentId,
    TriggerType: run.triggerType,
    RunStatus: status,
    ThreadId: run.threadId,
  } satisfies Partial<Record<keyof typeof SEARCH_ATTRIBUTES, string | null>>;
  return [
    ...Object.entries(keywords).flatMap(([name, value]): RunAttribute[] =>
      value === null ? [] : [{ key: { name, type: 'KEYWORD' }, value }],
    ),
    { key: { name: 'IsAdHoc', type: 'BOOL' }, value: run.isAdHoc },
  ];
}

/** RunStatus after an advance. */
export function runStatusOf(result: AdvanceResult): string {
  return result.state === 'closed' ? result.status : result.state;
}

export type StartOutcome = 'started' | 'already_started';

/** The position that a node activity reports with each heartbeat. */
export interface HeartbeatPosition {
  readonly node_id: string;
  readonly attempt: number;
  readonly seq: number;
  readonly tokens: number;
}
export interface ExecutionState {
  /** Temporal's word: RUNNING, COMPLETED, FAILED, CANCELLED, TERMINATED, TIMED_OUT, CONTINUED_AS_NEW; or NOT_FOUND. */
  readonly status: string;
  readonly heartbeats: readonly HeartbeatPosition[];
  /** Attempt of the pending workflow task; above 5 the interpreter cannot proceed (poison). */
  readonly workflowTaskAttempt: number;
}

export interface ScheduleRef {
  readonly organizationId: string;
  readonly scheduleId: string;
}

/** What happens when a run is due while an earlier one of its schedule is under way; Temporal's words. */
export type OverlapPolicy = 'skip' | 'buffer_one' | 'allow_all' | 'cancel_other' | 'terminate_other';

/** A row of `schedules`, as far as Temporal has to know it. */
export interface ScheduleOrder extends ScheduleRef {
  readonly workflowId: string;
  /** Rises with each change of the other fields. */
  readonly revision: number;
  readonly cronExpression: string;
  readonly timezone: string;
  readonly enabled: boolean;
  readonly overlapPolicy: OverlapPolicy;
  readonly catchupWindowSeconds: number;
  readonly startAt: Date | null;
  readonly endAt: Date | null;
}

/** Temporal's Schedules. Every call has a deadline. */
export interface ScheduleEngine {
  /** Makes the Temporal Schedule agree with the row. @throws EngineRefused when trying again cannot help */
  put(order: ScheduleOrder): Promise<void>;
  /** Removes the Temporal Schedule, if there is one. Runs under way go on. */
  remove(scheduleId: string): Promise<void>;
  /** Fires now, under the schedule's overlap policy. False: Temporal does not know the schedule. */
  trigger(order: ScheduleOrder): Promise<boolean>;
  /** Whether the Temporal Schedule is there and agrees with the row. */
  isCurrent(order: ScheduleOrder): Promise<boolean>;
}

/** Ingests of documents. Every call has a deadline. */
export interface IngestEngine {
  /** @throws when the outcome is unknown or refused; `EngineRefused` when trying again cannot help */
  start(document: DocumentRef): Promise<StartOutcome>;
  /** Temporal's word for the state of the execution, or NOT_FOUND. */
  stateOf(document: DocumentRef): Promise<string>;
}

/** Temporal as the rest of the service sees it. Every call has a deadline. */
export interface RunEngine {
  readonly schedules: ScheduleEngine;
  readonly ingests: IngestEngine;
  /**
   * @param first the answer to the run's first advance, when that is done
   * @throws when the outcome is unknown or refused; `EngineRefused` when trying again cannot help
   */
  start(run: StartDescription, first?: AdvanceResult | null): Promise<StartOutcome>;
  /** False: there is no open execution to signal. */
  resume(run: RunRef): Promise<boolean>;
  cancel(run: RunRef): Promise<void>;
  describe(run: RunRef): Promise<ExecutionState>;
  terminate(run: RunRef, reason: string): Promise<void>;
  close(): Promise<void>;
}

/** Input of a scheduled start: ids, and whether the custom search attributes are registered. */
export interface ScheduledInput extends ScheduleRef {
  readonly searchable: boolean;
}

/** One scheduled time of a schedule; ISO 8601. */
export interface Firing extends ScheduleRef {
  readonly scheduledAt: string;
}

/** Input of the interpreter; `carried` is set by continue-as-new. */
export interface InterpretInput extends RunRef {
  readonly interpreterVersion: 1;
  /** The custom search attributes are registered: the interpreter may upsert them. */
  readonly searchable: boolean;
  /** The answer to the first advance, which whoever started the run has done already (activities/begin.ts). */
  readonly first?: AdvanceResult;
  /** The search attribute RunStatus that it was started with; absent: `running`. */
  readonly runStatus?: string;
  readonly carried?: CarriedState;
}
export interface CarriedState {
  readonly advances: number;
  readonly progress: string;
  /** Maps that are not through with their items. */
  readonly maps?: readonly CarriedMap[];
}

/** Node executions of one run at once (reliability bar, "Mechanisms" 7); Temporal allows 2,000 pending activities. */
export const MAX_IN_FLIGHT = 200;

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
}

/** A mapped node whose items are ready to run. */
export interface MapStarted {
  readonly node: number;
  readonly visit: number;
  readonly depth: number;
  readonly position: number;
  readonly count: number;
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
} & (
  | {
      readonly state: 'running';
      /** The fold stopped at its bound with pure nodes still ready: call again at once. */
      readonly more: boolean;
    }
  | { readonly state: 'interrupted' }
  | ({ readonly state: 'closed' } & RunEnd)
);

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

/** Local activities: short, idempotent, on the interpreter's own queue. */
export interface InterpreterActivities {
  advance(input: AdvanceInput): Promise<AdvanceResult>;
  /** Part `part` of the skeleton as JSON text, at most 96 kB each. */
  loadSkeleton(run: RunRef, part: number): Promise<{ readonly text: string; readonly parts: number }>;
  /** An activity ended without an outcome of its own (lost worker, timeout): decide by the step's record. */
  settleLost(task: NodeTask, reason: string): Promise<NodeOutcome>;
  /** All items of a mapped node ended: its results become the node's output. */
  settleMap(task: NodeTask): Promise<NodeOutcome>;
  /** A child run ended: its output becomes the node's. */
  settleChild(task: NodeTask): Promise<NodeOutcome>;
  /** Creates the child's run; null when the node settled without one (`outcome`). */
  prepareChild(
    task: NodeTask,
  ): Promise<{ readonly child: ChildStarted | null; readonly outcome: NodeOutcome | null }>;
  /** Creates the run of an agent's tool call; null when there is none to start: the call has its answer. */
  prepareAgentChild(task: AgentCallTask): Promise<ChildStarted | null>;
  /** The child run of a tool call ended: its output becomes the call's answer. */
  settleAgentChild(task: AgentCallTask): Promise<void>;
  /** The activity of a tool call ended without an answer of its own. */
  settleAgentCall(task: AgentCallTask, reason: string): Promise<void>;
  /** An agent can do nothing but wait for people: asks them, and says until when. */
  pauseAgent(task: AgentTurnTask): Promise<NodeOutcome>;
  /** What an agent that was answered has to do now: the calls of its turn that may be made. */
  resumeAgent(task: AgentTurnTask): Promise<AgentTurnResult>;
  /** Accepts the run of a firing, once; null when there is none to start. */
  acceptScheduled(firing: Firing): Promise<StartDescription | null>;
  /** The run of a firing has ended: its schedule counts failures in a row. */
  settleScheduled(firing: Firing): Promise<void>;
  /** All chunks of a document have their vectors: it can be found from now on. */
  completeDocument(document: DocumentRef): Promise<void>;
  /** The ingest of a document cannot go on. */
  failDocument(document: DocumentRef, error: IngestFailure): Promise<void>;
  /**
   * Writes the terminal state after a cancellation that reached the execution.
   * @returns how the run has ended: it may have before. Histories of before 2026-11-22 have no answer here
   */
  closeCancelled(run: RunRef, reason: string): Promise<RunEnd | undefined>;
  /** Has the cancellation of a run delivered to its execution, once more. */
  askCancellation(run: RunRef): Promise<void>;
}

/** Node activities: one per effectful node execution, named after the node's type. */
export type NodeActivities = Record<
  Exclude<SkeletonNode['type'], 'agent'>,
  (task: NodeTask) => Promise<NodeOutcome>
>;

/** The activities of an agent: one per call of its model and one per call of a tool. */
export interface AgentActivities {
  agent(task: AgentTurnTask): Promise<AgentTurnResult>;
  agentTool(task: AgentCallTask): Promise<void>;
}

/** Why a document could not be taken in; the message is for whoever uploaded it. */
export interface IngestFailure {
  readonly code: string;
  readonly message: string;
}

/** The activities of an ingest: each repeatable, none with more than ids and numbers. */
export interface IngestActivities {
  /** Reads and cuts the document. @returns how many pieces there are; null when there is nothing to do any more */
  extractDocument(document: DocumentRef): Promise<number | null>;
  /** Gives vectors to pieces for a while. @returns how many are left; null when there is nothing to do any more */
  embedDocument(document: DocumentRef): Promise<number | null>;
}
