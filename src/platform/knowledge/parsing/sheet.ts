/** Reads the cells of a sheet one after the other: a tree of them would take a hundred times their size. */
import { Parser } from 'htmlparser2';
import type { Json } from '../../../language/graph/values/value.ts';
import { damaged } from '../extraction/refusals.ts';
import { MAX_COLUMNS, MAX_ITEMS, Tally, tooManyColumns, tooManyItems } from './limits.ts';
import type { DateStyles } from './sheet-dates.ts';

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/** A character that XML cannot hold is written as `_x000D_`. */
const unescapeText = (text: string): string =>
  text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

/** Reads the texts that cells share, without the readings of Japanese ones. @throws ExtractionFailed `too_large` */
export function readSharedTexts(xml: string): readonly string[] {
  const texts: string[] = [];
  const tally = new Tally();
  let text = '';
  let isText = false;
  let isReading = false;
  const parser = new Parser(
    {
      onopentagname(name) {
        const tag = local(name);
        if (tag === 'si') text = '';
        else if (tag === 't') isText = true;
        else if (tag === 'rPh') isReading = true;
      },
      ontext(data) {
        if (isText && !isReading) text += data;
      },
      onclosetag(name) {
        const tag = local(name);
        if (tag === 't') isText = false;
        else if (tag === 'rPh') isReading = false;
        else if (tag === 'si') {
          tally.addPart();
          texts.push(unescapeText(text));
        }
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return texts;
}

const A = 'A'.charCodeAt(0);
const LETTERS = 26;

/** The column of a reference (`AB12`), from 0; null without one. */
function readColumn(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return null;
  return (
    Array.from(letters, (letter) => letter.charCodeAt(0) - A + 1).reduce(
      (sum, digit) => sum * LETTERS + digit,
      0,
    ) - 1
  );
}

interface Reading {
  readonly texts: readonly string[];
  readonly dates: DateStyles;
  /** Rows before this one are left out. */
  readonly skipped: number;
}

interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  value: string;
}

/** Reads the value of a cell (ECMA-376 part 1, 18.18.11). */
function readValue({ type, style, value }: Cell, { texts, dates }: Reading): Json {
  if (value === '') return null;
  if (type === 's') {
    const text = texts[Number(value)];
    if (text === undefined) throw damaged('workbook');
    return text;
  }
  if (type === 'b') return value === '1';
  if (type === 'str' || type === 'inlineStr') return unescapeText(value);
  // Errors (`#N/A`) and dates of ISO 8601 are what they say.
  if (type !== 'n') return value;
  const number = Number(value);
  return dates(style, number) ?? (Number.isFinite(number) ? number : value);
}

/** Rows without a cell are left out. @throws ExtractionFailed `too_many_items`, `too_many_columns`, `too_large`, `damaged` */
export function readSheetRows(xml: string, reading: Reading): readonly (readonly Json[])[] {
  const rows: Json[][] = [];
  const tally = new Tally();
  let row: Json[] = [];
  let number = 0;
  let cell: Cell | null = null;
  let isValue = false;
  let next = 0;
  const addCell = ({ column }: Cell, value: Json): void => {
    if (value === null) return;
    if (column >= MAX_COLUMNS) throw tooManyColumns();
    tally.addPart();
    while (row.length < column) row.push(null);
    row[column] = value;
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const tag = local(name);
        if (tag === 'row') {
          number = Number(attributes['r'] ?? number + 1);
          row = [];
          next = 0;
        } else if (tag === 'c') {
          const column = readColumn(attributes['r']) ?? next;
          next = column + 1;
          cell = { column, type: attributes['t'] ?? 'n', style: Number(attributes['s'] ?? 0), value: '' };
        } else if (tag === 'v' || tag === 't') isValue = true;
      },
      ontext(data) {
        if (isValue && cell !== null) cell.value += data;
      },
      onclosetag(name) {
        const tag = local(name);
        if (tag === 'v' || tag === 't') isValue = false;
        else if (tag === 'c' && cell !== null) {
          addCell(cell, readValue(cell, reading));
          cell = null;
        } else if (tag === 'row' && number > reading.skipped && row.length > 0) {
          if (rows.length > MAX_ITEMS) throw tooManyItems();
          rows.push(row);
        }
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return rows;
}
