/** Reads text and headings of a Word document: checks the archive and converts it to HTML without pictures. */
import mammoth from 'mammoth';
import { checkArchive } from './check-archive.ts';
import { readHtml } from './read-html.ts';
import type { ExtractedText } from './extracted-text.ts';
import { damaged, tooDeep } from './refusals.ts';

/** @throws ExtractionFailed as `checkArchive`, and `damaged`, `too_deep` */
export async function readDocx(bytes: Buffer): Promise<ExtractedText> {
  await checkArchive(bytes);
  return readHtml(await toHtml(bytes));
}

async function toHtml(buffer: Buffer): Promise<string> {
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer },
      {
        convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
        // A document may neither set style rules nor read files (CVE-2025-11849).
        includeEmbeddedStyleMap: false,
        externalFileAccess: false,
      },
    );
    return value;
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep();
    throw damaged('Word document');
  }
}
