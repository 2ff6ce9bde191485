/** Files of rows: JSON lines of `{key, value}`, and CSV with a column `key`. Read and written row by row, so that they may be of any length. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isRowKey } from '../../language/nodes/tool/row-request.ts';
import { parseExactJson } from '../../language/graph/values/exact-json.ts';
import { isObject, ownValue, type Json } from '../../language/graph/values/value.ts';
import { CommandError, EXIT } from './exit.ts';
import { jsonText } from './screen.ts';

type RowFormat = 'csv' | 'jsonl';

/** A row of a file, or the reason why a line has none. */
export type FileRow = { readonly line: number } & (
  | { readonly key: string; readonly value: Json }
  | { readonly problem: string }
);

/** Characters of a row of CSV. A value of the largest plan has 1 MiB. */
const MAX_RECORD = 8 * 1024 * 1024;
/** The one column of values that are JSON. */
const VALUE = 'value';
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,14})?$/;

/** Chooses the format by the end of a file's name. @throws CommandError for another one */
export function chooseFormat(path: string, given: string | undefined): RowFormat {
  const format = given ?? path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  if (format === 'csv') return format;
  if (format === 'jsonl' || format === 'ndjson') return 'jsonl';
  throw new CommandError('Say --format csv or --format jsonl', EXIT.usage);
}

function checkRow(line: number, key: unknown, value: Json | undefined): FileRow {
  if (typeof key !== 'string' || !isRowKey(key))
    return { line, problem: 'key: must be a text of 1 to 255 characters' };
  return value === undefined ? { line, problem: 'value: is required' } : { line, key, value };
}

function parseJson(text: string): Json | undefined {
  try {
    return parseExactJson(text) as Json;
  } catch {
    return undefined;
  }
}

async function* readJsonLines(input: NodeJS.ReadableStream): AsyncGenerator<FileRow> {
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    line += 1;
    if (text.trim() === '') continue;
    const row = parseJson(line === 1 ? text.replace(/^\uFEFF/, '') : text);
    if (!isObject(row)) yield { line, problem: 'is not a JSON object' };
    else yield checkRow(line, ownValue(row, 'key'), ownValue(row, 'value'));
  }
}

/** The value of a row of CSV: the JSON of the column `value`, or an object of the other columns. */
function readCells(record: Readonly<Record<string, string>>, hasNumbers: boolean): Json | undefined {
  const cells = Object.entries(record).filter(([name]) => name !== 'key');
  if (cells.length === 1 && cells[0]?.[0] === VALUE) return parseJson(cells[0][1]);
  const read = (cell: string): Json => {
    if (cell === '') return null;
    return hasNumbers && NUMBER.test(cell) ? Number(cell) : cell;
  };
  return Object.fromEntries(cells.map(([name, cell]) => [name, read(cell)]));
}

/** A record of CSV by the names of its columns. */
interface Parsed {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number };
}

async function* readCsv(input: NodeJS.ReadableStream, hasNumbers: boolean): AsyncGenerator<FileRow> {
  const { parse } = await import('csv-parse');
  const skipped: FileRow[] = [];
  const parser = parse({
    bom: true,
    columns: true,
    info: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD,
    // A broken record does not end the file.
    skip_records_with_error: true,
    on_skip(error) {
      if (error !== undefined) skipped.push({ line: Number(error['lines'] ?? 0), problem: error.message });
      return undefined;
    },
  });
  input.on('error', (error) => parser.destroy(error));
  input.pipe(parser);
  for await (const { record, info } of parser as AsyncIterable<Parsed>) {
    if (!Object.hasOwn(record, 'key')) throw new CommandError('The file has no column "key"', EXIT.usage);
    yield checkRow(info.lines, record['key'], readCells(record, hasNumbers));
    yield* skipped.splice(0);
  }
  yield* skipped;
}

/**
 * Reads the rows of a file.
 * @param path `-` for stdin
 * @param hasNumbers cells of CSV that are numbers become numbers
 */
export function readRowFile(path: string, format: RowFormat, hasNumbers: boolean): AsyncGenerator<FileRow> {
  const input = path === '-' ? process.stdin : createReadStream(path);
  return format === 'csv' ? readCsv(input, hasNumbers) : readJsonLines(input);
}

/** Quotes a cell (RFC 4180). A text that a spreadsheet would run as a formula begins with `'`. */
function writeCell(cell: Json | undefined): string {
  if (cell === undefined || cell === null) return '';
  const text = typeof cell === 'string' ? cell : jsonText(cell);
  const safe =
    typeof cell === 'string' && /^[=+\-@\t\r]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A row as a line of a file. @param fields columns of CSV beside the key; empty: one of the whole value, as JSON */
export function writeRow(
  { key, value }: { readonly key: string; readonly value: Json },
  format: RowFormat,
  fields: readonly string[],
): string {
  if (format === 'jsonl') return jsonText({ key, value });
  if (fields.length === 0) return [writeCell(key), `"${jsonText(value).replaceAll('"', '""')}"`].join(',');
  return [key, ...fields.map((field) => ownValue(value, field))].map(writeCell).join(',');
}

/** The first line of a file of CSV. */
export const writeHeader = (fields: readonly string[]): string =>
  ['key', ...(fields.length === 0 ? [VALUE] : fields)].map(writeCell).join(',');
