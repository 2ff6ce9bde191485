/** The mode `format`: writes values as CSV, as a table of HTML or Markdown, or as XML. */
import { NodeError, type NodeCall } from '../kind.ts';
import { nextTurn } from '../turn.ts';
import type { ConfigOf } from './config.ts';
import { createTableWriter } from './format-table.ts';
import { writeXml } from './format-xml.ts';
import { GrowingText } from './growing-text.ts';
import { readItems, type Transformed } from './items.ts';
import { readTable } from './table.ts';

type FormatConfig = ConfigOf<'format'>;

async function formatTable(call: NodeCall<unknown>, config: FormatConfig): Promise<string> {
  const { work } = call.patterns;
  const table = readTable(readItems(call, config.source, 'list'), config.columns, work);
  const text = new GrowingText(work);
  const writer = createTableWriter(config, text);
  writer.begin(table.header);
  for (const row of table.rows) {
    writer.addRow(row);
    if (work.isTurnOver) await nextTurn(work);
  }
  writer.end();
  return text.toString();
}

/** @throws NodeError `not_an_array`, `too_many_items`, `not_a_row`, `too_many_columns`, `not_xml` */
export async function formatText(call: NodeCall<unknown>, config: FormatConfig): Promise<Transformed> {
  if (config.format !== 'xml') return { output: { text: await formatTable(call, config) }, warnings: [] };
  const text = new GrowingText(call.patterns.work);
  const problem = writeXml(call.render(config.source), config.root, text);
  if (problem !== null) throw new NodeError('not_xml', problem);
  return { output: { text: text.toString() }, warnings: [] };
}
