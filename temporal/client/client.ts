/** The client of Temporal behind the port RunEngine; only this folder calls the client SDK. */
import { Client, type Connection, type ConnectionLike } from '@temporalio/client';
import {
  ApplicationFailure,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type DataConverter,
} from '@temporalio/common';
import type { Config } from '../../src/base/config/config.ts';
import type { Logger } from '../../src/base/log.ts';
import { CALL_DEADLINE_MS, callWithin, openConnection } from './connection.ts';
import { GRPC, readGrpcMessage, readGrpcStatus } from './grpc-status.ts';
import { readTaskFailures } from './task-failures.ts';
import { type IngestEngine } from '../../src/platform/knowledge/ingest-engine.ts';
import {
  type ExecutionState,
  type HeartbeatPosition,
  type RunEngine,
  type RunRef,
  type StartDescription,
  type StartOutcome,
  type TaskFailures,
  type TemporalNamespace,
} from '../../src/engine/runs/engine.ts';
import { type ScheduleEngine } from '../../src/engine/schedules/schedule-engine.ts';
import {
  describeStart,
  buildInterpretInput,
  RESUME_SIGNAL,
  toRunWorkflowId,
  WORKFLOW_TASK_TIMEOUT,
  WORKFLOW_TYPE,
} from '../contract.ts';
import { dataConverterOptions, decodePayloads } from '../codec/data-converter.ts';
import { NamespaceMissing, TemporalRejected } from '../../src/base/errors.ts';
import { TemporalIngests } from './ingests.ts';
import { TemporalSchedules } from './schedules.ts';
import { ensureSearchAttributes, toSearchable, buildStartAttributes } from './search-attributes.ts';
import { clientTracing } from './tracing.ts';
import { toUnavailable } from './unavailable.ts';

/** A key of Temporal Cloud may be for data alone. */
const REFUSALS: readonly (number | null)[] = [GRPC.PERMISSION_DENIED, GRPC.UNIMPLEMENTED];
/** Priorities for a backed-up queue; a smaller number is a higher priority. */
const TRIGGER_PRIORITIES: Readonly<Record<string, number>> = { api: 2, chat: 3, workflow: 2, schedule: 4 };
const DEFAULT_PRIORITY = 3;
const MAX_SUMMARY_BYTES = 200;

/** Summarizes a run in one line, `Triage · v3.0.0 · api`, cut between characters to MAX_SUMMARY_BYTES. */
function summarizeRun(run: StartDescription): string {
  const summary = `${run.workflowName} · v${run.workflowVersion} · ${run.triggerType}`;
  const bytes = Buffer.from(summary);
  if (bytes.length <= MAX_SUMMARY_BYTES) return summary;
  return bytes
    .subarray(0, MAX_SUMMARY_BYTES)
    .toString('utf8')
    .replace(/\uFFFD+$/u, '');
}

function isPosition(value: unknown): value is HeartbeatPosition {
  return (
    typeof value === 'object' && value !== null && 'node_id' in value && typeof value.node_id === 'string'
  );
}

/**
 * Longer for eager starts: when the answer with the first task is lost, another worker gets the task only after
 * WORKFLOW_TASK_TIMEOUT.
 */
const EAGER_DEADLINE_MS = 5_000;

/** Starts runs; eagerly when an interpreter polls on the same connection. */
interface Starter {
  readonly connection: ConnectionLike;
  readonly client: Client;
  readonly isEager: boolean;
}

/** Implements the three ports to Temporal over one connection: runs, schedules and ingests. */
export class TemporalEngine implements RunEngine {
  readonly schedules: ScheduleEngine;
  readonly ingests: IngestEngine;
  readonly #connection: Connection;
  readonly #client: Client;
  readonly #starter: Starter;
  readonly #converter: DataConverter;
  readonly #taskQueue: string;
  readonly #keyIds: readonly string[];
  readonly #namespace: string;
  readonly #log: Logger;
  readonly #showsNames: boolean;
  #attributes: Promise<ReadonlySet<string>> | null = null;

  constructor(config: Config, log: Logger, workerConnection: ConnectionLike | null) {
    this.#log = log;
    this.#namespace = config.temporal.namespace;
    this.#showsNames = config.temporal.showsNames;
    this.#taskQueue = config.temporal.taskQueue;
    this.#keyIds = config.encryptionKeys.map(({ id }) => id);
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
    // An eager start would give the run to this process, whichever build is current.
    this.#starter =
      workerConnection === null || config.temporal.workerVersion !== null
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
      if (readGrpcStatus(error) !== GRPC.INVALID_ARGUMENT) throw error;
      const reason = readGrpcMessage(error);
      if (!/search attribute/i.test(reason) || registered.size === 0)
        throw new TemporalRejected(reason, { cause: error });
      // Registered, but not yet known to this node of the cluster, or removed since: the next call reads them again.
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
        ...(run.metadata ? { metadata: run.metadata } : {}),
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
    return callWithin(connection, withinMs, () => client.workflow.start(WORKFLOW_TYPE, options));
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

  async readTaskFailures(run: RunRef): Promise<TaskFailures> {
    const service = this.#connection.workflowService;
    const place = { service, namespace: this.#namespace, workflowId: this.#workflowId(run) };
    const keys = { converter: this.#converter, keyIds: this.#keyIds };
    return this.#withDeadline(() => readTaskFailures(place, keys));
  }

  async readNamespace(): Promise<TemporalNamespace | null> {
    const name = this.#namespace;
    try {
      const { namespaceInfo } = await callWithin(this.#connection, CALL_DEADLINE_MS, () =>
        this.#connection.workflowService.describeNamespace({ namespace: name }),
      );
      const namespaceId = namespaceInfo?.id ?? '';
      return namespaceId === '' ? null : { name, namespaceId };
    } catch (error) {
      const status = readGrpcStatus(error);
      if (REFUSALS.includes(status)) return null;
      if (status !== GRPC.NOT_FOUND) throw toUnavailable(error);
      throw new NamespaceMissing(name, { cause: error });
    }
  }

  async close(): Promise<void> {
    // A retry on a closed connection would throw an uncaught error, so close waits for the call, which has a deadline.
    await this.#attributes?.catch(() => undefined);
    await this.#connection.close();
  }

  /** Reads the search attributes in use once, and again after a failure. */
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
      return await callWithin(this.#connection, CALL_DEADLINE_MS, call);
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
 * Creates the engine without waiting for Temporal: the API starts and serves while Temporal is unavailable.
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
