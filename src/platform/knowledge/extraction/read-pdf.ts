/** Reads the text of a PDF page by page; executes nothing in it and fetches nothing it refers to. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { getDocumentProxy } from 'unpdf';
import { MAX_TEXT_CHARACTERS, toExtractedText } from './extracted-text.ts';
import type { ExtractedText } from './extracted-text.ts';
import { damaged, encrypted, isAllocation, outOfMemory, tooLarge } from './refusals.ts';

export const MAX_PAGES = 2_000;
/** A PDF breaks lines at the page width; a line that continues in lower case is joined. */
const WRAPPED_LINE = /(?<=[\p{L},;])\n(?=\p{Ll})/gu;

/** Predefined CMaps, which fonts of Chinese, Japanese and Korean documents reference. */
const CMAPS = `${dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))}/cmaps/`;

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;

const toFailure = (error: unknown): Error => (isAllocation(error) ? outOfMemory() : damaged('PDF'));

async function open(bytes: Uint8Array): Promise<Document> {
  try {
    return await getDocumentProxy(bytes, {
      isEvalSupported: false,
      useSystemFonts: false,
      disableFontFace: true,
      enableXfa: false,
      cMapUrl: CMAPS,
      cMapPacked: true,
      // Only errors; warnings about fonts are noise.
      verbosity: 0,
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') throw encrypted('PDF');
    throw toFailure(error);
  }
}

async function readPage(document: Document, number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  const text = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
  page.cleanup();
  return text;
}

/**
 * @param bytes of the PDF; the call consumes them
 * @throws ExtractionFailed `damaged`, `encrypted`, `too_large`, `out_of_memory`
 */
export async function readPdf(bytes: Uint8Array): Promise<ExtractedText> {
  const document = await open(bytes);
  if (document.numPages > MAX_PAGES)
    throw tooLarge(`The PDF has ${document.numPages} pages. The limit is ${MAX_PAGES}`);
  const pages: string[] = [];
  let characters = 0;
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await readPage(document, number).catch((error: unknown) => {
      throw toFailure(error);
    });
    characters += page.length;
    if (characters > MAX_TEXT_CHARACTERS) throw tooLarge('The PDF has more than 10 MB of text');
    pages.push(page);
  }
  const { text, headings } = toExtractedText(pages.join('\n\n'));
  return { text: text.replace(WRAPPED_LINE, ' '), headings };
}
