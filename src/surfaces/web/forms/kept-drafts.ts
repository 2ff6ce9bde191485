/** Drafts and lost texts that outlive the page: what is kept of each in the storage of the tab, and read back from there. */
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import type { KeptEntry } from '../kit/kept-state.ts';
import { isEntity, type Entity } from './entity.ts';
import { FORMATS, type FormatName } from './formats.ts';

/** A draft of which nothing is under way. */
export const UNSENT = {
  problem: null,
  isHeld: false,
  isSaved: false,
  isFocused: false,
  sent: [],
  opId: null,
  tries: 0,
  awaits: null,
} as const;

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
  /**
   * The opId of the last own edit that was under way when typing began: until it is answered, the confirmed value may be
   * older than `base`. Null where the confirmed value was what the page showed.
   */
  readonly awaits: string | null;
  /** After a reload: what was around the value before it (`buildPathSkeleton`), to find it again. */
  readonly outline?: Json | undefined;
}

/** The part of a draft that outlives its page. */
type KeptDraft = Omit<Draft, 'theirs' | keyof typeof UNSENT>;

/** A typed text whose place is gone: a colleague has deleted its node, or the entry of a list that it was in. */
export interface LostText {
  readonly key: string;
  readonly label: string;
  readonly typed: Json;
  /** The draft that it was, with what was around its value. */
  readonly from: KeptDraft;
  /** The deleted node or edge, and the edges of the node; null where the entity was not deleted. */
  readonly removed: { readonly element: JsonObject; readonly edges: readonly JsonObject[] } | null;
}

/** The drafts of a tab by field, and the texts that no field shows any more. */
interface KeptTexts {
  readonly drafts: Map<string, Draft>;
  readonly lost: readonly LostText[];
}

export const formatDraftKey = ({ entity, ptr }: Pick<DraftField, 'entity' | 'ptr'>): string =>
  `${entity}${ptr}`;

/** No entity begins so. */
export const formatLostKey = (number: number): string => `lost:${number}`;

export const pickKept = ({
  entity,
  ptr,
  label,
  format,
  typed,
  origin,
  base,
  outline,
}: KeptDraft): KeptDraft => ({ entity, ptr, label, format, typed, origin, base, outline });

/** Reads the node or edge that was deleted around a lost text. */
function readKeptRemoved(kept: Json | undefined): LostText['removed'] {
  const [element, edges] = [ownValue(kept ?? null, 'element'), ownValue(kept ?? null, 'edges')];
  if (!isObject(element)) return null;
  return { element, edges: Array.isArray(edges) ? edges.filter((edge) => isObject(edge)) : [] };
}

/** Keeps the newest texts for the next page of this tab, within a bound; lost ones first, which nothing else has. */
export function keepTexts(place: KeptEntry, drafts: Iterable<Draft>, lost: readonly LostText[]): void {
  const kept: object[] = [];
  let size = 0;
  const texts = [
    ...[...drafts].map(pickKept),
    ...lost.map(({ label, from, removed }) => ({ ...from, lost: label, removed })),
  ];
  for (const one of texts.toReversed()) {
    size += JSON.stringify(one).length;
    if (kept.length >= MAX_KEPT || size > MAX_KEPT_CHARACTERS) break;
    kept.unshift(one);
  }
  if (kept.length === 0) place.remove();
  else place.write(JSON.stringify(kept));
}

/** Reads the texts of this tab before it was loaded again, from a storage that anybody may have written. */
export function readKeptTexts(place: KeptEntry): KeptTexts {
  const drafts = new Map<string, Draft>();
  const lost: LostText[] = [];
  let kept: unknown;
  try {
    kept = JSON.parse(place.read() ?? '[]');
  } catch {
    return { drafts, lost };
  }
  for (const one of Array.isArray(kept) ? kept : []) {
    if (!isObject(one)) continue;
    const [entity, ptr, label, format] = ['entity', 'ptr', 'label', 'format'].map((key) =>
      ownValue(one, key),
    );
    const [typed = null, origin = null, base = null] = ['typed', 'origin', 'base'].map((key) =>
      ownValue(one, key),
    );
    if (typeof label !== 'string') continue;
    if (typeof entity !== 'string' || !isEntity(entity) || typeof ptr !== 'string') continue;
    if (typeof format !== 'string' || !Object.hasOwn(FORMATS, format)) continue;
    const field = { entity, ptr, label, format: format as FormatName };
    const from = { ...field, typed, origin, base, outline: ownValue(one, 'outline') };
    const lostLabel = ownValue(one, 'lost');
    if (typeof lostLabel === 'string')
      lost.push({
        key: formatLostKey(lost.length),
        label: lostLabel,
        typed,
        from,
        removed: readKeptRemoved(ownValue(one, 'removed')),
      });
    else drafts.set(formatDraftKey(field), { ...UNSENT, ...from });
  }
  return { drafts, lost };
}
