/** Reads CSV (RFC 4180) in the dialects that programs write. */
import { CsvError, parse } from 'csv-parse/sync';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { ParseTask } from '../../../language/nodes/transformer/parse-config.ts';
import { ExtractionFailed } from '../extraction-port.ts';
import { MAX_ITEMS } from './limits.ts';
import { toItems } from './rows.ts';

const DELIMITERS = [',', ';', '\t', '|'];
/** The line by which Excel is told the delimiter. */
const SEPARATOR = /^sep=(.)\r?\n/i;
const MAX_LINE = 100_000;

type CsvTask = Pick<ParseTask, 'delimiter' | 'quote' | 'skip_rows' | 'header' | 'numbers'>;

/** Finds the line from which the delimiter is read. */
function findFirstLine(text: string, skipped: number): string {
  let from = 0;
  for (let count = 0; count < skipped && from !== -1; count += 1) {
    const end = text.indexOf('\n', from);
    from = end === -1 ? text.length : end + 1;
  }
  return /^[^\r\n]*/.exec(text.slice(from, from + MAX_LINE).trimStart())?.[0] ?? '';
}

function guessDelimiter(line: string, quote: string): string {
  const bare = line.replaceAll(quote === '"' ? /"[^"]*"/g : /'[^']*'/g, '');
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** @throws ExtractionFailed `invalid_csv`, and what `toItems` throws */
export function parseCsv(given: string, task: CsvTask): JsonObject {
  const [line = '', separator] = SEPARATOR.exec(given) ?? [];
  const text = given.slice(line.length);
  const { skip_rows: skipped } = task;
  const quote = task.quote === 'double' ? '"' : "'";
  const delimiter =
    task.delimiter === 'auto'
      ? (separator ?? guessDelimiter(findFirstLine(text, skipped), quote))
      : task.delimiter;
  try {
    const rows: string[][] = parse(text, {
      delimiter,
      quote,
      escape: quote,
      record_delimiter: ['\r\n', '\n', '\r'],
      from_line: skipped + 1,
      // The header, and one more than are accepted.
      to: MAX_ITEMS + 2,
      skip_empty_lines: true,
      relax_column_count: true,
      // Inches and nicknames stand in cells without quotation marks.
      relax_quotes: true,
    });
    return toItems(rows, task);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new ExtractionFailed('invalid_csv', `The CSV cannot be read: ${error.message.slice(0, 300)}`);
  }
}
