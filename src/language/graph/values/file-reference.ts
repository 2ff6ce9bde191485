/** References to files in values: what a run, its state and its steps have in place of bytes. */
import { isObject, type Json } from './value.ts';

/** The key that makes an object a reference. */
export const FILE_KEY = '$file';

/** The other fields are descriptions for people and templates: who opens the file believes the stored ones. */
export interface FileReference {
  readonly $file: string;
  readonly name: string;
  readonly media_type: string;
  readonly size: number;
  readonly sha256: string;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** @returns the id of the file that a value refers to; null for any other value */
function readFileId(value: Json): string | null {
  if (!isObject(value)) return null;
  const id = value[FILE_KEY];
  return typeof id === 'string' && UUID.test(id) ? id.toLowerCase() : null;
}

const SHA256 = /^[\da-f]{64}$/;

/**
 * Reads a reference whose descriptions are complete, so that what they say can be compared with what is stored.
 * @returns null for a value that is no reference; `incomplete` for one without its name, type, size or digest
 */
export function readReference(value: Json): FileReference | 'incomplete' | null {
  const id = readFileId(value);
  if (id === null || !isObject(value)) return null;
  const { name, media_type: mediaType, size, sha256 } = value;
  if (typeof name !== 'string' || typeof mediaType !== 'string') return 'incomplete';
  if (typeof size !== 'number' || typeof sha256 !== 'string' || !SHA256.test(sha256)) return 'incomplete';
  return { $file: id, name, media_type: mediaType, size, sha256 };
}

/** Lists the ids of the files that a value refers to at any depth, each once. */
export function listFileIds(value: Json): string[] {
  const ids = new Set<string>();
  const open: Json[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const id = readFileId(next);
    if (id !== null) ids.add(id);
    for (const inner of Object.values(next))
      if (typeof inner === 'object' && inner !== null) open.push(inner);
  }
  return [...ids];
}
