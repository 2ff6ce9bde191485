/** Drafts that outlive the page: what is kept of each in the storage of the tab, and read back from there. */
import { isObject, ownValue, type Json } from '../../graph/value.ts';
import { isEntity, type Entity } from './entity.ts';
import { FORMATS, type FormatName } from './formats.ts';

const MAX_KEPT = 50;
const MAX_KEPT_CHARACTERS = 512 * 1024;

export interface DraftField {
  readonly entity: Entity;
  /** The pointer of the value inside its entity. */
  readonly ptr: string;
  readonly label: string;
  readonly format: FormatName;
}

export interface Draft extends DraftField {
  readonly typed: Json;
  /** The stored value when typing began. */
  readonly origin: Json;
  /** The stored value that `typed` was last merged with. */
  readonly base: Json;
  /** A colleague's version where both changed the same place; a person decides. */
  readonly theirs?: Json;
  /** The reason in words why it is not saved. */
  readonly problem: string | null;
  /** Waits for a colleague's lock. */
  readonly isHeld: boolean;
  readonly isSaved: boolean;
  readonly isFocused: boolean;
  /** Values on their way to the server. */
  readonly sent: readonly (Json | undefined)[];
  readonly opId: string | null;
  readonly tries: number;
  /** The value was created in this page, and the server has not confirmed that: `base` is what the page shows. */
  readonly awaitsCreation: boolean;
}

export const formatDraftKey = ({ entity, ptr }: Pick<DraftField, 'entity' | 'ptr'>): string =>
  `${entity}${ptr}`;

/** Keeps the newest drafts for the next page of this tab, within a bound. */
export function keepDrafts(storageKey: string, drafts: Iterable<Draft>): void {
  const kept: object[] = [];
  let size = 0;
  for (const { entity, ptr, label, format, typed, origin, base } of [...drafts].toReversed()) {
    const one = { entity, ptr, label, format, typed, origin, base };
    size += JSON.stringify(one).length;
    if (kept.length >= MAX_KEPT || size > MAX_KEPT_CHARACTERS) break;
    kept.unshift(one);
  }
  try {
    if (kept.length === 0) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify(kept));
  } catch {
    // A full storage costs what a crash of this tab would lose, and nothing else.
  }
}

/** Drafts of this tab before it was loaded again, read from a storage that anybody may have written. */
export function readKeptDrafts(storageKey: string): Map<string, Draft> {
  const drafts = new Map<string, Draft>();
  let kept: unknown;
  try {
    kept = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');
  } catch {
    return drafts;
  }
  for (const one of Array.isArray(kept) ? kept : []) {
    if (!isObject(one)) continue;
    const [entity, ptr, label, format] = ['entity', 'ptr', 'label', 'format'].map((key) =>
      ownValue(one, key),
    );
    if (typeof entity !== 'string' || !isEntity(entity)) continue;
    if (typeof ptr !== 'string' || typeof label !== 'string') continue;
    if (typeof format !== 'string' || !Object.hasOwn(FORMATS, format)) continue;
    const [typed = null, origin = null, base = null] = ['typed', 'origin', 'base'].map((key) =>
      ownValue(one, key),
    );
    const field = { entity, ptr, label, format: format as FormatName };
    const rest = {
      problem: null,
      isHeld: false,
      isSaved: false,
      isFocused: false,
      sent: [],
      opId: null,
      tries: 0,
      awaitsCreation: false,
    };
    drafts.set(formatDraftKey(field), { ...field, typed, origin, base, ...rest });
  }
  return drafts;
}
