/** Uploads, lists, finds, retries and deletes the documents of a base, and lists their chunks. */
import { basename } from 'node:path/posix';
import type { Context } from 'koa';
import type { z } from 'zod';
import { cutText } from '../../../language/graph/values/cut-text.ts';
import type { Scope } from '../../access/caller.ts';
import { buildAdmission } from '../../billing/admission.ts';
import type { Sql } from '../../../base/db/client.ts';
import { conflict, invalid, notFound } from '../../../base/errors.ts';
import { explainRefusal, sniff } from '../extraction/sniff.ts';
import { toStorableText } from '../../../language/graph/values/storable.ts';
import { sameJson, type JsonObject } from '../../../language/graph/values/value.ts';
import { holdBody, readJsonText, type BodyDeps } from '../../http/body.ts';
import { readCreation, readCursorPage, type CursorPage, type PageQuery } from '../../http/cursor-page.ts';
import { PARSING, toIssues } from '../../http/issues.ts';
import { readMultipart, type MultipartBody } from '../../http/multipart.ts';
import { shownName } from '../../../language/graph/values/shown-name.ts';
import { selectBase, type KnowledgeBase } from '../bases.ts';
import {
  acceptDocument,
  removeDocument,
  retryDocument,
  selectDocument,
  type DocumentRow,
  type DocumentStatus,
  type Upload,
} from '../documents.ts';
import type { DocumentType } from '../extraction-port.ts';
import type { Dispatcher } from '../../outbox/dispatcher.ts';
import { documentMetadata, documentName } from './document-schema.ts';
import { chunkingConfig } from './schema.ts';
import { findBase, type KnowledgeDeps } from './service.ts';
import { listChunks, listDocuments, type ChunkRow } from './store.ts';

/** SPEC SEC-K08. */
export const MAX_FILE_BYTES = 25 * 1024 * 1024;
export const MAX_DOCUMENTS = 10_000;

const MIME_TYPES: Readonly<Record<DocumentType, string>> = {
  text: 'text/plain',
  csv: 'text/csv',
  markdown: 'text/markdown',
  html: 'text/html',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

export interface DocumentDeps extends KnowledgeDeps {
  readonly dispatcher: Pick<Dispatcher, 'kick'>;
  /** Bytes of files in memory, by organization: held until they are stored. */
  readonly uploads: BodyDeps['bodies'];
}

interface DocumentId {
  readonly knowledgeBaseId: string;
  readonly documentId: string;
}

function parseField<T>(schema: z.ZodType<T>, value: unknown, field: string): T {
  const read = schema.safeParse(value, PARSING);
  if (read.success) return read.data;
  const issues = toIssues(read.error, 'body', schema);
  throw invalid(issues.map((issue) => ({ ...issue, loc: ['body', field, ...issue.loc.slice(1)] })));
}

/** Reads a field of JSON text; undefined when it was not sent. */
async function readJsonField<T>(
  { fields }: MultipartBody,
  name: string,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  const text = fields.get(name);
  if (text === undefined || text === '') return undefined;
  return parseField(schema, (await readJsonText(text, { at: [name] })).value, name);
}

/** Reads the document's name, without directories and control characters. */
function readName({ fields, file }: MultipartBody): string {
  const given = fields.get('name') ?? '';
  if (given !== '') return parseField(documentName, given, 'name');
  const plain = cutText(toStorableText(shownName(basename(file.name.replaceAll('\\', '/')))), 255);
  return plain === '' ? 'document' : plain;
}

/** @throws ApiError 422 for an empty file or an unsupported type */
async function readUpload(body: MultipartBody, scope: Scope): Promise<Upload> {
  const name = readName(body);
  if (body.file.bytes.length === 0) {
    throw invalid([{ loc: ['body', 'file'], msg: 'The file is empty', type: 'file_empty' }]);
  }
  const type = sniff(body.file.bytes, body.file.name);
  if (type === undefined) {
    const { message: msg } = explainRefusal(body.file.bytes);
    throw invalid([{ loc: ['body', 'file'], msg, type: 'file_type_unsupported' }]);
  }
  return {
    name,
    mimeType: MIME_TYPES[type],
    content: body.file.bytes,
    isNamed: (body.fields.get('name') ?? '') !== '',
    docMetadata: ((await readJsonField(body, 'doc_metadata', documentMetadata)) ?? null) as JsonObject | null,
    chunking: (await readJsonField(body, 'chunking_config', chunkingConfig)) ?? null,
    createdBy: scope.caller.userId,
  };
}

/** @throws ApiError 409 when the content is already stored with other chunking */
function requireSameChunking({ chunking }: Upload, document: DocumentRow, base: KnowledgeBase): void {
  const known = document.chunking_config ?? base.chunking_config;
  if (chunking === null || sameJson({ ...chunking }, { ...known })) return;
  throw conflict(
    'document_cut_differently',
    'The knowledge base already has this document, split into other chunks. Delete it, then upload it again',
  );
}

interface AcceptedUpload {
  readonly document: DocumentRow;
  readonly isNew: boolean;
}

/**
 * Stores an upload and queues its ingest. Uploading stored content again only replaces the metadata of its document.
 * @throws ApiError 404; 402, 403 and 429 shape D for managed bases; 409 for a full base, and for content with other chunking; 413, 415, 422
 */
export async function uploadDocument(
  deps: DocumentDeps,
  scope: Scope,
  { knowledgeBaseId, ctx }: { readonly knowledgeBaseId: string; readonly ctx: Context },
): Promise<AcceptedUpload> {
  await findBase(deps.db, scope, knowledgeBaseId);
  const accepted = await holdBody({ bodies: deps.uploads }, scope.organizationId, async (lease) => {
    const upload = await readUpload(await readMultipart(ctx, lease, MAX_FILE_BYTES), scope);
    return storeUpload(deps, scope, { knowledgeBaseId, upload });
  });
  if (accepted.isNew) deps.dispatcher.kick();
  return accepted;
}

function storeUpload(
  deps: DocumentDeps,
  scope: Scope,
  { knowledgeBaseId, upload }: { readonly knowledgeBaseId: string; readonly upload: Upload },
): Promise<AcceptedUpload> {
  return deps.db.transaction(async (tx) => {
    const base = await selectBase(tx, { organizationId: scope.organizationId, knowledgeBaseId }, 'key share');
    if (base === null) throw notFound('Knowledge base');
    if (base.document_count >= MAX_DOCUMENTS) {
      throw conflict(
        'document_limit_reached',
        `A knowledge base can have at most ${MAX_DOCUMENTS} documents. Delete one first`,
      );
    }
    const stored = await acceptDocument(tx, { base, upload }, () => buildAdmission(scope));
    if (!stored.isNew) requireSameChunking(upload, stored.document, base);
    return stored;
  });
}

/** @throws ApiError 404 */
export async function findDocument(
  deps: KnowledgeDeps,
  scope: Scope,
  { knowledgeBaseId, documentId }: DocumentId,
): Promise<DocumentRow> {
  const base = await findBase(deps.db, scope, knowledgeBaseId);
  const document = await selectDocument(deps.db, { base, documentId });
  if (document === null) throw notFound('Document');
  return document;
}

interface DocumentPage {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly status?: DocumentStatus | undefined;
}

/** Lists a page of a base's documents, newest first. @throws ApiError 404, 400 for a cursor of another list */
export async function listBaseDocuments(
  deps: KnowledgeDeps,
  scope: Scope,
  { knowledgeBaseId, page }: { readonly knowledgeBaseId: string; readonly page: DocumentPage },
): Promise<CursorPage<DocumentRow>> {
  const base = await findBase(deps.db, scope, knowledgeBaseId);
  return readCursorPage(deps.config.auth, page, {
    name: `knowledge-documents/${scope.organizationId}/${base.id}`,
    read: (read) => listDocuments(deps.db, base, { ...read, status: page.status ?? null }),
    readPosition: readCreation,
  });
}

/** Lists the chunks of a document that have their vectors. @throws ApiError 404 */
export async function listDocumentChunks(
  deps: KnowledgeDeps,
  scope: Scope,
  { id, ...query }: PageQuery & { readonly id: DocumentId },
): Promise<CursorPage<ChunkRow>> {
  const document = await findDocument(deps, scope, id);
  return readCursorPage(deps.config.auth, query, {
    name: `knowledge-chunks/${scope.organizationId}/${document.id}`,
    read: (page) => listChunks(deps.db, document.id, page),
    readPosition: (row) => ({ place: row.position, rowId: row.id }),
  });
}

/** Runs `work` with a locked document and a shared lock on its base. */
async function withDocument<T>(
  deps: KnowledgeDeps,
  id: DocumentId & Pick<Scope, 'organizationId'>,
  work: (tx: Sql, base: KnowledgeBase, document: DocumentRow) => Promise<T>,
): Promise<T> {
  return deps.db.transaction(async (tx) => {
    const base = await selectBase(tx, id, 'key share');
    if (base === null) throw notFound('Knowledge base');
    const document = await selectDocument(tx, { base, documentId: id.documentId }, true);
    if (document === null) throw notFound('Document');
    return work(tx, base, document);
  });
}

/**
 * Queues the ingest of a failed document again.
 * @throws ApiError 404, 409 for one that has not failed; 402, 403 and 429 shape D for managed bases
 */
export async function retryFailed(deps: DocumentDeps, scope: Scope, id: DocumentId): Promise<DocumentRow> {
  const key = { ...id, organizationId: scope.organizationId };
  const row = await withDocument(deps, key, (tx, base, document) => {
    if (document.status !== 'failed')
      throw conflict('document_not_failed', 'Only failed documents can be retried');
    return retryDocument(tx, { base, document }, () => buildAdmission(scope));
  });
  deps.dispatcher.kick();
  return row;
}

/** Deletes a document and its chunks; a running ingest ends by itself. @throws ApiError 404 */
export async function deleteDocument(deps: KnowledgeDeps, scope: Scope, id: DocumentId): Promise<void> {
  await withDocument(deps, { ...id, organizationId: scope.organizationId }, (tx, _, document) =>
    removeDocument(tx, document),
  );
}
