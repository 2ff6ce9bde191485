/** What a document is, told by its bytes. A name decides only between kinds of text, which bytes cannot tell apart. */
import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';
import type { DocumentType } from '../extraction-port.ts';

/** Enough for a preamble of comments before the first element. */
const HEAD_BYTES = 4_096;
const HTML_HEAD = /^(?:\s|<!--.*?-->|<\?xml[^>]*>)*<(?:!doctype\s+html|html|head|body)[\s>]/is;
const HTML_NAMES = new Set(['.html', '.htm', '.xhtml']);
const MARKDOWN_NAMES = new Set(['.md', '.markdown', '.mdown']);

/** An Office archive is one by its list of content types; a Word document by where its text lies. */
function isWordArchive(bytes: Buffer): boolean {
  return bytes.includes('[Content_Types].xml') && bytes.includes('word/document.xml');
}

/**
 * Takes a document and its name. The first bytes decide before all else, so a name never makes something a PDF, and
 * whatever holds a NUL or is no UTF-8 is no text.
 * @returns its type, or undefined for what is not read
 */
export function sniff(document: Uint8Array, fileName: string): DocumentType | undefined {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  const magic = bytes.toString('latin1', 0, 5);
  if (magic === '%PDF-') return 'pdf';
  if (magic.startsWith('PK\u0003\u0004')) return isWordArchive(bytes) ? 'docx' : undefined;
  if (bytes.includes(0) || !isUtf8(bytes)) return undefined;
  const extension = extname(fileName).toLowerCase();
  const head = bytes.toString('utf8', 0, HEAD_BYTES).replace(/^\uFEFF/, '');
  if (HTML_HEAD.test(head) || HTML_NAMES.has(extension)) return 'html';
  return MARKDOWN_NAMES.has(extension) ? 'markdown' : 'text';
}
