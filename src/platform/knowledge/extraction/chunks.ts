/**
 * Splits a text into chunks: as large as allowed, cut at the best edge in the second half, each overlapping the previous
 * one. The result is deterministic.
 */
import type { ChunkingConfig, ExtractedChunk } from '../extraction-port.ts';
import { EDGE, splitAtoms } from './atoms.ts';
import type { Atoms } from './atoms.ts';
import type { Heading, ExtractedText } from './extracted-text.ts';
import { countTokens } from './tokens.ts';

/** One character may cost four tokens, so smaller sizes are not always possible. */
const MIN_CHUNK_SIZE = 16;

interface Splitting {
  readonly text: string;
  readonly atoms: Atoms;
  readonly size: number;
  readonly overlap: number;
}

const sliceAtoms = ({ text, atoms }: Splitting, from: number, to: number): string =>
  text.slice(atoms.offsets[from], atoms.offsets[to]).trim();
const sumTokens = ({ costs }: Atoms, from: number, to: number): number =>
  (costs[to] ?? 0) - (costs[from] ?? 0);
const edgeAt = ({ edges, length }: Atoms, at: number): number =>
  at === length ? EDGE.heading : (edges[at] ?? EDGE.word);

/** @returns the end of the chunk that starts at `from`, if possible after `done`, the atoms that are in chunks already */
function findEnd(cut: Splitting, from: number, done: number): number {
  const { atoms, size } = cut;
  let full = from + 1;
  while (full < atoms.length && sumTokens(atoms, from, full + 1) <= size) full += 1;
  if (full === atoms.length) return full;
  const atLeast = (sumTokens(atoms, from, Math.max(from, done)) + size) / 2;
  let best = full;
  for (let at = full - 1; at > done && sumTokens(atoms, from, at) >= atLeast; at -= 1)
    if (edgeAt(atoms, at) > edgeAt(atoms, best)) best = at;
  return best;
}

/** @returns the start of the chunk after `end`: earlier by the overlap, at a sentence or a word */
function findOverlapStart({ atoms, overlap, size }: Splitting, from: number, end: number): number {
  if (edgeAt(atoms, end) === EDGE.heading) return end;
  let earliest = end;
  while (earliest > from + 1 && sumTokens(atoms, earliest - 1, end) <= overlap) {
    earliest -= 1;
    // Text above a heading belongs to another subject.
    if (edgeAt(atoms, earliest) === EDGE.heading) break;
  }
  while (earliest < end && sumTokens(atoms, earliest, end + 1) > size) earliest += 1;
  for (const wanted of [EDGE.sentence, EDGE.blank])
    for (let at = earliest; at < end; at += 1) if (edgeAt(atoms, at) >= wanted) return at;
  return earliest;
}

function findHeadingAbove(headings: readonly Heading[], offset: number): string | undefined {
  let low = 0;
  let high = headings.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((headings[middle]?.offset ?? Infinity) <= offset) low = middle + 1;
    else high = middle;
  }
  return headings[low - 1]?.title;
}

/**
 * Splits clean text. An overlap of more than half a chunk counts as half.
 * @returns chunks of at most `chunkSize` tokens that together contain every non-blank character
 * @throws RangeError for a size below 16 tokens
 */
export function splitChunks({ text, headings }: ExtractedText, chunking: ChunkingConfig): ExtractedChunk[] {
  const { chunkSize: size, chunkOverlap } = chunking;
  if (!(size >= MIN_CHUNK_SIZE)) throw new RangeError(`a chunk has at least ${MIN_CHUNK_SIZE} tokens`);
  const overlap = Math.max(0, Math.min(chunkOverlap, Math.floor(size / 2)));
  const atoms = splitAtoms(text, headings, size);
  const cut: Splitting = { text, atoms, size, overlap };
  const chunks: ExtractedChunk[] = [];
  let from = 0;
  let done = 0;
  while (done < atoms.length) {
    let end = findEnd(cut, from, done);
    let piece = sliceAtoms(cut, from, end);
    let tokens = countTokens(piece);
    // A joined text may rarely cost more tokens than the sum of its atoms.
    for (; tokens > size && end > done + 1; tokens = countTokens(piece)) {
      end -= 1;
      piece = sliceAtoms(cut, from, end);
    }
    if (tokens > size) {
      // Too large with one new atom, so the overlap shrinks.
      from += 1;
      continue;
    }
    const start = (atoms.offsets[from] ?? 0) + countLeadingBlanks(text, atoms.offsets[from] ?? 0);
    const heading = findHeadingAbove(headings, start);
    chunks.push({ text: piece, tokens, position: chunks.length, ...(heading !== undefined && { heading }) });
    done = end;
    from = findOverlapStart(cut, from, end);
  }
  return chunks;
}

function countLeadingBlanks(text: string, offset: number): number {
  let at = offset;
  while (/\s/.test(text.charAt(at))) at += 1;
  return at - offset;
}
