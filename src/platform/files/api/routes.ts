/** Routes of files. */
import { recordAction } from '../../audit/audit-log.ts';
import { AT, IDS } from '../../http/docs/example-ids.ts';
import { routesFor, type Route } from '../../http/route.ts';
import { refusal, success, uuidParams } from '../../http/wire.ts';
import { toReference, type FileRow } from '../rows.ts';
import { file, fileList, fileParts, fileQuery } from './schema.ts';
import { deleteFile, downloadFile, getFile, listOwnFiles, uploadFile, type FileDeps } from './service.ts';

const presentFile = (row: FileRow): object => ({
  id: row.id,
  organization_id: row.organization_id,
  name: row.name,
  media_type: row.media_type,
  size: row.size,
  sha256: row.sha256,
  reference: toReference(row),
  expires_at: row.due_at?.toISOString() ?? null,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
});

const exampleFile = presentFile({
  id: '0d6f1c1e-5a8b-4c47-9f1d-7a2b9c3e4d5f',
  organization_id: IDS.organization,
  name: 'invoice.pdf',
  media_type: 'application/pdf',
  size: 48_213,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  due_at: null,
  created_by: IDS.user,
  created_at: new Date(AT),
});

/** Quotes a name for Content-Disposition (RFC 6266; RFC 8187 for all characters). */
const quoteName = (name: string): string =>
  `attachment; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)}`;

/** A browser that opens the address shows and runs nothing of a file. */
const SAFE_HEADERS = {
  'Content-Type': 'application/octet-stream',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Accept-Ranges': 'bytes',
};

const route = routesFor<FileDeps>();
const common = { tag: 'files', access: 'organization' } as const;
const params = uuidParams('file_id');
const all = '/files';
const one = `${all}/:file_id`;

export const fileRoutes: readonly Route<FileDeps>[] = [
  route({
    ...common,
    method: 'POST',
    path: all,
    operationId: 'uploadFile',
    summary: 'Upload a file; its reference may stand in the input of runs',
    upload: fileParts,
    isGated: true,
    example: { replies: { 201: exampleFile } },
    replies: { 201: file, 413: refusal, 415: refusal, 503: refusal },
    handle: async ({ deps, scope, ctx }) => ({
      status: 201,
      body: presentFile(await uploadFile(deps, scope, ctx)),
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: all,
    operationId: 'listFiles',
    summary: 'List the files of the organization, newest first',
    query: fileQuery,
    example: { replies: { 200: { files: [exampleFile], next_cursor: null } } },
    replies: { 200: fileList },
    async handle({ deps, scope, query }) {
      const { rows, nextCursor } = await listOwnFiles(deps, scope, query);
      return { status: 200, body: { files: rows.map(presentFile), next_cursor: nextCursor } };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: one,
    operationId: 'getFile',
    summary: 'Retrieve the description of a file',
    params,
    example: { replies: { 200: exampleFile } },
    replies: { 200: file },
    handle: async ({ deps, scope, params: { file_id: fileId } }) => ({
      status: 200,
      body: presentFile(await getFile(deps, scope, fileId)),
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: `${one}/content`,
    operationId: 'downloadFile',
    summary: 'Download a file, or with `Range` one part of it',
    params,
    headers: { Range: 'One range of bytes, such as `bytes=0-1023`; any other is ignored' },
    replies: { 200: 'bytes', 206: 'bytes', 503: refusal },
    async handle({ deps, scope, params: { file_id: fileId }, ctx }) {
      const { row, range, body } = await downloadFile(deps, scope, { fileId, ctx });
      const { organizationId } = scope;
      await recordAction(deps.db, {
        organizationId,
        action: 'file.downloaded',
        object: { type: 'file', id: row.id, name: row.name },
      });
      const { start, end } = range ?? { start: 0, end: row.size };
      return {
        status: range === null ? 200 : 206,
        headers: {
          ...SAFE_HEADERS,
          'Content-Disposition': quoteName(row.name),
          'Content-Length': String(end - start),
          ETag: `"${row.sha256}"`,
          ...(range === null ? {} : { 'Content-Range': `bytes ${start}-${end - 1}/${row.size}` }),
        },
        body,
      };
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    path: one,
    operationId: 'deleteFile',
    summary: 'Delete a file, also one that runs refer to',
    params,
    example: { replies: { 200: { success: true, message: 'File deleted' } } },
    replies: { 200: success },
    async handle({ deps, scope, params: { file_id: fileId } }) {
      await deleteFile(deps, scope, fileId);
      return { status: 200, body: { success: true, message: 'File deleted' } };
    },
  }),
];
