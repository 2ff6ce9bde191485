/** Knowledge bases as a client fills them: uploads as multipart bodies. */
import { Secrets } from '../../src/platform/credentials/vault/secrets.ts';
import { toEmbeddingModel } from '../../src/platform/knowledge/bases.ts';
import {
  completeDocument,
  nextPieces,
  openDocument,
  storePieces,
  storeVectors,
} from '../../src/platform/knowledge/ingest.ts';
import type { Extraction } from '../../src/platform/knowledge/extraction-port.ts';
import { findOpen } from '../../src/platform/knowledge/open-documents.ts';
import type { Answer, ApiServer, Tenant } from './api-server.ts';

export interface Part {
  readonly name?: string;
  readonly value: string | Uint8Array;
  readonly fileName?: string;
  readonly type?: string;
}

const BOUNDARY = 'a-boundary-of-the-tests';

/** A multipart body by hand: what a client library would refuse to send can be sent, too. */
export function multipart(
  parts: readonly Part[],
  end = `--${BOUNDARY}--\r\n`,
): { readonly raw: Uint8Array<ArrayBuffer>; readonly headers: Record<string, string> } {
  const pieces = parts.flatMap(({ name, value, fileName, type }) => {
    const words = [
      'form-data',
      ...(name === undefined ? [] : [`name="${name}"`]),
      ...(fileName === undefined ? [] : [`filename="${fileName}"`]),
    ];
    const kind = type === undefined ? '' : `Content-Type: ${type}\r\n`;
    const head = `--${BOUNDARY}\r\nContent-Disposition: ${words.join('; ')}\r\n${kind}\r\n`;
    return [Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')];
  });
  const raw = new Uint8Array(Buffer.concat([...pieces, Buffer.from(end)]));
  return { raw, headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } };
}

export const filePart = (value: string | Uint8Array, fileName = 'a.txt', type = 'text/plain'): Part => ({
  name: 'file',
  value,
  fileName,
  type,
});

/** Uploads a file with texts beside it. */
export function upload(
  tenant: Tenant,
  base: string,
  file: Part,
  fields: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const texts = Object.entries(fields).map(([name, value]) => ({ name, value }));
  return tenant.call('POST', `/knowledge-bases/${base}/documents`, multipart([...texts, file]));
}

export const uploadText = (
  tenant: Tenant,
  base: string,
  text: string,
  metadata: object = {},
  fileName = 'a.txt',
): Promise<Answer> =>
  upload(tenant, base, filePart(text, fileName), { doc_metadata: JSON.stringify(metadata) });

/** Makes a managed base. @returns its id */
export async function makeBase(tenant: Tenant, body: object = {}): Promise<string> {
  const answer = await tenant.call('POST', '/knowledge-bases', { body: { name: 'Docs', ...body } });
  if (answer.status !== 201) throw new Error(`no knowledge base: ${answer.status} ${answer.text}`);
  return answer.body.id;
}

/** The environment of an API whose managed models are a server of the test. */
export const managedBy = (models: { readonly baseUrl: string }): Record<string, string> => ({
  MANAGED_EMBEDDING_BASE_URL: models.baseUrl,
  MANAGED_EMBEDDING_API_KEY: 'managed-embedding-key',
  MANAGED_EMBEDDING_MODEL: 'test-embedding',
});

/** A text in pieces, one for each paragraph. */
export function cut(text: string): Extraction {
  const chunks = text.split('\n\n').map((piece, position) => {
    const heading = /^# (.*)/.exec(piece)?.[1];
    return {
      text: piece,
      tokens: piece.split(' ').length,
      position,
      ...(heading === undefined ? {} : { heading }),
    };
  });
  const tokens = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0);
  return { type: 'text', characters: text.length, tokens, chunks };
}

/** Takes in all that waits of an organization, without Temporal: the steps of the workflow, one after the other. */
export async function ingestAll(
  { deps }: Pick<ApiServer, 'deps'>,
  { org }: Pick<Tenant, 'org'>,
): Promise<void> {
  const told = await deps.db.query<{ subject_id: string }>(
    `DELETE FROM outbox WHERE kind = 'ingest' AND organization_id = $1 RETURNING subject_id`,
    [org],
  );
  for (const { subject_id: documentId } of told) {
    const ref = await findOpen(deps.db, { organizationId: org, documentId });
    const opened = ref === null ? null : await openDocument(deps.db, ref);
    if (ref === null || opened === null) continue;
    await storePieces(deps.db, ref, cut(Buffer.from(opened.content).toString()));
    for (;;) {
      const next = await nextPieces(deps.db, ref);
      if (next === null || next.pieces.length === 0) break;
      const { base, pieces } = next;
      const embedded = await deps.createEmbedder(new Secrets()).embed({
        organizationId: ref.organizationId,
        model: toEmbeddingModel(base),
        texts: pieces.map(({ content }) => content),
        signal: AbortSignal.timeout(10_000),
      });
      await storeVectors(deps.db, ref, { pieces, embedded });
    }
    await completeDocument(deps.db, ref);
  }
}
