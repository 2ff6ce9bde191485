/** Ids of new nodes, notes and groups. */
import type { CanvasDocument } from '../../../features/canvas/room/document.ts';
import { NODE_ID, RESERVED_NODE_IDS } from '../../../language/graph/definition/definition.ts';

/** Of a suggested id; longer ones are hard to read in templates. */
const MAX_SUGGESTED = 40;
/** Leaves room for a suffix of five digits in the 64 characters of an id. */
const MAX_BASE = 58;

/** Finds a free id like the wanted one: `draft`, `draft_2`, `draft_3`. */
export function findFreeId(wanted: string, taken: ReadonlySet<string>): string {
  const base = NODE_ID.test(wanted) ? wanted.replace(/_\d+$/, '') : 'node';
  const isFree = (id: string): boolean => !taken.has(id) && !RESERVED_NODE_IDS.has(id);
  if (isFree(base)) return base;
  for (let n = 2; ; n += 1) {
    const id = `${base.slice(0, MAX_BASE)}_${n}`;
    if (isFree(id)) return id;
  }
}

/** Suggests a free id from a name: `fetch_the_list` for `Fetch the list`; null for a name without letters. */
export function suggestId(document: CanvasDocument, name: string): string | null {
  const id = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, MAX_SUGGESTED)
    .replace(/_+$/, '');
  if (id === '' || RESERVED_NODE_IDS.has(id)) return null;
  return findFreeId(id, new Set(document.nodes.order));
}

/** Creates the id of a note or a group; no user sees it. */
export const createId = (prefix: string): string =>
  `${prefix}${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) ?? ''}`;
