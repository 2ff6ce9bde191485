/** The knowledge port: searches an organization's bases as the route does, and reports the use to the caller. */
import { readAdmissionWithinRun } from '../billing/admission.ts';
import { ApiError } from '../../base/errors.ts';
import { readFilters, type FilterCondition } from '../../language/graph/template/metadata-filter.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import { selectBase, type KnowledgeBase } from './bases.ts';
import { presentMatch } from './match.ts';
import { retrieve, type RetrieveDeps, type RetrievalResult } from './retrieve.ts';
import { NodeError } from '../../language/nodes/kind.ts';
import type { KnowledgePort, KnowledgeRequest } from '../../language/nodes/tools.ts';

function parseConditions(filters: JsonObject): readonly FilterCondition[] {
  const read = readFilters(filters);
  if ('conditions' in read) return read.conditions;
  const { path, message } = read.problem;
  throw new NodeError('invalid_input', ['filters', ...path].join('.') + `: ${message}`);
}

/** Selects all bases before any search is billed. @throws NodeError `knowledge_base_not_found` */
async function selectBases(deps: RetrieveDeps, request: KnowledgeRequest): Promise<KnowledgeBase[]> {
  const bases: KnowledgeBase[] = [];
  for (const id of new Set(request.knowledgeBaseIds.map((given) => given.toLowerCase()))) {
    const base = await selectBase(deps.db, { organizationId: request.organizationId, knowledgeBaseId: id });
    if (base === null) {
      throw new NodeError('knowledge_base_not_found', `The knowledge base ${id} does not exist`);
    }
    bases.push(base);
  }
  return bases;
}

/** Converts a denial of the billing gate to a NodeError. */
function toNodeError(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.failure.shape !== 'D') return error;
  const { code } = error.failure.denial;
  return new NodeError(code, `The search was refused by the billing gate: ${code}`);
}

/** Creates the knowledge port. */
export function knowledgePort(deps: RetrieveDeps): KnowledgePort {
  const searchOne = async (
    base: KnowledgeBase,
    request: KnowledgeRequest,
    conditions: readonly FilterCondition[],
  ): Promise<RetrievalResult> => {
    const { query, topK, minScore, includeContent, organizationId, signal } = request;
    const payer = { terms: () => readAdmissionWithinRun(deps.db, organizationId), recordsUse: false };
    try {
      const search = { query, topK, minScore, includeContent, conditions, signal };
      return await retrieve(deps, { base, payer }, search);
    } catch (error) {
      throw toNodeError(error);
    }
  };
  return {
    async search(request) {
      const conditions = parseConditions(request.filters);
      const found: RetrievalResult[] = [];
      for (const base of await selectBases(deps, request)) {
        const retrieved = await searchOne(base, request, conditions);
        request.onUse(retrieved.use);
        found.push(retrieved);
      }
      return found
        .flatMap(({ base, chunks }) => chunks.map((chunk) => ({ base, chunk })))
        .toSorted((a, b) => b.chunk.score - a.chunk.score || (a.chunk.chunk_id < b.chunk.chunk_id ? -1 : 1))
        .slice(0, request.topK)
        .map(({ base, chunk }) => presentMatch(base.id, chunk, request));
    },
  };
}
