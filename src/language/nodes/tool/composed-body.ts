/**
 * A body with files, which is put together while it is sent: all of it is JSON but the bytes of the files, which their digests stand for in
 * what is shown, approved and compared.
 */
import { createHash } from 'node:crypto';
import type { FileReference } from '../../graph/values/file-reference.ts';
import type { NodeCall } from '../kind.ts';
import type { StreamedBody } from '../tools.ts';

/** Text, bytes, or the file that stands there. */
type BodyPart = string | { readonly base64: string } | FileReference;

export interface ComposedBody {
  readonly parts: readonly BodyPart[];
}

export const isComposed = (body: unknown): body is ComposedBody =>
  typeof body === 'object' && body !== null && 'parts' in body;

/** A boundary that no file can have: it follows from the digests of all of them. The same for the same parts. */
export const chooseComposedBoundary = (parts: readonly unknown[]): string =>
  `form-boundary-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40)}`;

const toBytes = (part: string | { readonly base64: string }): Buffer =>
  typeof part === 'string' ? Buffer.from(part) : Buffer.from(part.base64, 'base64');

/**
 * Finds the files of a body.
 * @throws NothingSentError `file_not_found`, `file_changed`
 */
export async function openComposed(
  { tools, identity: { organizationId } }: Pick<NodeCall<unknown>, 'tools' | 'identity'>,
  { parts }: ComposedBody,
): Promise<StreamedBody> {
  const sources: (Buffer | (() => AsyncIterable<Uint8Array>))[] = [];
  let size = 0;
  for (const part of parts) {
    const isFile = typeof part === 'object' && '$file' in part;
    const source = isFile ? await tools.files.find(organizationId, part) : toBytes(part);
    size += isFile ? part.size : (source as Buffer).byteLength;
    sources.push(source);
  }
  return {
    size,
    async *open() {
      for (const source of sources) {
        if (typeof source === 'function') yield* source();
        else yield source;
      }
    },
  };
}
