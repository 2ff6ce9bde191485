/**
 * The workflow that ingests one document: extract its pieces, embed them, mark it as searchable. A permanent failure or a timeout
 * marks the document as failed, with the reason. Only ids and numbers pass through this workflow.
 */
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  TimeoutFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setWorkflowOptions,
  workflowInfo,
} from '@temporalio/workflow';
import { toIngestTaskQueue } from '../contract.ts';
import { declareVersioning } from './versioning.ts';
import type { DocumentRef } from '../../src/platform/knowledge/ingest-engine.ts';
import type { IngestActivities, IngestFailure, InterpreterActivities } from '../contract.ts';

/** Attempts of one activity: for lost workers and transient faults of the provider, over some five minutes. */
const MAX_ATTEMPTS = 12;

type IngestOutcome = 'completed' | 'gone';

const localActivities = proxyLocalActivities<
  Pick<InterpreterActivities, 'completeDocument' | 'failDocument'>
>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '10s' },
});

setWorkflowOptions(declareVersioning('PINNED'), ingestDocument);

export async function ingestDocument(document: DocumentRef): Promise<{ status: IngestOutcome }> {
  try {
    return { status: await ingest(document) };
  } catch (error) {
    const failure = toIngestFailure(error);
    await CancellationScope.nonCancellable(() => localActivities.failDocument(document, failure));
    if (isCancellation(error)) throw error;
    throw ApplicationFailure.nonRetryable(failure.message, failure.code);
  }
}

async function ingest(document: DocumentRef): Promise<IngestOutcome> {
  const { extractDocument, embedDocument } = proxyActivities<IngestActivities>({
    taskQueue: toIngestTaskQueue(workflowInfo().taskQueue),
    startToCloseTimeout: '10m',
    heartbeatTimeout: '10s',
    retry: {
      initialInterval: '1s',
      backoffCoefficient: 2,
      maximumInterval: '1m',
      maximumAttempts: MAX_ATTEMPTS,
    },
  });
  // Each activity embeds for 30 s and has its own attempts, so that earlier faults do not use up those of a long document.
  let left = await extractDocument(document);
  while (left !== null && left > 0) left = await embedDocument(document);
  if (left === null) return 'gone';
  await localActivities.completeDocument(document);
  return 'completed';
}

/** Converts an error to the reason that the uploader reads. */
function toIngestFailure(error: unknown): IngestFailure {
  if (isCancellation(error)) return { code: 'cancelled', message: 'Indexing was cancelled by an operator' };
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof ApplicationFailure && typeof cause.type === 'string')
    return { code: cause.type, message: cause.message };
  if (cause instanceof TimeoutFailure) {
    return {
      code: 'ingest_timeout',
      message: 'The document could not be taken in: it took too long, again and again',
    };
  }
  return { code: 'internal_error', message: 'The document could not be taken in' };
}
