/** Documents built byte by byte, so that they can also be built wrong: PDFs, archives, Word documents. */
import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly data: Buffer | string;
  /** What the headers say that the entry unpacks to, in place of the truth. */
  readonly claimedBytes?: number;
  readonly encrypted?: boolean;
  readonly stored?: boolean;
}

function headersOf(entry: ZipEntry, packed: Buffer, offset: number): { local: Buffer; central: Buffer } {
  const name = Buffer.from(entry.name);
  const data = Buffer.from(entry.data);
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(20, 0);
  facts.writeUInt16LE(entry.encrypted === true ? 1 : 0, 2);
  facts.writeUInt16LE(entry.stored === true ? 0 : 8, 4);
  facts.writeUInt32LE(crc32(data), 10);
  facts.writeUInt32LE(packed.length, 14);
  facts.writeUInt32LE(entry.claimedBytes ?? data.length, 18);
  facts.writeUInt16LE(name.length, 22);
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(offset, 10);
  return {
    local: Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), facts, name]),
    central: Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), facts, tail, name]),
  };
}

/** An archive of these entries, headers as they are said to be. */
export function zip(entries: readonly ZipEntry[], comment = ''): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const packed = entry.stored === true ? Buffer.from(entry.data) : deflateRawSync(entry.data);
    const { local, central } = headersOf(entry, packed, offset);
    locals.push(local, packed);
    centrals.push(central);
    offset += local.length + packed.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...locals, directory, end, Buffer.from(comment, 'latin1')]);
}

const CONTENT_TYPES = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>
</Types>`;
const RELATIONS = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>
</Relationships>`;
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

export const wordParagraph = (text: string, style?: string): string =>
  `<w:p>${style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

/** The text of a Word document around a body of paragraphs. */
export const wordXml = (body: string, prologue = ''): string =>
  `<?xml version="1.0"?>${prologue}<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`;

/** The entries that make an archive a Word document, and these besides. */
export const wordEntries = (xml: string, more: readonly ZipEntry[] = []): ZipEntry[] => [
  { name: '[Content_Types].xml', data: CONTENT_TYPES },
  { name: '_rels/.rels', data: RELATIONS },
  { name: 'word/document.xml', data: xml },
  ...more,
];

export const docx = (body: string): Buffer => zip(wordEntries(wordXml(body)));

/** A Word document whose text lies in a part of this name, as other editors than Word call it. */
export const docxIn = (part: string, body: string): Buffer =>
  zip(
    wordEntries(wordXml(body)).map(({ name, data }) => ({
      name: name.replace('document.xml', part),
      data: String(data).replaceAll('document.xml', part),
    })),
  );

/** A table; each cell is its properties and its paragraphs. */
export const wordTable = (...rows: readonly (readonly string[])[]): string => {
  const cell = (inner: string): string =>
    `<w:tc>${inner.includes('<w:p>') ? inner : `${inner}<w:p/>`}</w:tc>`;
  const row = (cells: readonly string[]): string => `<w:tr>${cells.map(cell).join('')}</w:tr>`;
  return `<w:tbl>${rows.map(row).join('')}</w:tbl>`;
};

/** What a page shows, as its content stream. */
export const pdfText = (...lines: readonly string[]): string =>
  `BT /F1 12 Tf 72 720 Td ${lines.map((line) => `(${line}) Tj 0 -14 Td`).join(' ')} ET`;

export interface PdfOptions {
  /** The one page is shown so many times. */
  readonly pages?: number;
  /** Entries of the catalog and of the trailer. */
  readonly catalog?: string;
  readonly trailer?: string;
  /** The list of pages in place of the right one. */
  readonly kids?: string;
  /** The font of the text in place of Helvetica. */
  readonly font?: string;
}

/** A font whose codes a predefined CMap gives their meaning, and which is not in the document: as CJK PDFs have them. */
export const cjkFont = (cmap: string, ordering: string): string =>
  `<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /${cmap} /DescendantFonts [<< /Type /Font
   /Subtype /CIDFontType0 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 0 >>
   /FontDescriptor << /Type /FontDescriptor /FontName /X /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0
   /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >> >>] >>`;

/** A PDF whose page has this content. */
export function pdf(content: string | Buffer, options: PdfOptions = {}): Buffer {
  const stream = deflateSync(content);
  const { pages = 1 } = options;
  const bodies: (readonly (string | Buffer)[])[] = [
    [`<< /Type /Catalog /Pages 2 0 R ${options.catalog ?? ''} >>`],
    [`<< /Type /Pages /Kids [${options.kids ?? '3 0 R '.repeat(pages)}] /Count ${pages} >>`],
    [
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    ],
    [`<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`, stream, '\nendstream'],
    [options.font ?? '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
  ];
  const parts = [Buffer.from('%PDF-1.4\n')];
  let length = parts[0]!.length;
  const places = bodies.map((body, at) => {
    const place = length;
    const object = Buffer.concat(
      [`${at + 1} 0 obj\n`, ...body, '\nendobj\n'].map((part) => Buffer.from(part)),
    );
    parts.push(object);
    length += object.length;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 6\n0000000000 65535 f \n${places.join('')}`;
  const trailer = `trailer\n<< /Size 6 /Root 1 0 R ${options.trailer ?? ''} >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(table + trailer)]);
}
