/** A document would be read as another format than it has, because of its name (SPEC SEC-K09). */
import { expect, test } from 'vitest';
import { sniff } from '../../../../src/platform/knowledge/extraction/sniff.ts';
import { docx, docxIn, pdf, zip } from '../../../support/documents.ts';

const PDF = pdf('BT ET');
const DOCX = docx('');

test.each([
  ['a PDF', PDF, 'a.pdf', 'pdf'],
  ['a PDF under a wrong name', PDF, 'a.md', 'pdf'],
  ['a Word document', DOCX, 'a.docx', 'docx'],
  ['a Word document without a name of its own', DOCX, 'upload', 'docx'],
  ['text', Buffer.from('plain'), 'a.txt', 'text'],
  ['text without an extension', Buffer.from('plain'), 'README', 'text'],
  ['nothing at all', Buffer.from(''), 'a.txt', 'text'],
  ['text beyond ASCII', Buffer.from('Grüße, 世界 🙂'), 'a.txt', 'text'],
  ['text that calls itself a PDF', Buffer.from('plain'), 'a.pdf', 'text'],
  ['Markdown, by its name', Buffer.from('# Title'), 'A.MD', 'markdown'],
  ['HTML that calls itself a PDF', Buffer.from('<!DOCTYPE html><p>x'), 'a.pdf', 'html'],
  ['HTML behind a byte order mark and a comment', Buffer.from('\uFEFF <!-- c -->\n<HTML>'), 'a.txt', 'html'],
  ['a fragment of HTML, by its name', Buffer.from('<p>x</p>'), 'a.htm', 'html'],
  ['text that mentions HTML', Buffer.from('the <html> element'), 'a.txt', 'text'],
  ['a PDF that is an archive as well', Buffer.concat([PDF, DOCX]), 'a.docx', 'pdf'],
  ['a PDF behind other bytes', Buffer.concat([Buffer.from('\u001b%-12345X@PJL\n'), PDF]), 'a.pdf', 'pdf'],
  [
    'a PDF behind binary bytes, under a wrong name',
    Buffer.concat([Buffer.from([0, 1, 255]), PDF]),
    'a.md',
    'pdf',
  ],
  [
    'text that quotes a PDF',
    Buffer.from(`# How a PDF begins\n\n${PDF.toString('hex')} %PDF-1.7`),
    'a.md',
    'markdown',
  ],
  [
    'a PDF behind 1,024 bytes, which no reader looks at',
    Buffer.concat([Buffer.from('x'.repeat(1_025)), Buffer.from('%PDF-1.4\nstartxref\n%%EOF')]),
    'a.pdf',
    'text',
  ],
  ['a Word document whose text lies in another part', docxIn('document2.xml', ''), 'a.docx', 'docx'],
  ['UTF-16', Buffer.from('\uFEFFtext', 'utf16le'), 'a.txt', 'text'],
  ['UTF-16 of the other byte order', Buffer.from('\uFEFFtext', 'utf16le').swap16(), 'a.md', 'markdown'],
  ['UTF-16 without a mark', Buffer.from('a text that is long enough', 'utf16le'), 'a.txt', 'text'],
  ['HTML in UTF-16', Buffer.from('\uFEFF<!doctype html><p>x', 'utf16le'), 'a', 'html'],
  [
    'HTML in a code page that it names',
    Buffer.from('<!doctype html><meta charset=latin1><p>Grüße', 'latin1'),
    'a.txt',
    'html',
  ],
  ['an archive that is a PDF as well', Buffer.concat([DOCX, PDF]), 'a.pdf', 'docx'],
])('SEC-K09: %s', (_name, bytes, fileName, type) => {
  expect(sniff(bytes, fileName)).toBe(type);
});

test.each([
  ['an archive of something else', zip([{ name: 'a.txt', data: 'x' }]), 'a.docx'],
  [
    'a spreadsheet',
    zip([
      { name: '[Content_Types].xml', data: '' },
      { name: 'xl/workbook.xml', data: '' },
    ]),
    'a.docx',
  ],
  ['a program called Markdown', Buffer.from('MZ\u0090\u0000\u0003', 'latin1'), 'a.md'],
  ['ASCII with a NUL in it', Buffer.from('text\u0000text'), 'a.txt'],
  ['Latin-1', Buffer.from('Grüße', 'latin1'), 'a.txt'],
  ['HTML in a code page that it does not name', Buffer.from('<!doctype html><p>Grüße', 'latin1'), 'a.html'],
  ['HTML that names no code page', Buffer.from('<meta charset=klingon><p>Grüße', 'latin1'), 'a.html'],
  ['half a surrogate pair, as bytes', Buffer.from([0x61, 0xed, 0xa0, 0xbd]), 'a.txt'],
  ['an image', Buffer.from('89504e470d0a1a0a', 'hex'), 'a.txt'],
  ['an encrypted Office document', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'a.docx'],
])('SEC-K09: %s is not read', (_name, bytes, fileName) => {
  expect(sniff(bytes, fileName)).toBeUndefined();
});

test('a view into larger memory is read within its bounds', () => {
  const bytes = Buffer.concat([Buffer.from([0]), Buffer.from('text')]);
  expect(sniff(new Uint8Array(bytes.buffer, bytes.byteOffset + 1, 4), 'a.txt')).toBe('text');
});
