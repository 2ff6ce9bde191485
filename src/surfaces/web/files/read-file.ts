/** Reads files of the organization in the browser. */
import type { FileReference } from '../../../language/graph/values/file-reference.ts';
import type { WorkflowClient } from '../../client/client.ts';
import { saveBlob } from '../kit/save-file.ts';

/** Types that a browser shows as a picture; an SVG in a picture runs nothing. */
const PICTURE = /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml)$/;
const TEXT = /^(?:text\/|application\/(?:.*\+)?(?:json|xml|yaml)$|application\/(?:x-ndjson|jsonl)$)/;
/** Larger pictures and texts are to be downloaded. */
const MAX_PREVIEW_BYTES = 10_000_000;

type File = Pick<FileReference, '$file' | 'name' | 'media_type' | 'size'>;

/** Finds the form in which a file can be shown; null: in none. */
export function findPreview({ media_type: type, size }: File): 'picture' | 'text' | null {
  if (size > MAX_PREVIEW_BYTES || size === 0) return null;
  return PICTURE.test(type) ? 'picture' : TEXT.test(type) ? 'text' : null;
}

async function readBlob(client: WorkflowClient, { $file: fileId }: File, type: string): Promise<Blob> {
  const bytes = await new Response(await client.files.download(fileId)).blob();
  return bytes.slice(0, bytes.size, type);
}

/** Reads a picture. @returns its address, which whoever has shown it revokes */
export const readPicture = async (client: WorkflowClient, file: File): Promise<string> =>
  URL.createObjectURL(await readBlob(client, file, file.media_type));

/** Reads a text in UTF-8. */
export const readTextFile = async (client: WorkflowClient, file: File): Promise<string> =>
  (await readBlob(client, file, 'text/plain')).text();

/** Saves a file with the browser. Its type is none that a browser would open. */
export async function downloadFile(client: WorkflowClient, file: File): Promise<void> {
  saveBlob(file.name, await readBlob(client, file, 'application/octet-stream'));
}
