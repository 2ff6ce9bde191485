/** Workbooks built part by part, so that they can also be built wrong. */
import { zip, type ZipEntry } from '../../../../support/documents.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export interface Parts {
  /** The content of each sheet's `sheetData`, by its name. */
  readonly sheets: Readonly<Record<string, string>>;
  readonly shared?: string;
  readonly styles?: string;
  readonly properties?: string;
  readonly more?: readonly ZipEntry[];
  /** The sheets are not packed, so that long ones are no bombs. */
  readonly stored?: boolean;
}

/** Builds a workbook as Excel does. */
export function workbook({
  sheets,
  shared,
  styles,
  properties = '',
  more = [],
  stored = false,
}: Parts): Buffer {
  const names = Object.keys(sheets);
  const entries: ZipEntry[] = [
    {
      name: 'xl/workbook.xml',
      data: `<?xml version="1.0"?><workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr ${properties}/><sheets>${names
        .map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
        .join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: `<Relationships xmlns="x">${names
        .map((_, at) => `<Relationship Id="rId${at + 1}" Type="x" Target="worksheets/sheet${at + 1}.xml"/>`)
        .join('')}</Relationships>`,
    },
    ...names.map((name, at) => ({
      name: `xl/worksheets/sheet${at + 1}.xml`,
      data: `<worksheet xmlns="${MAIN}"><sheetData>${sheets[name] ?? ''}</sheetData></worksheet>`,
      stored,
    })),
    ...(shared === undefined ? [] : [{ name: 'xl/sharedStrings.xml', data: `<sst>${shared}</sst>` }]),
    ...(styles === undefined ? [] : [{ name: 'xl/styles.xml', data: `<styleSheet>${styles}</styleSheet>` }]),
    ...more,
  ];
  return zip(entries);
}
