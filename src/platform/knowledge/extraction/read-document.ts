/** Reads a document and splits it into chunks: all the work of an extraction process. */
import { ExtractionFailed } from '../extraction-port.ts';
import type { ChunkingConfig, DocumentType, Extraction } from '../extraction-port.ts';
import { splitChunks } from './chunks.ts';
import { splitCsv } from './csv-chunks.ts';
import { decodeText } from './encoding.ts';
import { cleanText, MAX_TEXT_CHARACTERS } from './extracted-text.ts';
import type { ExtractedText } from './extracted-text.ts';
import { tooLarge } from './refusals.ts';

/** Loads only the needed reader: each is a large parser, and a process reads one document. */
async function read(bytes: Buffer, type: DocumentType): Promise<ExtractedText> {
  switch (type) {
    case 'text':
    case 'csv':
      return { text: cleanText(decodeText(bytes)), headings: [] };
    case 'markdown':
      return (await import('./read-markdown.ts')).readMarkdown(decodeText(bytes));
    case 'html':
      return (await import('./read-html.ts')).readHtml(decodeText(bytes));
    case 'pdf':
      return (await import('./read-pdf.ts')).readPdf(new Uint8Array(bytes));
    case 'docx':
      return (await import('./read-docx.ts')).readDocx(bytes);
  }
}

/**
 * @throws ExtractionFailed as the readers, `too_large` above 10 MB of text, `no_text` without text
 */
export async function readDocument(
  bytes: Buffer,
  type: DocumentType,
  chunking: ChunkingConfig,
): Promise<Extraction> {
  const reading = await read(bytes, type);
  const characters = reading.text.length;
  if (characters > MAX_TEXT_CHARACTERS) throw tooLarge('The document has more than 10 MB of text');
  if (characters === 0)
    throw new ExtractionFailed('no_text', 'The document has no text. Text in images is not recognized');
  const chunks = type === 'csv' ? splitCsv(reading.text, chunking) : splitChunks(reading, chunking);
  return { type, characters, tokens: chunks.reduce((sum, { tokens }) => sum + tokens, 0), chunks };
}
