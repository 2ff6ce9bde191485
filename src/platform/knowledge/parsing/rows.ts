/** Makes the items of a table of its rows: objects by the names of the first row, or lists. */
import { findLocale, parseLocal } from '../../../language/graph/filters/locale-numbers.ts';
import { isKept } from '../../../language/graph/values/exact-json.ts';
import { setOwn, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import type { ParseTask } from '../../../language/nodes/transformer/parse-config.ts';
import { MAX_COLUMNS, MAX_ITEMS, Tally, tooManyColumns, tooManyItems } from './limits.ts';

/** Of a cell without quotes, braces and commas in JSON. */
const CHARS_PER_CELL = 4;
/** `007` and `+49` are no amounts: numbers of customers, postal codes and telephones keep their text. */
const NEEDLESS = /^[+(]|^[-\u2212]?0\d/;
/** `A17` and `12 kg` are no numbers, though `parse_number` reads them where an author asks for it. */
const LETTER = /\p{L}/u;

/** Builds the reader of cells for a locale. */
function createCellReader(numbers: string | null): (cell: Json) => Json {
  const locale = numbers === null ? null : findLocale(numbers);
  return (cell) => {
    if (typeof cell !== 'string') return cell;
    const text = cell.trim();
    // No value, as in a sheet: sums leave it out.
    if (text === '') return null;
    if (locale === null || LETTER.test(text)) return cell;
    const digits = NEEDLESS.test(text) ? null : parseLocal(text, locale);
    if (digits === null) return cell;
    return isKept(digits) ? digits : Number(digits);
  };
}

/** Names the columns: those without a name by their place, and a name that is there already by its count. */
function readHeader(cells: readonly Json[]): string[] {
  const taken = new Set<string>();
  return cells.map((cell, at) => {
    const given = typeof cell === 'object' ? '' : String(cell).trim();
    const name = given === '' ? `column_${at + 1}` : given;
    let unique = name;
    for (let count = 2; taken.has(unique); count += 1) unique = `${name}_${count}`;
    taken.add(unique);
    return unique;
  });
}

const isEmpty = (cells: readonly Json[]): boolean => cells.every((cell) => cell === null || cell === '');

/**
 * Rows without any value are left out. A row that is longer than the header has `column_N` for the rest, a shorter one nulls.
 * @throws ExtractionFailed `too_many_items`, `too_many_columns`, `too_large`
 */
export function toItems(
  rows: Iterable<readonly Json[]>,
  { header: hasHeader, numbers }: Pick<ParseTask, 'header' | 'numbers'>,
): JsonObject {
  const readCell = createCellReader(numbers);
  const tally = new Tally();
  const items: Json[] = [];
  let header: string[] | null = null;
  for (const row of rows) {
    if (isEmpty(row)) continue;
    if (row.length > MAX_COLUMNS) throw tooManyColumns();
    if (hasHeader && header === null) {
      header = readHeader(row);
      continue;
    }
    if (items.length === MAX_ITEMS) throw tooManyItems();
    const cells = row.map(readCell);
    for (const cell of cells) tally.addChars(CHARS_PER_CELL + (typeof cell === 'string' ? cell.length : 0));
    if (header === null) {
      items.push(cells);
      continue;
    }
    for (let at = header.length; at < cells.length; at += 1) header.push(`column_${at + 1}`);
    const item: JsonObject = {};
    for (const [at, name] of header.entries()) {
      tally.addChars(CHARS_PER_CELL + name.length);
      setOwn(item, name, cells[at] ?? null);
    }
    items.push(item);
  }
  return { items, count: items.length };
}
