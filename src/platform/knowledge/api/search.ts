/** Searches one base for an API request, and maps failures of the embedding model to responses. */
import type { Scope } from '../../access/caller.ts';
import { buildAdmission } from '../../billing/admission.ts';
import type { Db } from '../../../base/db/client.ts';
import { refuseWith, unavailable } from '../../../base/errors.ts';
import type { EmbeddingPort } from '../embedding-port.ts';
import { presentMatch } from '../match.ts';
import { retrieve } from '../retrieve.ts';
import { NodeError } from '../../../language/nodes/kind.ts';
import { Secrets } from '../../credentials/vault/secrets.ts';
import type { SearchBody } from './schema.ts';
import { findBase } from './service.ts';

const TIMEOUT_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;

export interface SearchDeps {
  readonly db: Db;
  /** Creates the embedding port of one request, which adds every secret that it opens to `secrets`. */
  readonly createEmbedder: (secrets: Secrets) => EmbeddingPort;
}

/** Maps failures of the embedding model to 502 and 503. */
function toApiError(error: unknown, secrets: Secrets): unknown {
  if (!(error instanceof NodeError)) return error;
  const detail = secrets.text(error.message);
  if (!error.retryable) return refuseWith(502, 'embedding_failed', detail);
  const seconds = Math.ceil((error.retryAfterMs ?? 0) / 1_000);
  return unavailable('embedding_unavailable', detail, Math.max(seconds, RETRY_AFTER_SECONDS));
}

/**
 * Searches a base.
 * @throws ApiError 404; 402, 403 and 429 shape D for managed bases; 502 and 503 when the embedding model fails
 */
export async function searchBase(
  deps: SearchDeps,
  scope: Scope,
  { knowledgeBaseId, body }: { readonly knowledgeBaseId: string; readonly body: SearchBody },
): Promise<object> {
  const base = await findBase(deps.db, scope, knowledgeBaseId);
  const secrets = new Secrets();
  const wanted = {
    query: body.query,
    topK: body.top_k,
    minScore: body.min_score,
    conditions: body.filters ?? [],
    includeContent: body.include_content,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
  const shown = { includeContent: body.include_content, includeMetadata: body.include_metadata };
  try {
    const payer = { terms: () => buildAdmission(scope), recordsUse: true };
    const found = await retrieve(
      { db: deps.db, createEmbedder: deps.createEmbedder(secrets) },
      { base, payer },
      wanted,
    );
    const matches = found.chunks.map((chunk) => presentMatch(base.id, chunk, shown));
    return {
      query: body.query,
      knowledge_base_id: base.id,
      top_k: body.top_k,
      total_matches: matches.length,
      matches,
    };
  } catch (error) {
    throw toApiError(error, secrets);
  }
}
