/** Writes a mail of one text as RFC 5322 has it, for services that take it whole. */
import { ownValue, type Json, type JsonObject } from '../../graph/values/value.ts';

/** Parameters of which a mail is made. */
export const MAIL_FIELDS: ReadonlySet<string> = new Set([
  'to',
  'cc',
  'bcc',
  'reply_to',
  'subject',
  'text',
  'is_html',
  'in_reply_to',
]);

/** One address; without spaces and line breaks, which would begin another header. */
export const ADDRESS = { type: 'string', pattern: '^[^\\s<>@,;"]+@[A-Za-z0-9.-]+$', maxLength: 254 };
export const ADDRESSES = { type: 'array', items: ADDRESS, minItems: 1, maxItems: 100 };

/** Bytes of an encoded word: with its frame it stays within 75 characters (RFC 2047, section 2). */
const WORD_BYTES = 45;
/** RFC 2045, section 6.8. */
const LINE_CHARS = 76;

const encode = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** Encodes a header that is not ASCII, or too long for a line, as words (RFC 2047). */
function encodeHeader(text: string): string {
  if (/^[ -~]{0,60}$/.test(text)) return text;
  const words: string[] = [];
  let word = '';
  for (const character of text.replaceAll(/[\r\n]+/g, ' ')) {
    if (Buffer.byteLength(word + character) > WORD_BYTES) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map((part) => `=?UTF-8?B?${encode(part)}?=`).join('\r\n ');
}

const wrapLines = (text: string): string =>
  (text.match(new RegExp(`.{1,${LINE_CHARS}}`, 'g')) ?? []).join('\r\n');

const listAddresses = (value: Json | undefined): string =>
  Array.isArray(value) ? value.filter((address) => typeof address === 'string').join(',\r\n ') : '';

/** @param parameters those of MAIL_FIELDS, which fit their schemas @returns the mail, the same for the same parameters */
export function composeMail(parameters: JsonObject): string {
  const read = (name: string): string => {
    const value = ownValue(parameters, name);
    return typeof value === 'string' ? value : '';
  };
  const reference = read('in_reply_to');
  const headers: readonly (readonly [string, string])[] = [
    ['To', listAddresses(parameters['to'])],
    ['Cc', listAddresses(parameters['cc'])],
    ['Bcc', listAddresses(parameters['bcc'])],
    ['Reply-To', read('reply_to')],
    ['Subject', encodeHeader(read('subject'))],
    ['In-Reply-To', reference],
    ['References', reference],
    ['MIME-Version', '1.0'],
    ['Content-Type', `text/${parameters['is_html'] === true ? 'html' : 'plain'}; charset=utf-8`],
    ['Content-Transfer-Encoding', 'base64'],
  ];
  const lines = headers.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`);
  return `${lines.join('\r\n')}\r\n\r\n${wrapLines(encode(read('text')))}\r\n`;
}
