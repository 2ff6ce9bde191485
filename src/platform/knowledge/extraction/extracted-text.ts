/** The result of a reader: clean text with the offsets of its headings. */
import { cutText } from '../../../language/graph/values/cut-text.ts';

/** 10 MiB of text are about two million tokens; longer documents are rejected, not cut. */
export const MAX_TEXT_CHARACTERS = 10 * 1024 * 1024;
const MAX_TITLE_CHARACTERS = 200;

/** Marks a heading's line between a reader and `toExtractedText`; a noncharacter that never occurs in text. */
export const HEADING_MARK = '\uFDD0';

export interface Heading {
  readonly offset: number;
  readonly title: string;
}

export interface ExtractedText {
  readonly text: string;
  /** In the order of their offsets. */
  readonly headings: readonly Heading[];
}

/**
 * Cleans text for storage and embedding: one kind of line break, no control characters (PostgreSQL rejects NUL), no lone
 * surrogates, no runs of blanks, at most one empty line in a row.
 */
export function cleanText(text: string): string {
  return (
    text
      .replace(/^\uFEFF/, '')
      .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
      .replace(/[^\P{Cc}\t\n]|\p{Cs}/gu, '')
      // Long runs first, because the next pattern is quadratic in their length.
      .replace(/[^\S\n]{64,}/g, ' ')
      .replace(/[^\S\n]+$/gm, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  );
}

/** Joins a heading into one line of at most 200 characters. */
export function toTitle(text: string): string {
  return cutText(text.replace(/\s+/g, ' ').trim(), MAX_TITLE_CHARACTERS);
}

/** Cleans marked text and extracts its headings. */
export function toExtractedText(marked: string): ExtractedText {
  const headings: Heading[] = [];
  const parts: string[] = [];
  let offset = 0;
  for (const line of cleanText(marked).split('\n')) {
    const isHeading = line.startsWith(HEADING_MARK);
    const text = line.replaceAll(HEADING_MARK, '');
    const title = isHeading ? toTitle(text) : '';
    if (title !== '') headings.push({ offset, title });
    parts.push(text);
    offset += text.length + 1;
  }
  return { text: parts.join('\n'), headings };
}
