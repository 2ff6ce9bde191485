/** Knowledge bases, their documents, and search over them. */
import type { Body, CallOptions, Query, Reply } from './operations.ts';
import { Resource } from './resource.ts';
import type { Values } from './transport.ts';
import { sendWithProgress, type Upload } from './upload.ts';

const BASE = '/knowledge-bases/{knowledge_id}';
const DOCUMENTS = `${BASE}/documents`;
const DOCUMENT = `${DOCUMENTS}/{document_id}`;

export interface DocumentIds {
  readonly knowledgeId: string;
  readonly documentId: string;
}
const documentParameters = ({ knowledgeId, documentId }: DocumentIds): Values => ({
  knowledge_id: knowledgeId,
  document_id: documentId,
});

export class KnowledgeBases extends Resource {
  list(query?: Query<'listKnowledgeBases'>, options?: CallOptions) {
    return this.lists<'listKnowledgeBases', Reply<'listKnowledgeBases'>['knowledge_bases'][number]>(
      { path: '/knowledge-bases', query },
      (answer) => answer.knowledge_bases,
      options,
    );
  }
  get(knowledgeId: string, options?: CallOptions) {
    const parameters = { knowledge_id: knowledgeId };
    return this.send<'getKnowledgeBase'>(['GET', BASE], { parameters }, options);
  }
  create(body: Body<'createKnowledgeBase'>, options?: CallOptions) {
    return this.send<'createKnowledgeBase'>(['POST', '/knowledge-bases'], { body }, options);
  }
  update(knowledgeId: string, body: Body<'updateKnowledgeBase'>, options?: CallOptions) {
    const parameters = { knowledge_id: knowledgeId };
    return this.send<'updateKnowledgeBase'>(['PATCH', BASE], { parameters, body }, options);
  }
  delete(knowledgeId: string, options?: CallOptions) {
    const parameters = { knowledge_id: knowledgeId };
    return this.send<'deleteKnowledgeBase'>(['DELETE', BASE], { parameters }, options);
  }
  search(knowledgeId: string, body: Body<'searchKnowledgeBase'>, options?: CallOptions) {
    const parameters = { knowledge_id: knowledgeId };
    return this.send<'searchKnowledgeBase'>(['POST', `${BASE}/search`], { parameters, body }, options);
  }
  documents(knowledgeId: string, query?: Query<'listDocuments'>, options?: CallOptions) {
    return this.lists<'listDocuments', Reply<'listDocuments'>['documents'][number]>(
      { path: DOCUMENTS, parameters: { knowledge_id: knowledgeId }, query },
      (answer) => answer.documents,
      options,
    );
  }
  /** Uploads a document; it is extracted and embedded afterwards (`getDocument` tells how far it is). */
  upload(knowledgeId: string, upload: Upload, options?: CallOptions) {
    const { form, fetch } = sendWithProgress(upload);
    const parameters = { knowledge_id: knowledgeId };
    return this.send<'uploadDocument'>(['POST', DOCUMENTS], { parameters, body: form, fetch }, options);
  }
  getDocument(ids: DocumentIds, options?: CallOptions) {
    return this.send<'getDocument'>(['GET', DOCUMENT], { parameters: documentParameters(ids) }, options);
  }
  deleteDocument(ids: DocumentIds, options?: CallOptions) {
    const parameters = documentParameters(ids);
    return this.send<'deleteDocument'>(['DELETE', DOCUMENT], { parameters }, options);
  }
  /** Extracts and embeds a document again that failed. */
  retryDocument(ids: DocumentIds, options?: CallOptions) {
    const parameters = documentParameters(ids);
    return this.send<'retryDocument'>(['POST', `${DOCUMENT}/retry`], { parameters }, options);
  }
}
