/** Reads Markdown unchanged; a Markdown lexer finds the headings, so a `#` in a code block is not one. */
import { Lexer } from 'marked';
import { cleanText, toTitle } from './extracted-text.ts';
import type { Heading, ExtractedText } from './extracted-text.ts';

const INLINE_MARKS = /[*_`]|!?\[([^\]]*)\]\([^)]*\)/g;

/** Returns the text without headings when it overflows the lexer's stack. */
export function readMarkdown(source: string): ExtractedText {
  const text = cleanText(source);
  const headings: Heading[] = [];
  let offset = 0;
  try {
    for (const token of new Lexer().blockTokens(text, [])) {
      // The lexer changes some blanks, so the token is searched in the text.
      const at = text.indexOf(token.raw.trim(), offset);
      if (at < 0) continue;
      if (token.type === 'heading') {
        const title = toTitle(String(token['text']).replace(INLINE_MARKS, '$1'));
        if (title !== '') headings.push({ offset: at, title });
      }
      offset = at + token.raw.trim().length;
    }
  } catch (error) {
    // Thousands of nested quotations overflow the stack; the text is still useful.
    if (!(error instanceof RangeError)) throw error;
  }
  return { text, headings };
}
