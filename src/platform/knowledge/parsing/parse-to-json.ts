/** Reads one source into a value: all the work of a parsing process. */
import { requireBoundedDepth } from '../../../language/graph/values/storable.ts';
import { findForbiddenKey, type Json } from '../../../language/graph/values/value.ts';
import type { ParseTask } from '../../../language/nodes/transformer/parse-config.ts';
import { ExtractionFailed } from '../extraction-port.ts';
import { decodeBytes, detectEncoding } from '../extraction/encoding.ts';
import { tooDeep, tooLarge } from '../extraction/refusals.ts';

/** As much as an output of a node may have. */
const MAX_JSON_CHARS = 8 * 1024 * 1024;

/** @throws ExtractionFailed `unknown_charset` */
function decode(bytes: Buffer, { isText, charset }: ParseTask): string {
  if (isText) return bytes.toString('utf8').replace(/^\uFEFF/, '');
  const encoding = charset ?? detectEncoding(bytes) ?? 'unknown';
  if (encoding === 'unknown')
    throw new ExtractionFailed(
      'unknown_charset',
      'The file is no text in UTF-8, and does not say what it is: name its charset, such as windows-1252',
    );
  return decodeBytes(bytes, encoding);
}

/** Loads only the needed reader: a process reads one source. */
async function parse(bytes: Buffer, task: ParseTask): Promise<Json> {
  switch (task.format) {
    case 'csv':
      return (await import('./parse-csv.ts')).parseCsv(decode(bytes, task), task);
    case 'xlsx':
      return (await import('./parse-xlsx.ts')).parseXlsx(bytes, task);
    case 'xml':
      return (await import('./parse-xml.ts')).parseXml(decode(bytes, task), task);
    case 'feed':
      return (await import('./parse-feed.ts')).parseFeed(decode(bytes, task));
    case 'html':
      return (await import('./parse-html.ts')).parseHtml(decode(bytes, task), task);
    case 'html_table':
      return (await import('./parse-html.ts')).parseHtmlTable(decode(bytes, task), task);
    case 'yaml':
      return { data: (await import('./parse-yaml.ts')).parseYaml(decode(bytes, task)) };
    case 'front_matter':
      return (await import('./parse-yaml.ts')).parseFrontMatter(decode(bytes, task));
    case 'email':
      return (await import('./parse-email.ts')).parseEmail(bytes);
    case 'json':
      throw new Error('JSON is read by the worker');
  }
}

/**
 * @returns JSON of at most 8 MiB, 64 levels deep, without `__proto__` (SPEC SEC-P09)
 * @throws ExtractionFailed as the readers, `too_deep`, `too_large`, `forbidden_key`
 */
export async function parseToJson(bytes: Buffer, task: ParseTask): Promise<string> {
  const value = await parse(bytes, task);
  try {
    requireBoundedDepth(value);
  } catch {
    throw tooDeep();
  }
  if (findForbiddenKey(value) !== null)
    throw new ExtractionFailed('forbidden_key', 'The document has a name that is not allowed: __proto__');
  const text = JSON.stringify(value);
  if (text.length > MAX_JSON_CHARS) throw tooLarge(`The values are larger than ${MAX_JSON_CHARS} characters`);
  return text;
}
