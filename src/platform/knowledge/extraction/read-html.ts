/** Reads the visible text and headings of HTML, without scripts, styles, options, pictures and addresses. */
import { compile } from 'html-to-text';
import type { FormatCallback } from 'html-to-text';
import { HEADING_MARK, toExtractedText } from './extracted-text.ts';
import type { ExtractedText } from './extracted-text.ts';
import { tooDeep } from './refusals.ts';

/** Above the upload limit: the converter silently cuts a longer document. */
const MAX_INPUT_CHARACTERS = 128 * 1024 * 1024;
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
/** The options of a form are choices, not text: they would stand in a chunk as one glued word. */
const OPTIONS = ['select', 'datalist'];
const SKIPPED = [
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'img',
  'iframe',
  'object',
  'title',
  ...OPTIONS,
];
/**
 * Text that nobody sees is not found: it is stale, or written for models alone. Style sheets are not read: they hide tabs and folded
 * sections, too, which scripts show again.
 */
const HIDDEN = [
  '[hidden]',
  ...[':', ': ', ' :', ' : '].flatMap((colon) => [
    `[style*="display${colon}none" i]`,
    `[style*="visibility${colon}hidden" i]`,
  ]),
];
const HIDDEN_STYLE = /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

const heading: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 });
  builder.addLiteral(HEADING_MARK);
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 2 });
};

/** Word's limit; a span of a million columns would be a decompression bomb. */
const MAX_COLUMNS = 63;
/** HTML's own limit. */
const MAX_ROWS = 65_534;
const LAYOUT = new Set([...HEADINGS, 'table']);

type Element = Parameters<FormatCallback>[0];
type Builder = Parameters<FormatCallback>[2];

/** A layout table has headings or tables in its cells; it is read as blocks, not as rows. */
function isLayout(element: Element): boolean {
  const pending = [...element.children];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (LAYOUT.has(next.name ?? '')) return true;
    pending.push(...(next.children ?? []));
  }
  return false;
}

/** Rows and cells are read here, not by their selectors. */
function isHidden(element: Element): boolean {
  const { hidden, style } = (element.attribs ?? {}) as Record<string, string | undefined>;
  return hidden !== undefined || (style !== undefined && HIDDEN_STYLE.test(style));
}

function findRows(element: Element): Element[] {
  return element.children.flatMap((child) => {
    if (isHidden(child)) return [];
    if (child.name === 'tr') return [child];
    return ['thead', 'tbody', 'tfoot'].includes(child.name ?? '') ? findRows(child) : [];
  });
}

const findCells = (row: Element): Element[] =>
  row.children.filter((cell) => (cell.name === 'td' || cell.name === 'th') && !isHidden(cell));

function parseSpan(cell: Element, name: 'colspan' | 'rowspan', most: number): number {
  const span = Number((cell.attribs as Record<string, string> | undefined)?.[name]);
  return Number.isInteger(span) && span > 0 ? Math.min(span, most) : 1;
}

interface TableCell {
  readonly text: string;
  readonly colspan: number;
  readonly rowspan: number;
}

/** Formats one line per row with tabs between cells; the other places of a spanning cell are empty. */
function formatTable(rows: readonly (readonly TableCell[])[]): string {
  /** For each column, how many more rows a cell above covers. */
  const covered: number[] = [];
  const lines = rows.map((cells) => {
    const line: string[] = [];
    const skip = (): void => {
      for (; (covered[line.length] ?? 0) > 0; line.push(''))
        covered[line.length] = (covered[line.length] ?? 0) - 1;
    };
    for (const { text, colspan, rowspan } of cells) {
      skip();
      for (let at = 0; at < colspan; at += 1) {
        covered[line.length] = rowspan - 1;
        line.push(at === 0 ? text.replaceAll(/\s+/g, ' ').trim() : '');
      }
    }
    skip();
    return line.join('\t');
  });
  return lines.join('\n');
}

function formatRow(row: Element, walk: (nodes: Element[], builder: Builder) => void, builder: Builder): void {
  builder.openTableRow();
  for (const cell of findCells(row)) {
    builder.openTableCell();
    walk(cell.children, builder);
    builder.closeTableCell({
      colspan: parseSpan(cell, 'colspan', MAX_COLUMNS),
      rowspan: parseSpan(cell, 'rowspan', MAX_ROWS),
    });
  }
  builder.closeTableRow();
}

const table: FormatCallback = (element, walk, builder) => {
  if (isLayout(element)) {
    builder.openBlock({ leadingLineBreaks: 2 });
    walk(element.children, builder);
    builder.closeBlock({ trailingLineBreaks: 2 });
    return;
  }
  builder.openTable();
  for (const row of findRows(element)) formatRow(row, walk, builder);
  builder.closeTable({ tableToString: formatTable, leadingLineBreaks: 2, trailingLineBreaks: 2 });
};

const toText = compile({
  wordwrap: false,
  limits: { maxInputLength: MAX_INPUT_CHARACTERS },
  formatters: { heading, table },
  selectors: [
    ...HEADINGS.map((selector) => ({ selector, format: 'heading' })),
    ...[...SKIPPED, ...HIDDEN].map((selector) => ({ selector, format: 'skip' })),
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'table', format: 'table' },
    ...['tr', 'td', 'th'].map((selector) => ({ selector, format: 'block' })),
  ],
});

/** @throws ExtractionFailed `too_deep` for thousands of nested elements */
export function readHtml(html: string): ExtractedText {
  try {
    return toExtractedText(toText(html));
  } catch (error) {
    // The converter recurses per level and overflows the stack.
    if (error instanceof RangeError) throw tooDeep();
    throw error;
  }
}
