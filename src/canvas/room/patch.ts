/** RFC 6902 operations as the room writes them: add, remove and replace alone. */
import type { Json } from '../../graph/value.ts';

export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string };
