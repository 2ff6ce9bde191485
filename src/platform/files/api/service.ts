/** Takes, lists, hands out and deletes the files of an organization. */
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Config } from '../../../base/config/config.ts';
import type { Db } from '../../../base/db/client.ts';
import { denied, notFound, refuseWith, tooLarge, type ApiError } from '../../../base/errors.ts';
import type { Scope } from '../../access/caller.ts';
import { isStillAllowed, readTokenExpiry, whileAllowed } from '../../access/still-allowed.ts';
import { resolveEntitlements } from '../../billing/plans.ts';
import { readCreation, readCursorPage } from '../../http/cursor-page.ts';
import { receiveFile } from '../../http/multipart.ts';
import { readFileName, readMediaType } from '../description.ts';
import { FileRefused, type FileStore } from '../file-store.ts';
import { deleteFileRow, findFile, listFiles, type FileRow, type SealedFileRow } from '../rows.ts';
import type { StoredRange } from '../storage.ts';
import type { FileQuery } from './schema.ts';

export interface FileDeps {
  readonly db: Db;
  readonly config: Config;
  /** Null: the operator has configured none. */
  readonly files: FileStore | null;
}

function requireStore({ files }: Pick<FileDeps, 'files'>): FileStore {
  if (files === null)
    throw refuseWith(503, 'files_not_configured', 'The operator has configured no storage of files');
  return files;
}

function toRefusal({ key, limit, current }: FileRefused): ApiError {
  return key === 'file_size_bytes'
    ? tooLarge('file_too_large', `The file is larger than ${limit} bytes`)
    : denied({ code: 'quota_exceeded', key, current, limit });
}

/**
 * Stores the file of a request while it comes.
 * @throws ApiError 403 shape D `quota_exceeded`, 413, 415, 422, 503 without a storage
 */
export async function uploadFile(
  deps: FileDeps,
  { organizationId, subscription, caller }: Scope,
  ctx: Context,
): Promise<FileRow> {
  const store = requireStore(deps);
  const limits = resolveEntitlements(subscription);
  try {
    return await receiveFile(ctx, ({ name, mediaType, pieces }) => {
      const file = {
        organizationId,
        name: readFileName(name),
        mediaType: readMediaType(mediaType),
        createdBy: caller.userId,
        limits,
      };
      return store.write(deps.db, file, pieces);
    });
  } catch (error) {
    throw error instanceof FileRefused ? toRefusal(error) : error;
  }
}

/** Lists a page of the files of the organization, newest first. @throws ApiError 400 for a cursor of another list */
export async function listOwnFiles(
  { db, config }: FileDeps,
  { organizationId }: Scope,
  query: FileQuery,
): Promise<{ readonly rows: readonly FileRow[]; readonly nextCursor: string | null }> {
  return readCursorPage(config.auth, query, {
    name: `files/${organizationId}`,
    read: (page) => listFiles(db, organizationId, page),
    readPosition: readCreation,
  });
}

/** @throws ApiError 404 */
export async function getFile(
  { db }: Pick<FileDeps, 'db'>,
  { organizationId }: Pick<Scope, 'organizationId'>,
  fileId: string,
): Promise<SealedFileRow> {
  const found = await findFile(db, { organizationId, fileId });
  if (found === null) throw notFound('File');
  return found;
}

/** Deletes a file, also one that a run refers to. @throws ApiError 404 */
export async function deleteFile(
  { db }: Pick<FileDeps, 'db'>,
  { organizationId }: Pick<Scope, 'organizationId'>,
  fileId: string,
): Promise<void> {
  if (!(await deleteFileRow(db, { organizationId, fileId }))) throw notFound('File');
}

/**
 * Reads `Range` (RFC 9110, 14.2).
 * @returns null for the whole file: without the header, for several ranges, and for one beyond the end, which a server may ignore
 */
export function readRange(header: string, size: number): StoredRange | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? [];
  if (from === '' && to === '') return null;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size : Math.min(size, Number(to) + 1);
  return start < end ? { start, end } : null;
}

/** The part of a file that a request wants; `range` is null for all of it. */
interface Download {
  readonly row: SealedFileRow;
  readonly range: StoredRange | null;
  readonly body: Readable;
}

/** Opens a file for a request; it ends when the caller loses the access. @throws ApiError 404, 503 without a storage */
export async function downloadFile(
  deps: FileDeps,
  scope: Scope,
  { fileId, ctx }: { readonly fileId: string; readonly ctx: Context },
): Promise<Download> {
  const store = requireStore(deps);
  const row = await getFile(deps, scope, fileId);
  const range = readRange(ctx.get('Range'), row.size);
  const endsAtMs = readTokenExpiry(scope.caller, ctx.get('Authorization'));
  const isAllowed = everyMebibyte(() => isStillAllowed(deps.db, scope, endsAtMs));
  const pieces = whileAllowed(store.open(row, range ?? undefined), isAllowed);
  return { row, range, body: Readable.from(pieces, { objectMode: false }) };
}

/** Pieces of 64 KiB between two questions whether the reader is still allowed. */
const PIECES = 16;

/** @returns a question that is asked for the first of some pieces alone: a statement for each would take longer than the piece */
function everyMebibyte(ask: () => Promise<boolean>): () => Promise<boolean> {
  let count = 0;
  return async () => (count++ % PIECES === 0 ? ask() : true);
}
