/** Reads a sheet of a workbook (ECMA-376): values as they were last calculated, dates as ISO 8601. */
import { posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { ParseTask } from '../../../language/nodes/transformer/parse-config.ts';
import { ExtractionFailed } from '../extraction-port.ts';
import { checkArchive } from '../extraction/check-archive.ts';
import { damaged } from '../extraction/refusals.ts';
import { toItems } from './rows.ts';
import { readSheetRows, readSharedTexts } from './sheet.ts';
import { readDateStyles } from './sheet-dates.ts';
import { readXmlTree, type XmlElement } from './xml-tree.ts';

const WORKBOOK = 'xl/workbook.xml';
const MAX_NAMES = 20;

type Parts = ReadonlyMap<string, Buffer>;

/** Unpacks the parts that may be read; the archive was checked before. */
async function unpack(bytes: Buffer): Promise<Parts> {
  const parts = new Map<string, Buffer>();
  const archive = await fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: true });
  for await (const entry of archive.eachEntry())
    if (/\.(?:xml|rels)$/i.test(entry.fileName))
      parts.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)));
  return parts;
}

/** Reads a part as text; null where it is missing. */
const readPart = (parts: Parts, name: string): string | null => parts.get(name)?.toString('utf8') ?? null;

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Lists all elements of a name, at any depth. */
function listAll(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) =>
    typeof child === 'string'
      ? []
      : [...(local(child.name) === name ? [child] : []), ...listAll(child, name)],
  );
}

/** The places of the parts that the workbook names, by their ids. */
function readRelations(parts: Parts): ReadonlyMap<string, string> {
  const text = readPart(parts, 'xl/_rels/workbook.xml.rels');
  const relations = text === null ? [] : listAll(readXmlTree(text, true), 'Relationship');
  return new Map(
    relations.map(({ attributes: { Id = '', Target = '' } }) => [
      Id,
      Target.startsWith('/') ? Target.slice(1) : posix.join('xl', Target),
    ]),
  );
}

interface Workbook {
  readonly sheets: readonly { readonly name: string; readonly part: string }[];
  /** Days are counted from 1904, as on old Macs. */
  readonly isFrom1904: boolean;
}

function readWorkbook(parts: Parts): Workbook {
  const text = readPart(parts, WORKBOOK);
  if (text === null) throw damaged('workbook');
  const root = readXmlTree(text, true);
  const relations = readRelations(parts);
  const sheets = listAll(root, 'sheet').map(({ attributes }) => {
    const [, id = ''] = Object.entries(attributes).find(([name]) => name.endsWith(':id')) ?? [];
    return { name: attributes['name'] ?? '', part: relations.get(id) ?? '' };
  });
  const [properties] = listAll(root, 'workbookPr');
  return { sheets, isFrom1904: /^(?:1|true)$/.test(properties?.attributes['date1904'] ?? '') };
}

function findSheet({ sheets }: Workbook, name: string | null): string {
  const found = name === null ? sheets[0] : sheets.find((sheet) => sheet.name === name);
  if (found !== undefined) return found.part;
  const names = sheets.slice(0, MAX_NAMES).map((sheet) => JSON.stringify(sheet.name));
  throw new ExtractionFailed(
    'not_found',
    `The workbook has no such sheet. Its sheets are ${names.join(', ')}`,
  );
}

/** @throws ExtractionFailed as `checkArchive` and `toItems`, `not_found` without the sheet, `damaged` */
export async function parseXlsx(
  bytes: Buffer,
  task: Pick<ParseTask, 'sheet' | 'skip_rows' | 'header' | 'numbers'>,
): Promise<JsonObject> {
  await checkArchive(bytes);
  const parts = await unpack(bytes);
  const workbook = readWorkbook(parts);
  const sheet = readPart(parts, findSheet(workbook, task.sheet));
  if (sheet === null) throw damaged('workbook');
  const texts = readSharedTexts(readPart(parts, 'xl/sharedStrings.xml') ?? '');
  const styles = readPart(parts, 'xl/styles.xml');
  const dates = readDateStyles(styles === null ? null : readXmlTree(styles, true), workbook.isFrom1904);
  return toItems(readSheetRows(sheet, { texts, dates, skipped: task.skip_rows }), task);
}
