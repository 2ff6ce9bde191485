/** Text and headings of HTML: what a person would read of it, without scripts, styles, pictures and addresses. */
import { compile } from 'html-to-text';
import type { FormatCallback } from 'html-to-text';
import { HEADING_MARK, readingOf } from './reading.ts';
import type { Reading } from './reading.ts';
import { tooDeep } from './refusals.ts';

/** More than an upload may have: beyond its own bound the converter would cut the document in silence. */
const MAX_INPUT_CHARACTERS = 128 * 1024 * 1024;
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const UNREAD = ['script', 'style', 'noscript', 'template', 'svg', 'img', 'iframe', 'object', 'title'];

const heading: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 });
  builder.addLiteral(HEADING_MARK);
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 2 });
};

/** Cells of a row stand on one line; tables drawn with blanks would be mostly blanks. */
const cell: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder);
  builder.addLiteral('\t');
};

const toText = compile({
  wordwrap: false,
  limits: { maxInputLength: MAX_INPUT_CHARACTERS },
  formatters: { heading, cell },
  selectors: [
    ...HEADINGS.map((selector) => ({ selector, format: 'heading' })),
    ...UNREAD.map((selector) => ({ selector, format: 'skip' })),
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'table', format: 'block' },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
  ],
});

/** Takes HTML. @throws ExtractionFailed `too_deep` where elements stand in each other by the thousands */
export function readHtml(html: string): Reading {
  try {
    return readingOf(toText(html));
  } catch (error) {
    // The converter calls itself for each level and overruns the stack.
    if (error instanceof RangeError) throw tooDeep();
    throw error;
  }
}
