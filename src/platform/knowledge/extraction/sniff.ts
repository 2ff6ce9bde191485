/** Detects the type of a document by its bytes; the name decides only between kinds of text. */
import { extname } from 'node:path';
import { ExtractionFailed } from '../extraction-port.ts';
import type { DocumentType } from '../extraction-port.ts';
import { detectEncoding } from './encoding.ts';

/** Enough for a preamble of comments before the first element. */
const HEAD_BYTES = 4_096;
/** Bytes in which PDF readers search the header, because printers and mail add lines before it. */
const PDF_HEAD_BYTES = 1_024;
const PDF_HEAD = /%PDF-\d/;
const HTML_HEAD = /^(?:\s|<!--.*?-->|<\?xml[^>]*>)*<(?:!doctype\s+html|html|head|body)[\s>]/is;
const HTML_NAMES = new Set(['.html', '.htm', '.xhtml']);
const CSV_NAMES = new Set(['.csv', '.tsv']);
const MARKDOWN_NAMES = new Set(['.md', '.markdown', '.mdown']);
/** Word names the text part `document.xml`; other editors also `document2.xml`. */
const WORD_TEXT = /word\/document\d*\.xml/;
/** OLE: Word before 2007, and encrypted Office documents. */
const OLE_HEAD = 'd0cf11e0a1b11ae1';

/** The content types identify an Office archive; the path of its text part a Word document. */
function isWordArchive(bytes: Buffer): boolean {
  return bytes.includes('[Content_Types].xml') && WORD_TEXT.test(bytes.toString('latin1'));
}

/** True for a PDF header at the start or after other bytes. A text about PDFs is not one, unless its name says so. */
function isPdf(bytes: Buffer, extension: string): boolean {
  const head = bytes.toString('latin1', 0, PDF_HEAD_BYTES);
  const at = head.search(PDF_HEAD);
  if (at < 0) return head.startsWith('%PDF-');
  const before = bytes.toString('utf8', 0, at).replace(/^\uFEFF/, '');
  if (before.trim() === '') return true;
  if (!bytes.includes('startxref')) return false;
  return extension === '.pdf' || detectEncoding(bytes) === null;
}

/**
 * Detects the type. Bytes take precedence over the name. Text must be UTF-8, UTF-16, or HTML with a declared encoding.
 * @returns undefined for an unsupported document
 */
export function sniff(document: Uint8Array, fileName: string): DocumentType | undefined {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  const extension = extname(fileName).toLowerCase();
  if (bytes.toString('latin1', 0, 4) === 'PK\u0003\u0004') return isWordArchive(bytes) ? 'docx' : undefined;
  if (isPdf(bytes, extension)) return 'pdf';
  const encoding = detectEncoding(bytes);
  if (encoding === null || encoding === 'unknown') return undefined;
  const head = new TextDecoder(encoding).decode(bytes.subarray(0, HEAD_BYTES), { stream: true });
  if (HTML_HEAD.test(head) || HTML_NAMES.has(extension)) return 'html';
  if (CSV_NAMES.has(extension)) return 'csv';
  return MARKDOWN_NAMES.has(extension) ? 'markdown' : 'text';
}

/** Explains why a document is unsupported. */
export function explainRefusal(document: Uint8Array): ExtractionFailed {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  if (bytes.toString('hex', 0, 8) === OLE_HEAD) {
    const message =
      'This is an Office document from before 2007 or an encrypted one: save it as DOCX without a password';
    return new ExtractionFailed('old_word', message);
  }
  if (detectEncoding(bytes) === 'unknown') {
    const message = 'The text is neither UTF-8 nor UTF-16: save it as UTF-8';
    return new ExtractionFailed('unknown_encoding', message);
  }
  return new ExtractionFailed('unsupported_type', 'Only text, Markdown, HTML, PDF and DOCX can be read');
}
