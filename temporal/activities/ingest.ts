/** The activities of an ingest: one reads a document and stores its pieces, one embeds the pieces. */
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import { abandonAfterAbort } from '../../src/base/abandon.ts';
import type { Clock } from '../../src/base/clock.ts';
import { spreadWait } from '../../src/base/spread.ts';
import { cutText } from '../../src/language/graph/values/cut-text.ts';
import type { Db } from '../../src/base/db/client.ts';
import { toChunking, toEmbeddingModel } from '../../src/platform/knowledge/bases.ts';
import type { EmbeddingPort } from '../../src/platform/knowledge/embedding-port.ts';
import {
  ExtractionFailed,
  type Extraction,
  type Extractor,
} from '../../src/platform/knowledge/extraction-port.ts';
import type { DocumentRef } from '../../src/platform/knowledge/ingest-engine.ts';
import {
  MAX_CHUNKS,
  nextPieces,
  openDocument,
  storePieces,
  storeVectors,
} from '../../src/platform/knowledge/ingest.ts';
import type { Logger } from '../../src/base/log.ts';
import { scrub } from '../../src/base/scrub.ts';
import { noteAbandonedWork } from '../../src/base/observe/worker-metrics.ts';
import { NodeError } from '../../src/language/nodes/kind.ts';
import { isTransientDatabaseError } from '../../src/base/db/transient-error.ts';
import type { IngestActivities } from '../contract.ts';
import { createActivityHost, withHeartbeat } from './activity-host.ts';

/** How long one activity embeds. The next one starts with all its attempts left. */
const SLICE_MS = 30_000;
const CALL_TIMEOUT_MS = 60_000;
const MAX_MESSAGE = 1_000;
/** Waits between attempts: they double, and are at least half as long. All twelve attempts together take about seven minutes. */
const FIRST_WAIT_MS = 1_500;
const LONGEST_WAIT_MS = 90_000;

export interface IngestDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly extractor: Extractor;
  readonly log: Logger;
  readonly embedding: () => Embedding;
}

/** The embedding models of one attempt. */
export interface Embedding {
  readonly createEmbedder: EmbeddingPort;
  /** Removes the secrets of the model calls from an error. */
  redact(error: unknown): unknown;
}

export function createIngestActivities(deps: IngestDeps): IngestActivities {
  return {
    extractDocument: (document) => extractDocument(deps, document),
    embedDocument: (document) => embedDocument(deps, document),
  };
}

/** @throws ExtractionFailed for a document without text, or with too many chunks */
function requireUsable({ chunks }: Extraction): void {
  if (chunks.length === 0) throw new ExtractionFailed('empty_document', 'The document has no text');
  if (chunks.length > MAX_CHUNKS) {
    throw new ExtractionFailed('too_many_chunks', `The document has more than ${MAX_CHUNKS} chunks`);
  }
}

/** @throws ApplicationFailure: retryable for another attempt, non-retryable when the document cannot be ingested */
async function extractDocument(deps: IngestDeps, document: DocumentRef): Promise<number | null> {
  try {
    return await withHeartbeat(async () => {
      const opened = await openDocument(deps.db, document);
      if (opened === null) return null;
      if (opened.piecesStored !== null) return opened.piecesStored;
      const { content, name, chunking } = opened;
      const signal = Context.current().cancellationSignal;
      const extraction = await deps.extractor.extract(
        {
          organizationId: document.organizationId,
          bytes: content,
          fileName: name,
          chunking: toChunking(chunking),
        },
        signal,
      );
      requireUsable(extraction);
      return (await storePieces(deps.db, document, extraction)) ? extraction.chunks.length : null;
    });
  } catch (error) {
    if (error instanceof ExtractionFailed) throw ApplicationFailure.nonRetryable(error.message, error.code);
    throw toIngestFailure(deps, document, error);
  }
}

/** @throws ApplicationFailure: retryable for another attempt, non-retryable when the document cannot be ingested */
async function embedDocument(deps: IngestDeps, document: DocumentRef): Promise<number | null> {
  const embedding = deps.embedding();
  try {
    return await withHeartbeat(() => embedPieces(deps, document, embedding.createEmbedder));
  } catch (error) {
    throw toIngestFailure(deps, document, embedding.redact(error));
  }
}

async function embedPieces(
  { db, clock }: Pick<IngestDeps, 'db' | 'clock'>,
  document: DocumentRef,
  createEmbedder: EmbeddingPort,
): Promise<number | null> {
  const { cancellationSignal } = Context.current();
  const until = clock.monotonic() + SLICE_MS;
  for (;;) {
    const next = await nextPieces(db, document);
    if (next === null) return null;
    const { base, pieces } = next;
    if (pieces.length === 0 || clock.monotonic() > until) return pieces.length;
    const signal = AbortSignal.any([cancellationSignal, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
    const call = createEmbedder.embed({
      organizationId: document.organizationId,
      model: toEmbeddingModel(base),
      texts: pieces.map(({ content }) => content),
      signal,
    });
    const embedded = await abandonAfterAbort(call, { clock, signal }, () => noteAbandonedWork('ingest'));
    const stored = await storeVectors(db, document, { pieces, embedded });
    if (stored === false) return null;
    if (stored === 'mismatch') {
      throw ApplicationFailure.nonRetryable(
        `The embedding model returns ${embedded.vectors[0]?.length ?? 0} dimensions, the knowledge base has others`,
        'dimension_mismatch',
      );
    }
  }
}

/** Finds the wait before the next attempt. Documents of an upload fail together, at a limit of their model or an outage. */
function computeIngestWait({ documentId }: DocumentRef, retryAfterMs: number | null = null): number {
  const { attempt } = Context.current().info;
  const backoff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
  return spreadWait(backoff, `${documentId} ${attempt}`, retryAfterMs ?? 0);
}

/** Converts an error to an ApplicationFailure, or to the cancellation that Temporal requested. */
function toIngestFailure(deps: IngestDeps, document: DocumentRef, error: unknown): Error {
  const host = createActivityHost();
  if (host.cancelRequested()) return new CancelledFailure('The indexing was cancelled');
  if (error instanceof ApplicationFailure) return error;
  const retry = (message: string, type: string): ApplicationFailure =>
    ApplicationFailure.create({ message, type, nextRetryDelay: computeIngestWait(document) });
  if (host.signal.aborted) return retry('The worker is shutting down', 'attempt_abandoned');
  if (!(error instanceof NodeError) && isTransientDatabaseError(error))
    return retry('The database cannot be reached', 'database_unavailable');
  if (error instanceof NodeError) {
    const { code: type, retryable, retryAfterMs } = error;
    const message = cutText(scrub(error.message), MAX_MESSAGE);
    return ApplicationFailure.create({
      message,
      type,
      nonRetryable: !retryable,
      nextRetryDelay: computeIngestWait(document, retryAfterMs),
    });
  }
  deps.log.error({ thrown: error, document_id: document.documentId }, 'an ingest failed unexpectedly');
  return retry('The document could not be ingested', 'internal_error');
}
