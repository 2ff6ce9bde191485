/** Merges what is typed in a field with a colleague's text of it. */
import { sameJson, type Json } from '../../../language/graph/values/value.ts';
import { FORMATS, toText } from './formats.ts';
import type { Draft } from './kept-drafts.ts';

/** Loads the code that compares texts, which is not part of the editor's first load. */
export const loadMerge = () => import('../text/merge.ts');

/** Whether a person decides, and nothing is merged: of a deleted text, only what was added to it would be left. */
export const needsPerson = ({ format }: Draft, theirs: Json): boolean =>
  FORMATS[format].merging === 'never' || theirs === '';

/**
 * Merges a draft with the stored value.
 * @param read gives both as they are once the code is loaded; null when the field is not there any more
 * @returns the draft on top of the stored value, or with both versions when a person has to decide; null without a field
 * @throws when the code cannot be loaded
 */
export async function mergeTyped(
  read: () => { readonly draft: Draft; readonly stored: Json } | null,
): Promise<Draft | null> {
  const { mergeTexts } = await loadMerge();
  // Only now: both may have changed while the code was loaded.
  const both = read();
  if (both === null) return null;
  const { draft, stored } = both;
  // The colleague has taken it back meanwhile.
  if (sameJson(stored, draft.base)) return draft;
  const isApart = FORMATS[draft.format].merging === 'apart';
  const merged = needsPerson(draft, stored)
    ? null
    : mergeTexts(toText(draft.base), toText(draft.typed), toText(stored), isApart);
  if (merged === null) return { ...draft, theirs: stored };
  const { theirs: _theirs, ...rest } = draft;
  return { ...rest, typed: merged, base: stored, sent: [], tries: 0 };
}
