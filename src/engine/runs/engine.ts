/** The port to Temporal for runs; temporal/client/ implements it. */
export interface RunRef {
  readonly organizationId: string;
  readonly rootRunPk: string;
}

/** A start as operators see it in Temporal: ids and names, no values. */
export interface StartDescription extends RunRef {
  readonly runId: string;
  readonly workflowId: string | null;
  readonly deploymentId: string | null;
  readonly workflowName: string;
  readonly workflowVersion: string;
  readonly triggerType: string;
  readonly threadId: string | null;
  readonly isAdHoc: boolean;
  /** The run_id of the run that this one reruns. */
  readonly rerunOf?: string | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
}

/** A namespace of Temporal. One that is made anew under the same name has another id. */
export interface TemporalNamespace {
  readonly name: string;
  readonly namespaceId: string;
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
  /** Temporal's status: RUNNING, COMPLETED, FAILED, CANCELLED, TERMINATED, TIMED_OUT, CONTINUED_AS_NEW; or NOT_FOUND. */
  readonly status: string;
  readonly heartbeats: readonly HeartbeatPosition[];
  /** Attempt of the pending workflow task: above 1 it has failed or timed out. 0: none is pending. */
  readonly workflowTaskAttempt: number;
}

/** Why the workflow task of an execution does not complete, by its history. */
export interface TaskFailures {
  /** Recorded failures of the code since the last completed task. Time-outs are none. */
  readonly byCode: number;
  /** Whether a worker lacks an encryption key of the execution, so that the task fails without a fault of the run. */
  readonly isMissingKey: boolean;
  /** Whether Temporal records nothing of the next attempt: it does so only when an event has come since the last one. */
  readonly isUnrecorded: boolean;
}

/** The executions of runs in Temporal. Every call has a deadline. */
export interface RunEngine {
  /** @throws TemporalRejected when a retry cannot help; Error when the outcome is unknown */
  start(run: StartDescription): Promise<StartOutcome>;
  /** Signals the execution to read the answers. @returns false without an open execution */
  resume(run: RunRef): Promise<boolean>;
  cancel(run: RunRef): Promise<void>;
  describe(run: RunRef): Promise<ExecutionState>;
  readTaskFailures(run: RunRef): Promise<TaskFailures>;
  terminate(run: RunRef, reason: string): Promise<void>;
  /** Reads the namespace of the executions; null when the server may not tell. @throws TemporalUnavailable */
  readNamespace(): Promise<TemporalNamespace | null>;
  close(): Promise<void>;
}
