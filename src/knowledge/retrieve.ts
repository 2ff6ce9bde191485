/**
 * One search of one knowledge base: the gate, the query's vector, the nearest chunks, the bill. The route, the node and
 * the tool of agents all come through here.
 */
import { randomUUID } from 'node:crypto';
import { admit, type Admission } from '../billing/admission.ts';
import { SEARCH_MC } from '../billing/prices.ts';
import { settle } from '../billing/settlement.ts';
import { recordUsage, type Use } from '../billing/usage.ts';
import type { Db, Sql } from '../db/client.ts';
import { NodeError } from '../nodes/kind.ts';
import { isManaged, modelOf, type KnowledgeBase } from './bases.ts';
import { nearestChunks, type FoundChunk, type Wanted } from './chunk-search.ts';
import type { EmbeddingPort } from './embedding-port.ts';

/** Longer than any search may take: what a lost process had reserved is given back by then. */
const LEASE_SECONDS = 120;

export interface RetrieveDeps {
  readonly db: Db;
  readonly embedder: EmbeddingPort;
}

export interface Search extends Wanted {
  readonly query: string;
  readonly signal: AbortSignal;
}

/** Who pays for a search of a managed base. */
export interface Payer {
  /** The terms of the gate; asked only for managed bases. @throws ApiError shape D for a suspended subscription */
  terms(): Admission | Promise<Admission>;
  /** False: whoever searches writes down the use itself (a node, with its step). */
  readonly recordsUse: boolean;
}

export interface Retrieved {
  readonly base: KnowledgeBase;
  readonly chunks: readonly FoundChunk[];
  /** What was used, and what it costs. */
  readonly use: Use;
}

async function embedQuery(
  deps: RetrieveDeps,
  base: KnowledgeBase,
  { query, signal }: Search,
): Promise<{ readonly vector: readonly number[]; readonly tokens: number }> {
  const { vectors, tokens } = await deps.embedder.embed({
    organizationId: base.organization_id,
    model: modelOf(base),
    texts: [query],
    signal,
  });
  const [vector] = vectors;
  if (vector === undefined) throw new Error('the port answered no vector');
  if (base.dimension !== null && vector.length !== base.dimension) {
    throw new NodeError(
      'dimension_mismatch',
      `The embedding model answers ${vector.length} dimensions, the knowledge base has ${base.dimension}`,
    );
  }
  return { vector, tokens };
}

// The base is held meanwhile; a search of one that is gone by now counts nowhere.
const COUNT = `
  INSERT INTO knowledge_searches (knowledge_base_id, day)
  SELECT id, (now() AT TIME ZONE 'UTC')::date FROM knowledge_bases WHERE id = $1 FOR KEY SHARE
  ON CONFLICT (knowledge_base_id, day) DO UPDATE SET searches = knowledge_searches.searches + 1`;

async function count(sql: Sql, base: KnowledgeBase): Promise<void> {
  await sql.query(COUNT, [base.id]);
}

async function find(deps: RetrieveDeps, base: KnowledgeBase, search: Search): Promise<Retrieved> {
  const { vector, tokens } = await embedQuery(deps, base, search);
  const chunks = await nearestChunks(deps.db, base, { vector, wanted: search });
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
 * Searches a base. Of a managed one a credit is reserved before anything else happens; a search that fails gives it
 * back (SPEC SRV-search-refund).
 * @throws ApiError shape D of the gate; NodeError of the embedding port, or `dimension_mismatch`
 */
export async function retrieve(
  deps: RetrieveDeps,
  { base, payer }: { readonly base: KnowledgeBase; readonly payer: Payer },
  search: Search,
): Promise<Retrieved> {
  const searchId = randomUUID();
  const { db } = deps;
  if (!isManaged(base)) {
    const found = await find(deps, base, search);
    await count(db, base);
    return found;
  }
  await admit(db, await payer.terms(), { subjectId: searchId, leaseSeconds: LEASE_SECONDS });
  let found: Retrieved;
  try {
    found = await find(deps, base, search);
  } catch (error) {
    await settle(db, [searchId]);
    throw error;
  }
  await db.transaction(async (tx) => {
    await count(tx, base);
    if (payer.recordsUse) {
      const { organization_id: organizationId } = base;
      await recordUsage(tx, { organizationId, subjectId: searchId, stepId: searchId }, [found.use]);
    }
    await settle(tx, [searchId]);
  });
  return found;
}
