/** The first activity of an ingest: reads a document's bytes, has them cut, stores the pieces. */
import { ApplicationFailure, Context } from '@temporalio/activity';
import { chunkingOf } from '../../src/knowledge/bases.ts';
import { MAX_CHUNKS, openDocument, storePieces } from '../../src/knowledge/ingest.ts';
import { ExtractionFailed, type Extraction } from '../../src/knowledge/extraction-port.ts';
import type { DocumentRef } from '../../src/knowledge/ingest-engine.ts';
import type { EngineDeps } from '../../src/runs/execute/engine-deps.ts';
import { ingestFailure, whileBeating } from './ingest-failure.ts';

/** What is read but leaves nothing to search, or too much. */
function requireUsable({ chunks }: Extraction): void {
  if (chunks.length === 0) throw new ExtractionFailed('empty_document', 'The document has no text');
  if (chunks.length > MAX_CHUNKS) {
    throw new ExtractionFailed('too_many_chunks', `The document has more than ${MAX_CHUNKS} chunks`);
  }
}

/** @throws ApplicationFailure: retryable for another attempt, non-retryable when the document cannot be taken in */
export async function extractDocument(deps: EngineDeps, document: DocumentRef): Promise<number | null> {
  try {
    return await whileBeating(async () => {
      const opened = await openDocument(deps.db, document);
      if (opened === null) return null;
      if (opened.piecesStored !== null) return opened.piecesStored;
      const { content, name, chunking } = opened;
      const signal = Context.current().cancellationSignal;
      const extraction = await deps.extractor.extract(content, name, chunkingOf(chunking), signal);
      requireUsable(extraction);
      return (await storePieces(deps.db, document, extraction)) ? extraction.chunks.length : null;
    });
  } catch (error) {
    if (error instanceof ExtractionFailed) throw ApplicationFailure.nonRetryable(error.message, error.code);
    throw ingestFailure(deps, document, error);
  }
}
