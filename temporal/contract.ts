/**
 * Names and shapes shared by the client, the workflows and the activities: workflow and activity types, ids, queues.
 * Constants and types alone: this file is part of the workflow bundle.
 */
import type { DocumentRef } from '../src/knowledge/ingest-engine.ts';
import type { RunRef, StartDescription } from '../src/runs/engine.ts';
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
} from '../src/runs/execute/protocol.ts';
import type { Firing, ScheduleRef } from '../src/schedules/schedule-engine.ts';
import type { SkeletonNode } from '../src/graph/skeleton.ts';

/** The workflow type that operators see. One generic interpreter runs every definition. */
export const WORKFLOW_TYPE = 'interpretWorkflow';

export const RESUME_SIGNAL = 'resume';

/**
 * How long a worker may have a workflow task. The nodes of a run that are local activities belong to one task, which is written
 * to the history when four fifths of this are over; and so long a run waits for a worker that was killed.
 */
export const WORKFLOW_TASK_TIMEOUT = '5s' as const;

/** The Temporal header that a W3C traceparent travels in. */
export const TRACE_HEADER = 'traceparent';

/** One execution serves all segments of a run: its id names the organization and the first segment's run_pk. */
export function toRunWorkflowId(organizationId: string, rootRunPk: string): string {
  return `org/${organizationId}/run/${rootRunPk}`;
}

/** The workflow type that Temporal's Schedules start: accepts the run of one scheduled time and sees it through. */
export const SCHEDULED_WORKFLOW_TYPE = 'scheduledRun';

/** One Temporal Schedule per row of `schedules`, by its id. */
export const toTemporalScheduleId = (scheduleId: string): string => `schedule:${scheduleId}`;

/** Temporal appends the scheduled time, to the second: two firings within one second are one. */
export const toScheduledWorkflowId = (organizationId: string, scheduleId: string): string =>
  `org/${organizationId}/schedule/${scheduleId}`;

/** The workflow type that takes one document of a knowledge base in. */
export const INGEST_WORKFLOW_TYPE = 'ingestDocument';

/** One execution per attempt, however often it is started. */
export const toIngestWorkflowId = ({ organizationId, documentId, attempt }: DocumentRef): string =>
  `org/${organizationId}/document/${documentId}/${attempt}`;

/** Activities of ingests have a queue of their own: a thousand uploads do not hold up the nodes of runs. */
export const toIngestTaskQueue = (taskQueue: string): string => `${taskQueue}-ingest`;

/** The queue of one worker process: attempts that have outlived a local activity go on there. */
export const toWorkerTaskQueue = (taskQueue: string, workerId: string): string =>
  `${taskQueue}-worker-${workerId}`;

export const toNodesTaskQueue = (taskQueue: string): string => `${taskQueue}-nodes`;

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

/** Registered and set only where operators may see names (TEMPORAL_SHOW_NAMES): it is in clear, as every attribute is. */
export const NAME_ATTRIBUTE = 'WorkflowName';

export type RunAttribute =
  | { readonly key: { readonly name: string; readonly type: 'KEYWORD' }; readonly value: string }
  | { readonly key: { readonly name: string; readonly type: 'BOOL' }; readonly value: boolean };

/**
 * The search attributes of a starting run. Ids and closed words: never encrypted.
 * @param isNamed whether the workflow's name is among them
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

/** The version of the interpreter that new histories are made with. */
export const INTERPRETER_VERSION = 1;

/** Facts of a run for operators who open its execution. Nothing is decided by them. */
export interface RunFacts {
  readonly workflow: string;
  readonly version: string;
  readonly trigger: string;
  readonly run_id: string;
  readonly thread_id: string | null;
}

export const describeRun = (start: StartDescription): RunFacts => ({
  workflow: start.workflowName,
  version: start.workflowVersion,
  trigger: start.triggerType,
  run_id: start.runId,
  thread_id: start.threadId,
});

/** Temporal's UI cuts summaries there. */
export const SUMMARY_LENGTH = 100;

/** `LLM · Classify ticket (classify)` @param suffix such as ` [3]` of an item; kept when the name is cut */
export function summarizeNode(node: Pick<SkeletonNode, 'type' | 'name' | 'id'>, suffix = ''): string {
  const kind = node.type === 'llm' ? 'LLM' : node.type.charAt(0).toUpperCase() + node.type.slice(1);
  return `${kind} · ${node.name} (${node.id})`.slice(0, SUMMARY_LENGTH - suffix.length) + suffix;
}

/** The static details of an execution, in Markdown: what Temporal's UI shows above its history. */
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

/** What the execution of a run begins with. */
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

/** What every child execution begins with and is known by to operators: its id, its facts, its search attributes. */
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

export interface CarriedState {
  readonly advances: number;
  readonly progress: string;
  /** Maps that are not through with their items. */
  readonly maps: readonly CarriedMap[];
}

/** Local activities: short, idempotent, on the interpreter's own queue. */
export interface InterpreterActivities {
  advance(input: AdvanceInput): Promise<AdvanceResult>;
  /** Part `part` of the skeleton as JSON text, at most 64 KiB each. */
  loadSkeleton(run: RunRef, part: number): Promise<{ readonly text: string; readonly parts: number }>;
  /**
   * An activity ended without an outcome of its own (lost worker, timeout): decides by the step's record. Null: a worker still
   * runs the node.
   */
  settleLost(task: NodeTask, reason: string): Promise<NodeOutcome | null>;
  /** All items of a mapped node ended: its results become the node's output. */
  settleMap(task: NodeTask): Promise<NodeOutcome>;
  /** A child run ended, or took too long and was cancelled: its output, or its failure, becomes the node's. */
  settleChild(task: NodeTask, wait: ChildWait): Promise<NodeOutcome>;
  /** Creates the child's run; null when the node settled without one (`outcome`). */
  prepareChild(
    task: NodeTask,
  ): Promise<{ readonly child: ChildStarted | null; readonly outcome: NodeOutcome | null }>;
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
   * @returns how the run has ended: it may have before
   */
  closeCancelled(run: RunRef, reason: string): Promise<RunEnd>;
  /** Has the cancellation of a run delivered to its execution, once more. */
  askCancellation(run: RunRef): Promise<void>;
}

/** Types of nodes that run as activities of their own; an agent's are listed apart. */
type NodeActivityType = Exclude<SkeletonNode['type'], 'agent'>;

/** Node activities: one per effectful execution of a node, or of a tool that an agent calls, named after its type. */
export type NodeActivities = Record<NodeActivityType, (task: NodeTask) => Promise<NodeOutcome>>;

/** The same as local activities, of short nodes: they answer that the attempt goes on when it outlives their patience. */
export type ShortNodeActivities = Record<
  NodeActivityType,
  (short: ShortTask<NodeTask>) => Promise<ShortResult>
>;

/** The same activities, given items of a mapped node. */
export type ShortItemActivities = Record<
  NodeActivityType,
  (short: ShortTask<ItemRange>) => Promise<ItemRangeResult>
>;

/** The activity of an agent: a call of its model. */
export interface AgentActivities {
  agent(task: AgentTurnTask): Promise<AgentTurnResult>;
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
