/** Routes of the documents of a knowledge base. */
import { routesFor, type Route } from '../../http/route.ts';
import { refusal, success, uuidParams } from '../../http/wire.ts';
import { presentPage } from '../../http/cursor-page.ts';
import { chunkQuery, chunks, document, documentQuery, documents, uploadParts } from './document-schema.ts';
import {
  listDocumentChunks,
  deleteDocument,
  findDocument,
  listBaseDocuments,
  retryFailed,
  uploadDocument,
  type DocumentDeps,
} from './documents.ts';
import { presentChunk, presentDocument } from './present.ts';

const route = routesFor<DocumentDeps>();

const common = { tag: 'knowledge-bases', access: 'organization' } as const;
const list = '/knowledge-bases/:knowledge_id/documents';
const one = `${list}/:document_id`;
const ofBase = uuidParams('knowledge_id');
const ofDocument = uuidParams('knowledge_id', 'document_id');

const toDocumentId = (params: { readonly knowledge_id: string; readonly document_id: string }) => ({
  knowledgeBaseId: params.knowledge_id,
  documentId: params.document_id,
});

export const documentRoutes: readonly Route<DocumentDeps>[] = [
  route({
    ...common,
    method: 'POST',
    path: list,
    operationId: 'uploadDocument',
    // A document with the same content is not stored twice.
    isRepeatable: true,
    summary: 'Upload a document; a file that was uploaded before is returned',
    params: ofBase,
    upload: uploadParts,
    isGated: true,
    replies: { 202: document, 200: document, 409: refusal },
    async handle({ deps, scope, params: { knowledge_id: knowledgeBaseId }, ctx }) {
      const { document: row, isNew } = await uploadDocument(deps, scope, { knowledgeBaseId, ctx });
      return { status: isNew ? 202 : 200, body: presentDocument(row) };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: list,
    operationId: 'listDocuments',
    summary: 'List the documents of a knowledge base, newest first',
    params: ofBase,
    query: documentQuery,
    replies: { 200: documents },
    async handle({ deps, scope, params: { knowledge_id: knowledgeBaseId }, query: page }) {
      const { rows, nextCursor } = await listBaseDocuments(deps, scope, { knowledgeBaseId, page });
      return { status: 200, body: { documents: rows.map(presentDocument), next_cursor: nextCursor } };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: one,
    operationId: 'getDocument',
    summary: 'Retrieve a document, with the progress or the error of its indexing',
    params: ofDocument,
    replies: { 200: document },
    async handle({ deps, scope, params }) {
      return { status: 200, body: presentDocument(await findDocument(deps, scope, toDocumentId(params))) };
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    path: one,
    operationId: 'deleteDocument',
    summary: 'Delete a document and its chunks',
    params: ofDocument,
    replies: { 200: success },
    async handle({ deps, scope, params }) {
      await deleteDocument(deps, scope, toDocumentId(params));
      return { status: 200, body: { success: true, message: 'Document deleted' } };
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: `${one}/retry`,
    operationId: 'retryDocument',
    summary: 'Retry the indexing of a failed document',
    params: ofDocument,
    isGated: true,
    replies: { 202: document, 409: refusal },
    async handle({ deps, scope, params }) {
      return { status: 202, body: presentDocument(await retryFailed(deps, scope, toDocumentId(params))) };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: `${one}/chunks`,
    operationId: 'listDocumentChunks',
    summary: 'List the chunks of a document, in order',
    params: ofDocument,
    query: chunkQuery,
    replies: { 200: chunks },
    async handle({ deps, scope, params, query }) {
      const page = await listDocumentChunks(deps, scope, { id: toDocumentId(params), ...query });
      return { status: 200, body: { chunks: page.rows.map(presentChunk), ...presentPage(page, query) } };
    },
  }),
];
