/** Routes of /knowledge-bases (SPEC API-knowledge); those of documents are in document-routes.ts. */
import { routesFor, type Route } from '../../http/route.ts';
import { refusal, success, uuidParams } from '../../http/wire.ts';
import { documentRoutes } from './document-routes.ts';
import type { DocumentDeps } from './documents.ts';
import { presentBase } from './present.ts';
import { base, baseChange, baseList, bases, newBase, searchBody, searchResult } from './schema.ts';
import { searchBase, type SearchDeps } from './search.ts';
import { changeBase, createBase, deleteBase, describeBase, findBase, listKnowledgeBases } from './service.ts';

type KnowledgeRouteDeps = DocumentDeps & SearchDeps;
const route = routesFor<KnowledgeRouteDeps>();

const common = { tag: 'knowledge-bases', access: 'organization' } as const;
const params = uuidParams('knowledge_id');
const one = '/knowledge-bases/:knowledge_id';

export const knowledgeRoutes: readonly Route<KnowledgeRouteDeps>[] = [
  route({
    ...common,
    method: 'POST',
    path: '/knowledge-bases',
    operationId: 'createKnowledgeBase',
    namesOrganization: true,
    summary: "Create a knowledge base, with the managed embedding model or the organization's own account",
    body: newBase,
    isGated: true,
    replies: { 201: base, 404: refusal, 503: refusal },
    async handle({ deps, scope, body }) {
      return { status: 201, body: presentBase(await createBase(deps, scope, body)) };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: '/knowledge-bases',
    operationId: 'listKnowledgeBases',
    summary: 'List the knowledge bases of the organization, newest first',
    query: baseList,
    replies: { 200: bases },
    async handle({ deps, scope, query }) {
      const { facts, nextCursor } = await listKnowledgeBases(deps, scope, query);
      return { status: 200, body: { knowledge_bases: facts.map(presentBase), next_cursor: nextCursor } };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: one,
    operationId: 'getKnowledgeBase',
    summary: 'Retrieve a knowledge base with its statistics',
    params,
    replies: { 200: base },
    async handle({ deps, scope, params: { knowledge_id: knowledgeBaseId } }) {
      return { status: 200, body: presentBase(await describeBase(deps, scope, knowledgeBaseId)) };
    },
  }),
  route({
    ...common,
    method: 'PATCH',
    path: one,
    operationId: 'updateKnowledgeBase',
    summary: 'Update a knowledge base; its config only while it has no documents',
    params,
    body: baseChange,
    find: ({ deps, scope, params }) => findBase(deps.db, scope, params.knowledge_id),
    replies: { 200: base, 409: refusal, 503: refusal },
    async handle({ deps, scope, params: { knowledge_id: knowledgeBaseId }, body }) {
      return { status: 200, body: presentBase(await changeBase(deps, scope, { knowledgeBaseId, body })) };
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    path: one,
    operationId: 'deleteKnowledgeBase',
    summary: 'Delete a knowledge base with its documents',
    params,
    replies: { 200: success },
    async handle({ deps, scope, params: { knowledge_id: knowledgeBaseId } }) {
      await deleteBase(deps, scope, knowledgeBaseId);
      return { status: 200, body: { success: true, message: 'Knowledge base deleted' } };
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: `${one}/search`,
    operationId: 'searchKnowledgeBase',
    summary: 'Search a knowledge base for the chunks most similar to a query',
    params,
    body: searchBody,
    find: ({ deps, scope, params }) => findBase(deps.db, scope, params.knowledge_id),
    isGated: true,
    replies: { 200: searchResult, 502: refusal, 503: refusal },
    async handle({ deps, scope, params: { knowledge_id: knowledgeBaseId }, body }) {
      return { status: 200, body: await searchBase(deps, scope, { knowledgeBaseId, body }) };
    },
  }),
  ...documentRoutes,
];
