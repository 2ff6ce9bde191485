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
