/** The body formats of HTTP tools: reads the format from the content type and checks bodies against it. */
import { readJsonTemplate } from '../../graph/template/json-template.ts';
import { isOneTemplate } from '../../graph/template/template-scanner.ts';
import type { Json } from '../../graph/values/value.ts';
import { isObject } from '../../graph/values/value.ts';
import { readXmlTemplate } from './xml-body.ts';

/** `json_lines`: one JSON value per line. `plain`: any other text. */
export type BodyFormat = 'json' | 'json_lines' | 'form' | 'multipart' | 'xml' | 'plain';

const JSON_LINES = /^application\/(?:x-)?(?:ndjson|jsonl|json-lines|jsonlines)$/;

/** Reads the format of a content type. */
export function readFormat(contentType: string): BodyFormat {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (JSON_LINES.test(type)) return 'json_lines';
  if (/[/+]json\b/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type.startsWith('multipart/')) return 'multipart';
  return type.endsWith('/xml') || type.endsWith('+xml') ? 'xml' : 'plain';
}

const isForm = (contentType: string): boolean => /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType);

/** Splits JSON lines; leaves out blank ones. */
export const splitJsonLines = (text: string): string[] =>
  text.split(/\r?\n/).filter((line) => line.trim() !== '');

/** False when `read` returns null. A malformed template counts as readable, because it is reported elsewhere. */
function isReadable(read: () => unknown): boolean {
  try {
    return read() !== null;
  } catch {
    return true;
  }
}

/**
 * The problem of a body in the format of its content type; null when there is none. A body that is one template is only
 * checked when it is rendered.
 */
export function findBodyProblem(body: Json, contentType: string): string | null {
  if (body === null || (typeof body === 'string' && isOneTemplate(body))) return null;
  switch (readFormat(contentType)) {
    case 'json':
      if (typeof body !== 'string' || isReadable(() => readJsonTemplate(body, true))) return null;
      return 'is not valid JSON. Use templates as values or inside strings';
    case 'json_lines': {
      if (typeof body !== 'string') return Array.isArray(body) ? null : 'must be an array or lines of JSON';
      const broken = splitJsonLines(body).findIndex(
        (line) => !isReadable(() => readJsonTemplate(line, true)),
      );
      return broken === -1 ? null : `has a line that is not JSON (line ${broken + 1})`;
    }
    case 'form':
      return typeof body === 'string' || isObject(body) ? null : 'must be an object or a string';
    case 'multipart':
      if (!isForm(contentType)) return 'of several parts can be built as multipart/form-data alone';
      return isObject(body) ? null : 'must be an object with the form fields';
    case 'xml':
      if (typeof body !== 'string') return 'must be a string';
      return isReadable(() => readXmlTemplate(body))
        ? null
        : 'has a template in an invalid place. In XML, use templates in content or in quoted attribute values';
    case 'plain':
      return null;
  }
}
