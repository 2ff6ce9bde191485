/** Splits a text into atoms (the smallest units of a chunk), each with its token count and the strength of its edge. */
import type { Heading } from './extracted-text.ts';
import { countTokens } from './tokens.ts';

/** Quality of a cut before an atom, from worst to best. */
export const EDGE = { word: 0, blank: 1, sentence: 2, line: 3, paragraph: 4, heading: 5 } as const;

/** An atom is up to 48 characters of a word with the blanks before it. */
const ATOM = /\s*(?:[^\s。！？]{1,48}[。！？]{0,8}|[。！？]{1,8})/gu;
const SENTENCE_END = /[.!?…][)\]"'”’»]{0,3}$/u;
const WIDE_SENTENCE_END = /[。！？]$/u;
/** A UTF-16 unit is at most three bytes of UTF-8, and a token is at least one byte. */
const MAX_TOKENS_PER_UNIT = 3;

export interface Atoms {
  readonly length: number;
  /** Start of each atom including its leading blanks, and the end of the last one. */
  readonly offsets: Uint32Array;
  /** Sum of the tokens of all atoms before this one. */
  readonly costs: Uint32Array;
  /** Quality of a cut before each atom, a value of `EDGE`. */
  readonly edges: Uint8Array;
}

function edgeBetween(before: string, atom: string, opensHeading: boolean): number {
  if (opensHeading) return EDGE.heading;
  const blanks = atom.slice(0, atom.length - atom.trimStart().length);
  const lines = blanks.split('\n').length - 1;
  if (lines > 1) return EDGE.paragraph;
  if (lines === 1) return EDGE.line;
  if (WIDE_SENTENCE_END.test(before)) return EDGE.sentence;
  if (blanks === '') return EDGE.word;
  return SENTENCE_END.test(before) ? EDGE.sentence : EDGE.blank;
}

/** @returns the atom, or its code points when it alone exceeds a chunk */
function splitAtom(atom: string, mostTokens: number): readonly string[] {
  if (atom.length * MAX_TOKENS_PER_UNIT <= mostTokens) return [atom];
  // A chunk of only this atom has no leading blanks, and a word may cost more tokens without them.
  const word = atom.trimStart();
  if (countTokens(word) <= mostTokens) return [atom];
  const blanks = atom.slice(0, atom.length - word.length);
  const [first = '', ...rest] = word;
  return [blanks + first, ...rest];
}

/** Splits clean text. @param mostTokens maximum tokens of an atom */
export function splitAtoms(text: string, headings: readonly Heading[], mostTokens: number): Atoms {
  const offsets: number[] = [];
  const costs: number[] = [0];
  const edges: number[] = [];
  let cost = 0;
  let before = '';
  let heading = 0;
  for (const { 0: atom, index } of text.matchAll(ATOM)) {
    let offset = index;
    const end = index + atom.length;
    const opensHeading = (headings[heading]?.offset ?? Infinity) < end;
    while ((headings[heading]?.offset ?? Infinity) < end) heading += 1;
    for (const [at, piece] of splitAtom(atom, mostTokens).entries()) {
      offsets.push(offset);
      edges.push(at === 0 ? edgeBetween(before, atom, opensHeading) : EDGE.word);
      offset += piece.length;
      cost += countTokens(piece);
      costs.push(cost);
    }
    before = atom;
  }
  const end = text.trimEnd().length;
  return {
    length: edges.length,
    offsets: Uint32Array.from([...offsets, end]),
    costs: Uint32Array.from(costs),
    edges: Uint8Array.from(edges),
  };
}
