/** Writes the rows of a table as CSV (RFC 4180), or as a table of HTML or Markdown (GitHub Flavored Markdown, section 4.10). */
import { readDecimal } from '../../graph/values/decimal.ts';
import { escapeHtml } from '../../graph/values/escape-html.ts';
import type { Json } from '../../graph/values/value.ts';
import type { ConfigOf } from './config.ts';
import type { GrowingText } from './growing-text.ts';

interface TableWriter {
  /** @param header null: the rows have no names */
  begin(header: readonly string[] | null): void;
  addRow(cells: readonly Json[]): void;
  end(): void;
}

type FormatConfig = ConfigOf<'format'>;

/** Lists and objects are JSON, as where a template inserts them. */
function toCellText(cell: Json): string {
  if (cell === null) return '';
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

/** The first character of what a spreadsheet takes for a formula, the full-width forms too. */
const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

function createCsvWriter(
  { delimiter, decimal, formulas, header: hasHeader }: FormatConfig,
  text: GrowingText,
): TableWriter {
  const write = (cell: Json): string => {
    if (typeof cell === 'number') return String(cell).replace('.', decimal);
    const written = toCellText(cell);
    // A number below zero is none, and people calculate with it.
    const isFormula = formulas === 'escape' && FORMULA.test(written) && readDecimal(written) === null;
    return isFormula ? `'${written}` : written;
  };
  const quote = (cell: string): string =>
    cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const addRow = (cells: readonly Json[]): void => {
    for (const [at, cell] of cells.entries()) text.add((at === 0 ? '' : delimiter) + quote(write(cell)));
    // A line without any character would be no row.
    text.add(cells.length === 1 && write(cells[0] ?? null) === '' ? '""\r\n' : '\r\n');
  };
  return {
    begin: (header) => {
      if (header !== null && hasHeader) addRow([...header]);
    },
    addRow,
    end: () => undefined,
  };
}

const toHtml = (text: string): string => escapeHtml(text).replaceAll(/\r\n|[\r\n]/g, '<br>');

function createHtmlWriter(text: GrowingText): TableWriter {
  const writeRow = (tag: 'td' | 'th', cells: readonly Json[]): void => {
    text.add('<tr>');
    for (const cell of cells) text.add(`<${tag}>${toHtml(toCellText(cell))}</${tag}>`);
    text.add('</tr>\n');
  };
  return {
    begin: (header) => {
      text.add('<table>\n');
      if (header !== null) {
        text.add('<thead>\n');
        writeRow('th', [...header]);
        text.add('</thead>\n');
      }
      text.add('<tbody>\n');
    },
    addRow: (cells) => writeRow('td', cells),
    end: () => text.add('</tbody>\n</table>\n'),
  };
}

/** Escapes the signs of markup inside of a line; at its beginning stands the bar of the table. */
const escapeMarkdown = (text: string): string =>
  text.replaceAll(/[\\`*_[\]<>|~&]/g, String.raw`\$&`).replaceAll(/\r\n|[\r\n]/g, '<br>');

function createMarkdownWriter(text: GrowingText): TableWriter {
  let isHeadless = false;
  const writeRow = (cells: readonly Json[]): void => {
    text.add('|');
    for (const cell of cells) text.add(` ${escapeMarkdown(toCellText(cell))} |`);
    text.add('\n');
  };
  const writeHeader = (cells: readonly Json[]): void => {
    writeRow(cells);
    text.add(`|${' --- |'.repeat(cells.length)}\n`);
  };
  return {
    begin: (header) => {
      if (header === null) isHeadless = true;
      else writeHeader([...header]);
    },
    addRow: (cells) => {
      // A table of Markdown has a header: of rows without names it is the first one.
      if (isHeadless) writeHeader(cells);
      else writeRow(cells);
      isHeadless = false;
    },
    end: () => undefined,
  };
}

export function createTableWriter(config: FormatConfig, text: GrowingText): TableWriter {
  if (config.format === 'csv') return createCsvWriter(config, text);
  return config.format === 'html' ? createHtmlWriter(text) : createMarkdownWriter(text);
}
