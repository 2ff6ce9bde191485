/** The knowledge search (SPEC DEF-2.9): finds the nearest chunks of one or several knowledge bases. */
import { z } from 'zod';
import { readFilters } from '../../graph/template/metadata-filter.ts';
import type { NodePolicy } from '../../graph/schedule/plan.ts';
import type { Json, JsonObject } from '../../graph/values/value.ts';
import { isObject } from '../../graph/values/value.ts';
import { defineSender, makeEffect, sendsOne, type PatternOf, type PreparedEffect } from '../effect.ts';
import type { NodeCall, NodeResult, PrepareCall } from '../kind.ts';
import { NodeError, defineNode } from '../kind.ts';
import { discriminator, addProblem, jsonObject, orNull, readConfig } from '../read-config.ts';
import { KNOWLEDGE_BASE } from '../example-values.ts';

export const MAX_BASES = 10;
/** The limit of POST /knowledge-bases/{knowledge_id}/search. */
export const MAX_QUERY = 10_000;

/** The fields of a search beside its query; an agent's knowledge tool fixes them. */
export const searchFields = {
  knowledge_base_ids: z
    .array(z.guid())
    .min(1)
    .max(MAX_BASES)
    .meta({ description: 'Ids of the knowledge bases to search' }),
  top_k: z.int().min(1).max(50).default(5).meta({ description: 'Maximum number of matches' }),
  min_score: z.number().min(0).max(1).default(0).meta({ description: 'Minimum score of a match' }),
  filters: orNull(jsonObject).meta({
    description: 'Conditions on doc_metadata and chunk_metadata; null: none',
  }),
  search_mode: z.literal('vector').default('vector').meta({ description: '`vector`: search by meaning' }),
  include_content: z.boolean().default(true).meta({ description: 'Whether matches include their text' }),
  include_metadata: z.boolean().default(true).meta({ description: 'Whether matches include their metadata' }),
};

const hasTemplate = (value: Json): boolean => JSON.stringify(value).includes('{{');

/** Checks filters without templates; others are checked when they are rendered. */
function checkFilters(given: { readonly filters: JsonObject | null }, ctx: z.core.$RefinementCtx): void {
  if (given.filters === null || hasTemplate(given.filters)) return;
  const read = readFilters(given.filters);
  if ('problem' in read)
    addProblem(ctx, {
      code: 'invalid_filter',
      message: read.problem.message,
      path: ['filters', ...read.problem.path],
    });
}

const config = z
  .object({
    ...searchFields,
    query: z.string().min(1).max(MAX_QUERY).meta({ description: 'The search text in natural language' }),
  })
  .superRefine(checkFilters);
type KnowledgeConfig = z.output<typeof config>;

/** The config of a search as an agent's tool, without the query. */
export const searchTool = z
  .object({
    kind: discriminator('knowledge'),
    ...searchFields,
  })
  .superRefine(checkFilters);
export type SearchTool = z.output<typeof searchTool>;

type SearchFields = Omit<SearchTool, 'kind'>;

export const describeSearch = ({ knowledge_base_ids }: SearchFields): PatternOf<'search'> => ({
  door: 'search',
  target: { knowledge_base_ids },
  effect: 'pure',
  credential_id: null,
});

/** Prepares a search. @throws NodeError `invalid_input` for an empty or too long query and for invalid filters */
export function prepareSearch(
  call: PrepareCall<unknown>,
  given: SearchFields,
  query: string,
): PreparedEffect<'search'> {
  if (query.trim() === '' || query.length > MAX_QUERY) {
    throw new NodeError('invalid_input', `query: must have 1 to ${MAX_QUERY} characters`);
  }
  const filters = call.render(given.filters ?? {});
  if (!isObject(filters)) throw new NodeError('invalid_input', 'filters: must be an object');
  const { knowledge_base_ids, top_k: topK, min_score: minScore } = given;
  const { include_content: includeContent, include_metadata: includeMetadata } = given;
  return makeEffect(call, describeSearch(given), {
    target: { knowledge_base_ids },
    request: { query, topK, minScore, filters, includeContent, includeMetadata },
    shown: { query, knowledge_base_ids, filters, top_k: topK },
  });
}

/**
 * Searches the knowledge bases.
 * @throws NodeError `knowledge_base_not_found`, and the codes of the billing gate and of the embedding model
 */
export async function performSearch(
  call: NodeCall<unknown>,
  { target, request }: PreparedEffect<'search'>,
): Promise<NodeResult & { readonly outcome: 'completed' }> {
  const matches = await call.tools.knowledge.search({
    ...request,
    organizationId: call.identity.organizationId,
    knowledgeBaseIds: target.knowledge_base_ids,
    signal: call.signal,
    onUse: () => undefined,
  });
  const { query } = request;
  const contents = matches.flatMap(({ content }) => (typeof content === 'string' ? [content] : []));
  return {
    outcome: 'completed',
    output: { query, matches: [...matches], total_matches: matches.length, context: contents.join('\n\n') },
  };
}

const searchSender = defineSender<KnowledgeConfig, 'search'>({
  describe: describeSearch,
  prepare: (call) => prepareSearch(call, call.config, call.renderText(call.config.query)),
  perform: performSearch,
});

/** A search has no effect, so it may run again. */
export const SEARCH_POLICY: NodePolicy = {
  placement: 'activity',
  effect: 'pure',
  timeoutMs: 60_000,
  maxAttempts: 3,
  handles: [],
};

export const knowledge = defineNode<KnowledgeConfig>({
  type: 'knowledge',
  config,
  examples: [
    {
      id: 'search',
      type: 'knowledge',
      config: { knowledge_base_ids: [KNOWLEDGE_BASE], query: '{{input.question}}', top_k: 5 },
    },
  ],
  literalKeys: [
    'knowledge_base_ids',
    'top_k',
    'min_score',
    'search_mode',
    'include_content',
    'include_metadata',
  ],
  parse: (given) => readConfig(config, given),
  policy: () => SEARCH_POLICY,
  ...sendsOne<KnowledgeConfig>(() => searchSender),
});
