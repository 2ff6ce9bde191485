/** Markdown stays as it is written; its headings are found by its own grammar, so a `#` in a code block is none. */
import { Lexer } from 'marked';
import { cleanText, titleOf } from './reading.ts';
import type { Heading, Reading } from './reading.ts';

const INLINE_MARKS = /[*_`]|!?\[([^\]]*)\]\([^)]*\)/g;

/** Takes Markdown. Where its grammar is too much for the lexer the text comes without headings. */
export function readMarkdown(source: string): Reading {
  const text = cleanText(source);
  const headings: Heading[] = [];
  let offset = 0;
  try {
    for (const token of new Lexer().blockTokens(text, [])) {
      // The lexer rewrites a few blanks; what it saw is found again where it began.
      const at = text.indexOf(token.raw.trim(), offset);
      if (at < 0) continue;
      if (token.type === 'heading') {
        const title = titleOf(String(token['text']).replace(INLINE_MARKS, '$1'));
        if (title !== '') headings.push({ offset: at, title });
      }
      offset = at + token.raw.trim().length;
    }
  } catch (error) {
    // Quotations of quotations by the thousands overrun the stack; the text is worth having all the same.
    if (!(error instanceof RangeError)) throw error;
  }
  return { text, headings };
}
