/** The commands `tables import` and `tables export`. */
import type { Command } from 'commander';
import type { Body } from '../client/client.ts';
import type { Json } from '../../language/graph/values/value.ts';
import { CommandError, formatError } from './exit.ts';
import { chooseFormat, readRowFile, writeHeader, writeRow, type FileRow } from './row-files.ts';
import type { Session, Sessions } from './session.ts';

/** Rows that are sent at the same time. */
const CONCURRENT = 8;
/** Lines that are told; behind them the import goes on, and counts. */
const MAX_TOLD = 20;

interface ImportOptions {
  readonly format?: string;
  readonly numbers?: boolean;
}

interface ExportOptions {
  readonly format: string;
  readonly fields?: string;
}

/** Puts each row; a row that cannot be put is told with its line. @returns the rows that were put, and the lines that were not */
async function putRows(
  { client, screen }: Session,
  tableId: string,
  rows: AsyncGenerator<FileRow>,
): Promise<{ readonly put: number; readonly failed: number }> {
  const counts = { put: 0, failed: 0 };
  const tell = (line: number, problem: string): void => {
    counts.failed += 1;
    if (counts.failed <= MAX_TOLD) screen.note(`line ${line}: ${problem}`);
  };
  const lane = async (): Promise<void> => {
    for (;;) {
      const next = await rows.next();
      if (next.done === true) return;
      const row = next.value;
      if ('problem' in row) {
        tell(row.line, row.problem);
        continue;
      }
      const body = { value: row.value } as Body<'putTableRow'>;
      try {
        await client.tables.putRow({ tableId, key: row.key }, body);
        counts.put += 1;
      } catch (error) {
        tell(row.line, formatError(error));
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, lane));
  return counts;
}

/** @param findTable by its name or its id */
export function addRowFiles(
  tables: Command,
  sessions: Sessions,
  findTable: (session: Session, given: string) => Promise<string>,
): void {
  tables
    .command('import')
    .description('Put the rows of a file: JSON lines of {key, value}, or CSV with a column "key"')
    .argument('<table>', 'name or ID')
    .argument('<file>', 'file, or - for stdin')
    .option('--format <format>', 'csv or jsonl; by default the end of the name')
    .option('--numbers', 'cells of CSV that are numbers become numbers')
    .action(async (...[table, path, options, command]: [string, string, ImportOptions, Command]) => {
      const format = chooseFormat(path, options.format);
      const session = await sessions.open(command);
      const tableId = await findTable(session, table);
      const rows = readRowFile(path, format, options.numbers === true);
      const { put, failed } = await putRows(session, tableId, rows);
      if (session.isJson) session.screen.json({ put, failed });
      else session.screen.line(`Rows put: ${put}. Lines that failed: ${failed}.`);
      if (failed > 0) throw new CommandError('Some lines were not imported');
    });
  tables
    .command('export')
    .description('Print the rows of a table as JSON lines or CSV, which import reads')
    .argument('<table>', 'name or ID')
    .option('--format <format>', 'csv or jsonl', 'jsonl')
    .option('--fields <names>', 'fields of the values that are columns of CSV; by default the value as JSON')
    .action(async (table: string, options: ExportOptions, command: Command) => {
      const format = chooseFormat('', options.format);
      const session = await sessions.open(command);
      const tableId = await findTable(session, table);
      const fields = options.fields === undefined ? [] : options.fields.split(',');
      if (format === 'csv') session.screen.file(`${writeHeader(fields)}\r\n`);
      const end = format === 'csv' ? '\r\n' : '\n';
      for await (const { key, value } of session.client.tables.rows(tableId, { limit: 100 }))
        session.screen.file(writeRow({ key, value: value as Json }, format, fields) + end);
    });
}
