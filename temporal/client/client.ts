/** Temporal as the rest of the service sees it (RunEngine): names, deadlines and outcomes; nothing else calls the SDK. */
import {
  Client,
  isGrpcServiceError,
  ServiceError,
  type Connection,
  type ConnectionLike,
} from '@temporalio/client';
import {
  ApplicationFailure,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type DataConverter,
} from '@temporalio/common';
import type { Config } from '../../src/config/config.ts';
import type { Logger } from '../../src/log.ts';
import { CALL_DEADLINE_MS, openConnection } from './connection.ts';
import { type IngestEngine } from '../../src/knowledge/ingest-engine.ts';
import {
  type ExecutionState,
  type HeartbeatPosition,
  type RunEngine,
  type RunRef,
  type StartDescription,
  type StartOutcome,
} from '../../src/runs/engine.ts';
import { type ScheduleEngine } from '../../src/schedules/schedule-engine.ts';
import {
  describeStart,
  buildInterpretInput,
  RESUME_SIGNAL,
  toRunWorkflowId,
  WORKFLOW_TASK_TIMEOUT,
  WORKFLOW_TYPE,
} from '../contract.ts';
import { dataConverterOptions, decodePayloads } from '../codec/data-converter.ts';
import { TemporalUnavailable, TemporalRejected } from '../../src/errors.ts';
import { TemporalIngests } from './ingests.ts';
import { TemporalSchedules } from './schedules.ts';
import { ensureSearchAttributes, toSearchable, buildStartAttributes } from './search-attributes.ts';
import { clientTracing } from './tracing.ts';

const INVALID_ARGUMENT = 3;
/**
 * What gRPC says of a server and not of the call: CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, PERMISSION_DENIED (a key of the
 * operator's that has run out), RESOURCE_EXHAUSTED, ABORTED, INTERNAL, UNAVAILABLE, UNAUTHENTICATED.
 */
const UNAVAILABLE_CODES = new Set([1, 2, 4, 7, 8, 10, 13, 14, 16]);
/** Who goes first when a queue is backed up; smaller is sooner. */
const TRIGGER_PRIORITIES: Readonly<Record<string, number>> = { api: 2, chat: 3, workflow: 2, schedule: 4 };
const DEFAULT_PRIORITY = 3;
const MAX_SUMMARY_BYTES = 200;

/** One line for operators: `Triage · v3.0.0 · api`. Cut between characters; Temporal counts bytes. */
export function summarizeRun(run: StartDescription): string {
  const summary = `${run.workflowName} · v${run.workflowVersion} · ${run.triggerType}`;
  const bytes = Buffer.from(summary);
  if (bytes.length <= MAX_SUMMARY_BYTES) return summary;
  return bytes
    .subarray(0, MAX_SUMMARY_BYTES)
    .toString('utf8')
    .replace(/\uFFFD+$/u, '');
}

/** The gRPC status of a failed call, if it has one. */
function readGrpcCode(error: unknown): number | null {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) ? cause.code : null;
}

/** The error that stands for a failed call: TemporalUnavailable where Temporal is not there, else what was thrown. */
function toUnavailable(error: unknown): unknown {
  if (!UNAVAILABLE_CODES.has(readGrpcCode(error) ?? -1)) return error;
  const { message } = error instanceof ServiceError ? (error.cause ?? error) : (error as Error);
  return new TemporalUnavailable(`Temporal is away: ${message}`, { cause: error });
}

function isPosition(value: unknown): value is HeartbeatPosition {
  return (
    typeof value === 'object' && value !== null && 'node_id' in value && typeof value.node_id === 'string'
  );
}

/**
 * Longer for eager starts: the task in an answer that nobody waits for any more is given to another worker only after its
 * timeout of 10 s, while any other start that is given up on may succeed all the same.
 */
const EAGER_DEADLINE_MS = 5_000;

/** A way to start runs; eagerly, where an interpreter polls on the same connection. */
interface Starter {
  readonly connection: ConnectionLike;
  readonly client: Client;
  readonly isEager: boolean;
}

/** The three ports to Temporal over one connection: runs, and beside them schedules and ingests. */
export class TemporalEngine implements RunEngine {
  readonly schedules: ScheduleEngine;
  readonly ingests: IngestEngine;
  readonly #connection: Connection;
  readonly #client: Client;
  /** What starts runs. */
  readonly #starter: Starter;
  readonly #converter: DataConverter;
  readonly #taskQueue: string;
  readonly #namespace: string;
  readonly #log: Logger;
  readonly #showsNames: boolean;
  #attributes: Promise<ReadonlySet<string>> | null = null;

  constructor(config: Config, log: Logger, workerConnection: ConnectionLike | null) {
    this.#log = log;
    this.#namespace = config.temporal.namespace;
    this.#showsNames = config.temporal.showsNames;
    this.#taskQueue = config.temporal.taskQueue;
    this.#converter = dataConverterOptions(config);
    this.#connection = openConnection(config);
    const clientOn = (connection: ConnectionLike): Client =>
      new Client({
        connection,
        namespace: this.#namespace,
        dataConverter: this.#converter,
        interceptors: { workflow: [clientTracing] },
      });
    this.#client = clientOn(this.#connection);
    this.#starter =
      workerConnection === null
        ? { connection: this.#connection, client: this.#client, isEager: false }
        : { connection: workerConnection, client: clientOn(workerConnection), isEager: true };
    this.schedules = new TemporalSchedules({
      schedules: this.#client.schedule,
      taskQueue: this.#taskQueue,
      keyId: config.encryptionKeys[0]?.id ?? null,
      readRegistered: () => this.registered(),
      withDeadline: (call) => this.#withDeadline(call),
    });
    this.ingests = new TemporalIngests({
      workflows: this.#client.workflow,
      taskQueue: this.#taskQueue,
      registered: () => this.registered(),
      withDeadline: (call) => this.#withDeadline(call),
    });
  }

  async start(run: StartDescription): Promise<StartOutcome> {
    const registered = await this.registered();
    try {
      await this.#start(run, registered);
      return 'started';
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return 'already_started';
      if (error instanceof ApplicationFailure) throw new TemporalRejected(error.message, { cause: error });
      if (readGrpcCode(error) !== INVALID_ARGUMENT) throw error;
      const reason = error instanceof ServiceError ? (error.cause?.message ?? error.message) : String(error);
      if (!/search attribute/i.test(reason) || registered.size === 0)
        throw new TemporalRejected(reason, { cause: error });
      // Registered, but not yet known to the node of the cluster that answered (or removed since): look again next time.
      this.#attributes = null;
      this.#log.warn({ err: error, run_pk: run.rootRunPk }, 'starting a run without search attributes');
      await this.#start(run, new Set());
      return 'started';
    }
  }

  #start(run: StartDescription, registered: ReadonlySet<string>): Promise<unknown> {
    const { client, connection, isEager } = this.#starter;
    const options = {
      workflowId: this.#workflowId(run),
      taskQueue: this.#taskQueue,
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
      args: [buildInterpretInput(run, toSearchable(registered))],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'USE_EXISTING',
      typedSearchAttributes: buildStartAttributes(run, registered),
      memo: {
        workflow_name: run.workflowName,
        workflow_version: run.workflowVersion,
        run_id: run.runId,
        ...(run.rerunOf ? { rerun_of: run.rerunOf } : {}),
      },
      staticSummary: summarizeRun(run),
      staticDetails: describeStart(run),
      priority: {
        priorityKey: TRIGGER_PRIORITIES[run.triggerType] ?? DEFAULT_PRIORITY,
        fairnessKey: run.organizationId,
      },
      requestEagerStart: isEager,
    } as const;
    const withinMs = isEager ? EAGER_DEADLINE_MS : CALL_DEADLINE_MS;
    return connection.withDeadline(Date.now() + withinMs, () =>
      client.workflow.start(WORKFLOW_TYPE, options),
    );
  }

  async resume(run: RunRef): Promise<boolean> {
    return this.#callIfOpen(() => this.#getHandle(run).signal(RESUME_SIGNAL, {}));
  }

  async cancel(run: RunRef): Promise<void> {
    await this.#callIfOpen(() => this.#getHandle(run).cancel());
  }

  async terminate(run: RunRef, reason: string): Promise<void> {
    await this.#callIfOpen(() => this.#getHandle(run).terminate(reason));
  }

  async describe(run: RunRef): Promise<ExecutionState> {
    try {
      const { status, raw } = await this.#withDeadline(() => this.#getHandle(run).describe());
      const payloads = (raw.pendingActivities ?? []).flatMap(
        (activity) => activity.heartbeatDetails?.payloads ?? [],
      );
      const details = await decodePayloads(this.#converter, payloads);
      return {
        status: status.name,
        heartbeats: details.filter(isPosition),
        workflowTaskAttempt: raw.pendingWorkflowTask?.attempt ?? 0,
      };
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      return { status: 'NOT_FOUND', heartbeats: [], workflowTaskAttempt: 0 };
    }
  }

  async close(): Promise<void> {
    // A call that finds its connection closed when it tries again throws where nobody could catch it. It has a deadline.
    await this.#attributes?.catch(() => undefined);
    await this.#connection.close();
  }

  /** The search attributes in use; asked of the server once, and again after a failure. */
  registered(): Promise<ReadonlySet<string>> {
    this.#attributes ??= ensureSearchAttributes(
      this.#connection,
      { namespace: this.#namespace, showsNames: this.#showsNames },
      this.#log,
    ).catch((error: unknown) => {
      this.#attributes = null;
      throw toUnavailable(error);
    });
    return this.#attributes;
  }

  #workflowId(run: RunRef): string {
    return toRunWorkflowId(run.organizationId, run.rootRunPk);
  }

  #getHandle(run: RunRef) {
    return this.#client.workflow.getHandle(this.#workflowId(run));
  }

  async #withDeadline<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await this.#connection.withDeadline(Date.now() + CALL_DEADLINE_MS, call);
    } catch (error) {
      throw toUnavailable(error);
    }
  }

  async #callIfOpen(call: () => Promise<unknown>): Promise<boolean> {
    try {
      await this.#withDeadline(call);
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }
}

/**
 * Opens the way to Temporal. Does not wait for it: the API starts and serves while Temporal is away.
 * @returns an engine whose calls fail within 2 seconds when Temporal does not answer
 */
export async function connectEngine(
  config: Config,
  log: Logger,
  workerConnection: ConnectionLike | null = null,
): Promise<TemporalEngine> {
  const engine = new TemporalEngine(config, log, workerConnection);
  engine.registered().catch((error: unknown) => {
    log.warn({ err: error, address: config.temporal.address }, 'Temporal cannot be reached yet');
  });
  return engine;
}
