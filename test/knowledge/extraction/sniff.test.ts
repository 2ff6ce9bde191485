/** What a document is taken for: by its bytes, whatever it is called (SPEC SEC-K09). */
import { expect, test } from 'vitest';
import { sniff } from '../../../src/knowledge/extraction/sniff.ts';
import { docx, pdf, zip } from '../../support/documents.ts';

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
  ['UTF-16', Buffer.from('\uFEFFtext', 'utf16le'), 'a.txt'],
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
