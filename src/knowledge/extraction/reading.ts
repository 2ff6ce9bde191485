/** A document read: clean text, and where its headings stand. Readers make it, the splitter takes it. */
import { cutText } from '../../graph/cut-text.ts';

/** Text of 10 MiB is some two million tokens: what is longer is refused rather than cut. */
export const MAX_TEXT_CHARACTERS = 10 * 1024 * 1024;
const MAX_TITLE_CHARACTERS = 200;

/** Stands before a heading's line between a reader and `readingOf`: a code point that text never holds. */
export const HEADING_MARK = '\uFDD0';

export interface Heading {
  readonly offset: number;
  readonly title: string;
}

export interface Reading {
  readonly text: string;
  /** In the order of their offsets. */
  readonly headings: readonly Heading[];
}

/**
 * Text as it may be stored and embedded: one kind of line break, no control characters (PostgreSQL refuses NUL), no
 * halves of surrogate pairs, no runs of blanks, at most one empty line in a row.
 */
export function cleanText(text: string): string {
  return (
    text
      .replace(/^\uFEFF/, '')
      .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
      .replace(/[^\P{Cc}\t\n]|\p{Cs}/gu, '')
      // First the long runs: the pattern after it takes the square of their length.
      .replace(/[^\S\n]{64,}/g, ' ')
      .replace(/[^\S\n]+$/gm, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  );
}

/** A heading's words on one line, at most so many of them. */
export function titleOf(text: string): string {
  return cutText(text.replace(/\s+/g, ' ').trim(), MAX_TITLE_CHARACTERS);
}

/** Takes text whose headings' lines begin with the mark, in whatever state of cleanliness. */
export function readingOf(marked: string): Reading {
  const headings: Heading[] = [];
  const parts: string[] = [];
  let offset = 0;
  for (const line of cleanText(marked).split('\n')) {
    const isHeading = line.startsWith(HEADING_MARK);
    const text = line.replaceAll(HEADING_MARK, '');
    const title = isHeading ? titleOf(text) : '';
    if (title !== '') headings.push({ offset, title });
    parts.push(text);
    offset += text.length + 1;
  }
  return { text: parts.join('\n'), headings };
}
