/**
 * Searches one knowledge base: billing gate, vector of the query, nearest chunks, bill. The route, the node and agents' tools
 * all use it.
 */
import { randomUUID } from 'node:crypto';
import { admit, type Admission } from '../billing/admission.ts';
import { SEARCH_MC } from '../billing/prices.ts';
import { settle } from '../billing/settlement.ts';
import { recordUsage, type Use } from '../billing/usage.ts';
import type { Db, Sql } from '../../base/db/client.ts';
import { NodeError } from '../../language/nodes/kind.ts';
import { isManaged, toEmbeddingModel, type KnowledgeBase } from './bases.ts';
import { findNearestChunks, type FoundChunk, type SearchOptions } from './chunk-search.ts';
import type { EmbeddingPort } from './embedding-port.ts';

/** Longer than any search; the credit that a lost process reserved is released afterwards. */
const LEASE_SECONDS = 120;

export interface RetrieveDeps {
  readonly db: Db;
  readonly createEmbedder: EmbeddingPort;
}

interface Search extends SearchOptions {
  readonly query: string;
  readonly signal: AbortSignal;
}

/** The billing of a search of a managed base. */
interface Payer {
  /** The terms of the billing gate; called only for managed bases. @throws ApiError shape D for a suspended subscription */
  terms(): Admission | Promise<Admission>;
  /** False when the caller records the use itself, as a node does with its step. */
  readonly recordsUse: boolean;
}

export interface RetrievalResult {
  readonly base: KnowledgeBase;
  readonly chunks: readonly FoundChunk[];
  readonly use: Use;
}

async function embedQuery(
  deps: RetrieveDeps,
  base: KnowledgeBase,
  { query, signal }: Search,
): Promise<{ readonly vector: readonly number[]; readonly tokens: number }> {
  const { vectors, tokens } = await deps.createEmbedder.embed({
    organizationId: base.organization_id,
    model: toEmbeddingModel(base),
    texts: [query],
    signal,
  });
  const [vector] = vectors;
  if (vector === undefined) throw new Error('the embedding port returned no vector');
  if (base.dimension !== null && vector.length !== base.dimension) {
    throw new NodeError(
      'dimension_mismatch',
      `The embedding model returns ${vector.length} dimensions, the knowledge base has ${base.dimension}`,
    );
  }
  return { vector, tokens };
}

// Locks the base; a search of a base that was just deleted is not counted.
const COUNT = `
  INSERT INTO knowledge_searches (knowledge_base_id, day)
  SELECT id, (now() AT TIME ZONE 'UTC')::date FROM knowledge_bases WHERE id = $1 FOR KEY SHARE
  ON CONFLICT (knowledge_base_id, day) DO UPDATE SET searches = knowledge_searches.searches + 1`;

async function countSearch(sql: Sql, base: KnowledgeBase): Promise<void> {
  await sql.query(COUNT, [base.id]);
}

async function findChunks(deps: RetrieveDeps, base: KnowledgeBase, search: Search): Promise<RetrievalResult> {
  const { vector, tokens } = await embedQuery(deps, base, search);
  const chunks = await findNearestChunks(deps.db, base, vector, search);
  const managed = isManaged(base);
  const use = {
    kind: 'knowledge',
    model: base.embedding_config.model,
    isByok: !managed,
    inputTokens: tokens,
    outputTokens: 0,
    creditsMc: managed ? SEARCH_MC : 0,
  };
  return { base, chunks, use };
}

/**
 * Searches a base. A managed base reserves a credit first; a failed search releases it (SPEC SRV-search-refund).
 * @throws ApiError shape D of the gate; NodeError of the embedding port, or `dimension_mismatch`
 */
export async function retrieve(
  deps: RetrieveDeps,
  { base, payer }: { readonly base: KnowledgeBase; readonly payer: Payer },
  search: Search,
): Promise<RetrievalResult> {
  const searchId = randomUUID();
  const { db } = deps;
  if (!isManaged(base)) {
    const found = await findChunks(deps, base, search);
    await countSearch(db, base);
    return found;
  }
  await admit(db, await payer.terms(), { subjectId: searchId, leaseSeconds: LEASE_SECONDS });
  let found: RetrievalResult;
  try {
    found = await findChunks(deps, base, search);
  } catch (error) {
    await settle(db, [searchId]);
    throw error;
  }
  await db.transaction(async (tx) => {
    await countSearch(tx, base);
    if (payer.recordsUse) {
      const { organization_id: organizationId } = base;
      await recordUsage(tx, { organizationId, subjectId: searchId, stepId: searchId }, [found.use]);
    }
    await settle(tx, [searchId]);
  });
  return found;
}
