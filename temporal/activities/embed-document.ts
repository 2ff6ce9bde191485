/** The second activity of an ingest: gives vectors to its pieces, call by call, each stored before the next. */
import { ApplicationFailure, Context } from '@temporalio/activity';
import { modelOf } from '../../src/knowledge/bases.ts';
import { nextPieces, storeVectors } from '../../src/knowledge/ingest.ts';
import { Secrets } from '../../src/credentials/vault/secrets.ts';
import type { DocumentRef } from '../../src/knowledge/ingest-engine.ts';
import type { EngineDeps } from '../../src/runs/execute/engine-deps.ts';
import { ingestFailure, whileBeating } from './ingest-failure.ts';
import { harmless } from '../../src/runs/execute/secret-free.ts';

/** Then the activity ends and another goes on: faults that were outlived do not count for ever. */
const SLICE_MS = 30_000;
const CALL_TIMEOUT_MS = 60_000;

/** @throws ApplicationFailure: retryable for another attempt, non-retryable when the document cannot be taken in */
export async function embedDocument(deps: EngineDeps, document: DocumentRef): Promise<number | null> {
  const secrets = new Secrets();
  try {
    return await whileBeating(() => embedFor(deps, document, secrets));
  } catch (error) {
    throw ingestFailure(deps, document, harmless(error, secrets));
  }
}

async function embedFor(deps: EngineDeps, document: DocumentRef, secrets: Secrets): Promise<number | null> {
  const embedder = deps.tools.embedder(secrets);
  const { cancellationSignal } = Context.current();
  const until = performance.now() + SLICE_MS;
  for (;;) {
    const next = await nextPieces(deps.db, document);
    if (next === null) return null;
    const { base, pieces } = next;
    if (pieces.length === 0 || performance.now() > until) return pieces.length;
    const embedded = await embedder.embed({
      organizationId: document.organizationId,
      model: modelOf(base),
      texts: pieces.map(({ content }) => content),
      signal: AbortSignal.any([cancellationSignal, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
    });
    const stored = await storeVectors(deps.db, document, pieces, embedded);
    if (stored === false) return null;
    if (stored === 'mismatch') {
      throw ApplicationFailure.nonRetryable(
        `The embedding model answers ${embedded.vectors[0]?.length ?? 0} dimensions, the knowledge base has others`,
        'dimension_mismatch',
      );
    }
  }
}
