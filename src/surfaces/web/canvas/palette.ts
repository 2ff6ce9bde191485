/** The entries of the "Add node" menu: every type of node and its common uses, found by the words that people use for them. */
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { listFaces, sortByGroup } from '../../../language/nodes/faces.ts';
import type { KindStyle } from './kinds.ts';

export interface PaletteEntry extends KindStyle {
  /** The entry's name in the code. */
  readonly key: string;
  readonly keywords: string;
  /** Fields of the node beside its config. */
  readonly more?: JsonObject;
}

export const NOTE_KEY = 'note';
const NOTE_ENTRY: PaletteEntry = {
  key: NOTE_KEY,
  type: NOTE_KEY,
  label: 'Note',
  hint: 'Text on the canvas',
  color: 'yellow',
  icon: 'note',
  keywords: 'comment sticky text documentation annotation',
  config: {},
};

const TYPES = listFaces().map((face): PaletteEntry => ({ ...face, key: face.type }));
const PRESETS: readonly PaletteEntry[] = sortByGroup(
  listFaces().flatMap(({ type, group, color, presets = [] }) =>
    presets.map((preset) => ({ group, ...preset, type, color })),
  ),
);

export const PALETTE: readonly PaletteEntry[] = [...TYPES, ...PRESETS, NOTE_ENTRY];

/** Ranks an entry for the typed words; null when one of them is not found. */
function rankEntry({ label, hint, type, keywords }: PaletteEntry, typed: readonly string[]): number | null {
  const name = label.toLowerCase();
  const words = `${name} ${hint} ${type} ${keywords}`.toLowerCase();
  if (!typed.every((word) => words.includes(word))) return null;
  const [first = ''] = typed;
  if (name.startsWith(first)) return 0;
  if (name.includes(first)) return 1;
  return ` ${keywords}`.includes(` ${first}`) ? 2 : 3;
}

/** Finds the entries for a text: those with the text in their name first. @param more entries beside those of every canvas */
export function searchPalette(text: string, more: readonly PaletteEntry[] = []): readonly PaletteEntry[] {
  const typed = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = findEntries(typed, more);
  // A sentence such as "fetch a list" has words that no entry has: one of them is enough then.
  if (found.length > 0) return found;
  return [...new Set(typed.filter((word) => word.length > 2).flatMap((word) => findEntries([word], more)))];
}

function findEntries(typed: readonly string[], more: readonly PaletteEntry[]): readonly PaletteEntry[] {
  return [...PALETTE, ...more]
    .map((entry) => ({ entry, rank: rankEntry(entry, typed) }))
    .filter(({ rank }) => rank !== null)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ entry }) => entry);
}
