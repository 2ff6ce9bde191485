/**
 * Names and shapes shared by the client, the workflows and the activities: workflow and activity types, ids, queues.
 * Constants and types alone: this file is part of the workflow bundle.
 */
import type { DocumentRef } from '../src/platform/knowledge/ingest-engine.ts';
import type { RunRef, StartDescription } from '../src/engine/runs/engine.ts';
import type {
  AdvanceInput,
  AdvanceResult,
  AgentTurnResult,
  AgentTurnTask,
  CarriedMap,
  ChildStarted,
  ChildWait,
  ItemRange,
  ItemRangeResult,
  NodeOutcome,
  NodeTask,
  RunEnd,
  ShortResult,
  ShortTask,
} from '../src/engine/runs/execute/protocol.ts';
import type { Firing, ScheduleRef } from '../src/engine/schedules/schedule-engine.ts';
import type { SkeletonNode } from '../src/language/graph/definition/skeleton.ts';
import type { RunnableType } from '../src/language/nodes/faces.ts';

/** The workflow type that operators see. One generic interpreter runs every definition. */
export const WORKFLOW_TYPE = 'interpretWorkflow';

export const RESUME_SIGNAL = 'resume';

/**
 * Bounds how long a run waits for a worker that was killed. The SDK writes local activities to the history after four fifths of
 * it at the latest.
 */
export const WORKFLOW_TASK_TIMEOUT = '5s' as const;

/** The type of the failure of a task whose payloads need a key that the worker does not have. In clear, unlike its message. */
export const MISSING_KEY = 'MissingEncryptionKey';

/** The Temporal header that a W3C traceparent travels in. */
export const TRACE_HEADER = 'traceparent';

/** One execution serves all segments of a run: its id names the organization and the first segment's run_pk. */
export function toRunWorkflowId(organizationId: string, rootRunPk: string): string {
  return `org/${organizationId}/run/${rootRunPk}`;
}

/** The workflow type that Temporal's Schedules start: accepts the run of one scheduled time and awaits its end. */
export const SCHEDULED_WORKFLOW_TYPE = 'scheduledRun';

/** One Temporal Schedule per row of `schedules`, by its id. */
export const toTemporalScheduleId = (scheduleId: string): string => `schedule:${scheduleId}`;

/** Temporal appends the scheduled time, to the second: two firings within one second are one. */
export const toScheduledWorkflowId = (organizationId: string, scheduleId: string): string =>
  `org/${organizationId}/schedule/${scheduleId}`;

/** The workflow type that ingests one document of a knowledge base. */
export const INGEST_WORKFLOW_TYPE = 'ingestDocument';

/** One execution per attempt, however often it is started. */
export const toIngestWorkflowId = ({ organizationId, documentId, attempt }: DocumentRef): string =>
  `org/${organizationId}/document/${documentId}/${attempt}`;

/** Ingests have their own queue, so that a thousand uploads do not delay the nodes of runs. */
export const toIngestTaskQueue = (taskQueue: string): string => `${taskQueue}-ingest`;

/** The queue of one worker process: an attempt that outlives its local activity continues there. */
export const toWorkerTaskQueue = (taskQueue: string, workerId: string): string =>
  `${taskQueue}-worker-${workerId}`;

export const toNodesTaskQueue = (taskQueue: string): string => `${taskQueue}-nodes`;

/** Registered per namespace at boot; only ids and enums, because attributes are never encrypted. */
export const SEARCH_ATTRIBUTES = {
  OrganizationId: 'KEYWORD',
  WorkflowDefinitionId: 'KEYWORD',
  DeploymentId: 'KEYWORD',
  TriggerType: 'KEYWORD',
  RunStatus: 'KEYWORD',
  ThreadId: 'KEYWORD',
  IsAdHoc: 'BOOL',
} as const;

/** Registered and set only with TEMPORAL_SHOW_NAMES: like every attribute, they are not encrypted. */
export const NAME_ATTRIBUTE = 'WorkflowName';
/** The metadata of a run as `customer:acme`. */
export const METADATA_ATTRIBUTE = 'RunMetadata';

type RunAttribute =
  | { readonly key: { readonly name: string; readonly type: 'KEYWORD' }; readonly value: string }
  | { readonly key: { readonly name: string; readonly type: 'BOOL' }; readonly value: boolean };

/**
 * Builds the search attributes of a run that starts.
 * @param isNamed includes the name of the workflow
 */
export function buildRunAttributes(run: StartDescription, isNamed: boolean): RunAttribute[] {
  const keywords = {
    OrganizationId: run.organizationId,
    WorkflowDefinitionId: run.workflowId,
    DeploymentId: run.deploymentId,
    TriggerType: run.triggerType,
    RunStatus: 'running',
    ThreadId: run.threadId,
  } satisfies Partial<Record<keyof typeof SEARCH_ATTRIBUTES, string | null>>;
  return [
    ...Object.entries(keywords).flatMap(([name, value]): RunAttribute[] =>
      value === null ? [] : [{ key: { name, type: 'KEYWORD' }, value }],
    ),
    ...(isNamed
      ? [{ key: { name: NAME_ATTRIBUTE, type: 'KEYWORD' }, value: run.workflowName } as const]
      : []),
    { key: { name: 'IsAdHoc', type: 'BOOL' }, value: run.isAdHoc },
  ];
}

/** Input of a scheduled start: ids, and whether the custom search attributes are registered. */
export interface ScheduledInput extends ScheduleRef {
  readonly searchable: boolean;
  /** The name of the workflow is a search attribute, too. */
  readonly isNamed?: boolean;
}

/** The version of the interpreter in new histories. */
export const INTERPRETER_VERSION = 1;

/** Facts of a run for operators; the interpreter decides nothing by them. */
interface RunFacts {
  readonly workflow: string;
  readonly version: string;
  readonly trigger: string;
  readonly run_id: string;
  readonly thread_id: string | null;
}

const describeRun = (start: StartDescription): RunFacts => ({
  workflow: start.workflowName,
  version: start.workflowVersion,
  trigger: start.triggerType,
  run_id: start.runId,
  thread_id: start.threadId,
});

/** Temporal's UI cuts longer summaries. */
export const SUMMARY_LENGTH = 100;

/** Summarizes a node as `LLM · Classify ticket (classify)`. @param suffix such as ` [3]` of an item; kept when the name is cut */
export function summarizeNode(node: Pick<SkeletonNode, 'type' | 'name' | 'id'>, suffix = ''): string {
  const kind = node.type === 'llm' ? 'LLM' : node.type.charAt(0).toUpperCase() + node.type.slice(1);
  return `${kind} · ${node.name} (${node.id})`.slice(0, SUMMARY_LENGTH - suffix.length) + suffix;
}

/** Describes a start in Markdown, as the static details that Temporal's UI shows above the history. */
export function describeStart(start: StartDescription): string {
  return Object.entries(describeRun(start))
    .flatMap(([name, value]) => (value === null ? [] : [`- **${name}**: ${value}`]))
    .join('\n');
}

/** Input of the interpreter; `carried` is set by continue-as-new. */
export interface InterpretInput extends RunRef {
  readonly run: RunFacts;
  readonly interpreterVersion: typeof INTERPRETER_VERSION;
  /** The custom search attributes are registered: the interpreter may upsert them. */
  readonly searchable: boolean;
  /** The name of the workflow is a search attribute, too. */
  readonly isNamed: boolean;
  readonly carried?: CarriedState;
}

/** Which custom search attributes an execution may have. */
export type Searchable = Pick<InterpretInput, 'searchable'> & Partial<Pick<InterpretInput, 'isNamed'>>;

/** Builds the input of a run's first history. */
export const buildInterpretInput = (
  start: StartDescription,
  { searchable, isNamed = false }: Searchable,
): InterpretInput => ({
  run: describeRun(start),
  interpreterVersion: INTERPRETER_VERSION,
  searchable,
  isNamed,
  organizationId: start.organizationId,
  rootRunPk: start.rootRunPk,
});

/** Builds the options that all child executions share: input, id, facts for operators, search attributes. */
export const buildChildOptions = (start: StartDescription, { searchable, isNamed = false }: Searchable) => ({
  args: [buildInterpretInput(start, { searchable, isNamed })] as [InterpretInput],
  workflowId: toRunWorkflowId(start.organizationId, start.rootRunPk),
  workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
  staticDetails: describeStart(start),
  memo: {
    workflow_name: start.workflowName,
    workflow_version: start.workflowVersion,
    run_id: start.runId,
  },
  typedSearchAttributes: searchable ? buildRunAttributes(start, isNamed) : [],
});

interface CarriedState {
  readonly advances: number;
  readonly progress: string;
  /** Maps with items that have not started. */
  readonly maps: readonly CarriedMap[];
}

/** Local activities: short, idempotent, on the interpreter's own queue. */
export interface InterpreterActivities {
  advance(input: AdvanceInput): Promise<AdvanceResult>;
  /** Part `part` of the skeleton as JSON text, at most 64 KiB each. */
  loadSkeleton(run: RunRef, part: number): Promise<{ readonly text: string; readonly parts: number }>;
  /**
   * Decides by the step's record when an activity ended without an outcome (lost worker, timeout). Null: a worker still runs the
   * node.
   */
  settleLost(task: NodeTask, reason: string): Promise<NodeOutcome | null>;
  /** Joins the results of a mapped node's items to its output. */
  settleMap(task: NodeTask): Promise<NodeOutcome>;
  /** Gives a node the output or the failure of its child run, which has ended or was cancelled at its timeout. */
  settleChild(task: NodeTask, wait: ChildWait): Promise<NodeOutcome>;
  /** Creates the child's run; null when the node ended without one (`outcome`). */
  prepareChild(
    task: NodeTask,
  ): Promise<{ readonly child: ChildStarted | null; readonly outcome: NodeOutcome | null }>;
  /** Asks people about the calls of an agent that can only wait for them. The outcome has the first expiry. */
  pauseAgent(task: AgentTurnTask): Promise<NodeOutcome>;
  /** Finds the calls that an agent may make after an answer. */
  resumeAgent(task: AgentTurnTask): Promise<AgentTurnResult>;
  /** Accepts the run of a firing, once; null when there is none to start. */
  acceptScheduled(firing: Firing): Promise<StartDescription | null>;
  /**
   * Counts the failures in a row of a schedule after a run of it has ended.
   * @param isTerminated the run's execution was terminated, so its row may be open: it fails
   */
  settleScheduled(firing: Firing, isTerminated?: boolean): Promise<void>;
  /** Marks a document as searchable: all its chunks have vectors. */
  completeDocument(document: DocumentRef): Promise<void>;
  /** Marks a document as failed. */
  failDocument(document: DocumentRef, error: IngestFailure): Promise<void>;
  /**
   * Writes the terminal state after a cancellation that reached the execution.
   * @returns the end of the run, which may have ended before
   */
  closeCancelled(run: RunRef, reason: string): Promise<RunEnd>;
  /** Adds an outbox entry that delivers the cancellation of a run again. */
  askCancellation(run: RunRef): Promise<void>;
  /** Tells whether a child that an earlier execution of its parent has started still runs or waits. */
  isRunOpen(run: RunRef): Promise<boolean>;
}

/** Types of nodes that run as one activity; agents have AgentActivities. */
export type NodeActivityType = Exclude<RunnableType, 'agent'>;

/** Node activities: one per effectful execution of a node, or of a tool that an agent calls, named after its type. */
export type NodeActivities = Record<NodeActivityType, (task: NodeTask) => Promise<NodeOutcome>>;

/** The local activities of short nodes. The result says when the attempt has outlived `patienceMs` and continues. */
export type ShortNodeActivities = Record<
  NodeActivityType,
  (short: ShortTask<NodeTask>) => Promise<ShortResult>
>;

/** The same activities for items of a mapped node. */
export type ShortItemActivities = Record<
  NodeActivityType,
  (short: ShortTask<ItemRange>) => Promise<ItemRangeResult>
>;

/** The activity of an agent: a call of its model. */
export interface AgentActivities {
  agent(task: AgentTurnTask): Promise<AgentTurnResult>;
}

/** The reason of a failed ingest; the message is for the uploader. */
export interface IngestFailure {
  readonly code: string;
  readonly message: string;
}

/** The activities of an ingest: idempotent, with ids and numbers alone as inputs and results. */
export interface IngestActivities {
  /** Reads the document and cuts it into pieces. @returns their number; null when the ingest is no longer wanted */
  extractDocument(document: DocumentRef): Promise<number | null>;
  /** Embeds pieces for 30 s. @returns the number of pieces left; null when the ingest is no longer wanted */
  embedDocument(document: DocumentRef): Promise<number | null>;
}
