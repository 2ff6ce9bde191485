/** Ids of what is new on the canvas: those of nodes are made of a name, and free. */
import type { CanvasDocument } from '../../canvas/room/document.ts';
import { NODE_ID, RESERVED_NODE_IDS } from '../../graph/definition.ts';

const MAX_ID_LENGTH = 40;

/** Finds a free id that tells the node it is a copy of: `draft`, `draft_2`, `draft_3`. */
export function freeId(wanted: string, taken: ReadonlySet<string>): string {
  const base = NODE_ID.test(wanted) ? wanted.replace(/_\d+$/, '') : 'node';
  const isFree = (id: string): boolean => !taken.has(id) && !RESERVED_NODE_IDS.has(id);
  if (isFree(base)) return base;
  for (let n = 2; ; n += 1) {
    const id = `${base.slice(0, 58)}_${n}`;
    if (isFree(id)) return id;
  }
}

/** Suggests a free id made of a name: `Fetch the list` becomes `fetch_the_list`; null when it has no letters. */
export function suggestId(document: CanvasDocument, name: string): string | null {
  const id = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, MAX_ID_LENGTH)
    .replace(/_+$/, '');
  if (id === '' || RESERVED_NODE_IDS.has(id)) return null;
  return freeId(id, new Set(document.nodes.order));
}

/** Creates the id of a note or a group, which nobody reads. */
export const createId = (prefix: string): string =>
  `${prefix}${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) ?? ''}`;
