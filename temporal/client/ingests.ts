/** Starts ingests of documents in Temporal, under one workflow id per attempt, and reads their state. */
import { type WorkflowClient } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/common';
import { type DocumentRef, type IngestEngine } from '../../src/platform/knowledge/ingest-engine.ts';
import { type StartOutcome } from '../../src/engine/runs/engine.ts';
import { INGEST_WORKFLOW_TYPE, toIngestWorkflowId } from '../contract.ts';
import { TemporalRejected } from '../../src/base/errors.ts';
import { GRPC, readGrpcMessage, readGrpcStatus } from './grpc-status.ts';

/** Below the priority of runs that people wait for; a smaller number is a higher priority. */
const PRIORITY = 4;

interface TemporalIngestsDeps {
  readonly workflows: WorkflowClient;
  readonly taskQueue: string;
  /** The search attributes in use. */
  registered(): Promise<ReadonlySet<string>>;
  /** Gives a call its deadline. */
  withDeadline<T>(call: () => Promise<T>): Promise<T>;
}

export class TemporalIngests implements IngestEngine {
  readonly #deps: TemporalIngestsDeps;

  constructor(parts: TemporalIngestsDeps) {
    this.#deps = parts;
  }

  async start(document: DocumentRef): Promise<StartOutcome> {
    const { workflows, taskQueue } = this.#deps;
    const registered = await this.#deps.registered();
    const key = { name: 'OrganizationId', type: 'KEYWORD' } as const;
    const args: [DocumentRef] = [document];
    try {
      await this.#deps.withDeadline(() =>
        workflows.start(INGEST_WORKFLOW_TYPE, {
          workflowId: toIngestWorkflowId(document),
          taskQueue,
          args,
          workflowIdReusePolicy: 'REJECT_DUPLICATE',
          workflowIdConflictPolicy: 'USE_EXISTING',
          typedSearchAttributes: registered.has(key.name) ? [{ key, value: document.organizationId }] : [],
          staticSummary: `Document ${document.documentId} · attempt ${document.attempt}`,
          priority: { priorityKey: PRIORITY, fairnessKey: document.organizationId },
        }),
      );
      return 'started';
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return 'already_started';
      if (readGrpcStatus(error) !== GRPC.INVALID_ARGUMENT) throw error;
      throw new TemporalRejected(readGrpcMessage(error), { cause: error });
    }
  }

  async readState(document: DocumentRef): Promise<string> {
    const handle = this.#deps.workflows.getHandle(toIngestWorkflowId(document));
    try {
      const { status } = await this.#deps.withDeadline(() => handle.describe());
      return status.name;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return 'NOT_FOUND';
      throw error;
    }
  }
}
