/** An element would be lost, or a document would read a file, or grow without bounds (SPEC DEF-2.7, SEC-K18). */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import { parsed, refusal } from './support/parse.ts';

const xml = async (text: string | Uint8Array, more: JsonObject = {}) =>
  (await parsed('xml', text, more))['data'];

describe('DEF-2.7: XML', () => {
  test('attributes, texts, repeated elements, CDATA and references', async () => {
    const text = `<?xml version="1.0" encoding="utf-8"?><!-- an order -->
      <o:order xmlns:o="urn:o" id="7"><line n="1">A &amp; B &#x20AC;</line><line>  <![CDATA[<b>&amp;]]> </line>
      <empty/><note lang="de"/><nested><a>1</a></nested></o:order>`;
    expect(await xml(text)).toEqual({
      'o:order': {
        '@xmlns:o': 'urn:o',
        '@id': '7',
        line: [{ '@n': '1', '#text': 'A & B €' }, '<b>&amp;'],
        empty: '',
        note: { '@lang': 'de' },
        nested: { a: '1' },
      },
    });
  });
  test('an element that is named a list is one, also alone', async () => {
    expect(await xml('<a><b>1</b><c>2</c></a>', { lists: ['b'] })).toEqual({ a: { b: ['1'], c: '2' } });
  });
  test('a charset that the document declares', async () => {
    const text = '<?xml version="1.0" encoding="ISO-8859-1"?><a>Müller</a>';
    expect(await xml(Buffer.from(text, 'latin1'))).toEqual({ a: 'Müller' });
    expect(await xml(text)).toEqual({ a: 'Müller' });
  });
  test('names that objects have', async () => {
    expect(await xml('<a><constructor>1</constructor><toString/></a>')).toEqual({
      a: { constructor: '1', toString: '' },
    });
  });
  test.each([
    ['text alone', 'hello', 'invalid_xml'],
    ['nothing', '', 'invalid_xml'],
    ['an element that nobody closes', '<a><b></a>', 'invalid_xml'],
    ['an end in a tag', '<a><b', 'invalid_xml'],
    ['two outermost elements', '<a/><b/>', 'invalid_xml'],
    ['text behind the document', '<a/>x', 'invalid_xml'],
    ['a document type alone', '<!DOCTYPE html><a/>', 'read'],
  ])('%s: %s is %s', async (_, text, outcome) => {
    expect(await refusal('xml', text)).toBe(outcome);
  });
});

describe('SEC-K18: XML that is built to harm', () => {
  const LAUGHS = `<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]><lolz>&lol2;</lolz>`;
  const FILE = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>';
  test.each(['xml', 'feed'])('entities that are declared are refused in %s', async (format) => {
    expect(await refusal(format, LAUGHS)).toBe('dtd_not_allowed');
    expect(await refusal(format, FILE)).toBe('dtd_not_allowed');
    expect(await refusal(format, FILE.replace('DOCTYPE', 'DocType'))).not.toBe('read');
  });
  test('what nobody declares is text, and no file is read', async () => {
    expect(await xml('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a>&x;&lol;</a>')).toEqual({ a: '&x;&lol;' });
  });
  test('63 levels are read, 64 are refused', async () => {
    const deep = (levels: number): string => `${'<a>'.repeat(levels)}x${'</a>'.repeat(levels)}`;
    expect(await refusal('xml', deep(63))).toBe('read');
    expect(await refusal('xml', deep(64))).toBe('too_deep');
    expect(await refusal('xml', deep(200_000))).toBe('too_deep');
    expect(await refusal('feed', deep(64))).toBe('too_deep');
  });
  test('a million elements are read, more are refused', async () => {
    expect(await refusal('xml', `<a>${'<b/>'.repeat(999_999)}</a>`)).toBe('read');
    expect(await refusal('xml', `<a>${'<b/>'.repeat(1_000_000)}</a>`)).toBe('too_large');
  });
  test.each(['<__proto__/>', '<a><__proto__>1</__proto__></a>'])('%s is refused', async (text) => {
    expect(await refusal('xml', text)).toBe('forbidden_key');
  });
});
