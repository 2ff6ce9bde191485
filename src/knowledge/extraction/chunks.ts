/**
 * Cuts a text into chunks: as full as they may be, at the best edge in their later half, each beginning with the end of
 * the one before. The same text and configuration give the same chunks.
 */
import type { ChunkingConfig, ExtractedChunk } from '../extraction-port.ts';
import { atomsOf, EDGE } from './atoms.ts';
import type { Atoms } from './atoms.ts';
import type { Heading, Reading } from './reading.ts';
import { countTokens } from './tokens.ts';

/** A single character may cost four tokens; far below this bound a chunk says nothing. */
const MIN_CHUNK_SIZE = 16;

interface Cut {
  readonly text: string;
  readonly atoms: Atoms;
  readonly size: number;
  readonly overlap: number;
}

const sliceOf = ({ text, atoms }: Cut, from: number, to: number): string =>
  text.slice(atoms.offsets[from], atoms.offsets[to]).trim();
const costOf = ({ costs }: Atoms, from: number, to: number): number => (costs[to] ?? 0) - (costs[from] ?? 0);
const edgeAt = ({ edges, length }: Atoms, at: number): number =>
  at === length ? EDGE.heading : (edges[at] ?? EDGE.word);

/** Where the chunk ends that begins at `from`, when atoms up to `done` are in chunks already: after `done`, if it can. */
function endOf(cut: Cut, from: number, done: number): number {
  const { atoms, size } = cut;
  let full = from + 1;
  while (full < atoms.length && costOf(atoms, from, full + 1) <= size) full += 1;
  if (full === atoms.length) return full;
  const atLeast = (costOf(atoms, from, Math.max(from, done)) + size) / 2;
  let best = full;
  for (let at = full - 1; at > done && costOf(atoms, from, at) >= atLeast; at -= 1)
    if (edgeAt(atoms, at) > edgeAt(atoms, best)) best = at;
  return best;
}

/** Where the next chunk begins after one that ends at `end`: before it by the overlap, at a sentence or a word. */
function overlapFrom({ atoms, overlap, size }: Cut, from: number, end: number): number {
  if (edgeAt(atoms, end) === EDGE.heading) return end;
  let earliest = end;
  while (earliest > from + 1 && costOf(atoms, earliest - 1, end) <= overlap) {
    earliest -= 1;
    // What stands above a heading belongs to another subject.
    if (edgeAt(atoms, earliest) === EDGE.heading) break;
  }
  while (earliest < end && costOf(atoms, earliest, end + 1) > size) earliest += 1;
  for (const wanted of [EDGE.sentence, EDGE.blank])
    for (let at = earliest; at < end; at += 1) if (edgeAt(atoms, at) >= wanted) return at;
  return earliest;
}

function headingAbove(headings: readonly Heading[], offset: number): string | undefined {
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
 * Takes a document's clean text and how it is to be cut. An overlap above half a chunk counts as half.
 * @returns chunks of at most `chunkSize` tokens which together hold every character that is no blank
 * @throws RangeError for a size below 16 tokens, which characters could exceed
 */
export function chunksOf({ text, headings }: Reading, chunking: ChunkingConfig): ExtractedChunk[] {
  const { chunkSize: size, chunkOverlap } = chunking;
  if (!(size >= MIN_CHUNK_SIZE)) throw new RangeError(`a chunk has at least ${MIN_CHUNK_SIZE} tokens`);
  const overlap = Math.max(0, Math.min(chunkOverlap, Math.floor(size / 2)));
  const atoms = atomsOf(text, headings, size);
  const cut: Cut = { text, atoms, size, overlap };
  const chunks: ExtractedChunk[] = [];
  let from = 0;
  let done = 0;
  while (done < atoms.length) {
    let end = endOf(cut, from, done);
    let piece = sliceOf(cut, from, end);
    let tokens = countTokens(piece);
    // Atoms counted together may cost more than each alone, though hardly ever.
    for (; tokens > size && end > done + 1; tokens = countTokens(piece)) {
      end -= 1;
      piece = sliceOf(cut, from, end);
    }
    if (tokens > size) {
      // Still too much with one new atom: the overlap gives way.
      from += 1;
      continue;
    }
    const start = (atoms.offsets[from] ?? 0) + leadingBlanks(text, atoms.offsets[from] ?? 0);
    const heading = headingAbove(headings, start);
    chunks.push({ text: piece, tokens, position: chunks.length, ...(heading !== undefined && { heading }) });
    done = end;
    from = overlapFrom(cut, from, end);
  }
  return chunks;
}

function leadingBlanks(text: string, offset: number): number {
  let at = offset;
  while (/\s/.test(text.charAt(at))) at += 1;
  return at - offset;
}
