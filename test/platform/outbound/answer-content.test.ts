/** A text would be read in a wrong encoding, or bytes would be damaged by being read as text. */
import { describe, expect, test } from 'vitest';
import { readContent } from '../../../src/platform/outbound/answer-content.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]);
const text = (of: string) => ({ text: of, isDamaged: false });

describe('SEC-F15: bytes that are no text stay bytes', () => {
  test.each([
    ['image/png', PNG],
    ['image/png', Buffer.from('all of it is ASCII')],
    ['audio/wav', Buffer.from('RIFF')],
    ['application/octet-stream', PNG],
    ['application/pdf', latin1('%PDF-1.7 \xe2\xe3')],
    ['application/pdf', Buffer.from('%PDF-1.4 all of it is ASCII')],
    ['Application/PDF; charset=utf-8', Buffer.from('%PDF-1.4 all of it is ASCII')],
    ['application/zip', Buffer.from('PK')],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', Buffer.from('PK')],
    ['', PNG],
    ['application/x-own; charset=unheard-of', latin1('caf\xe9')],
  ])('of type %s', (type, bytes) => expect(readContent(bytes, type)).toEqual({ bytes }));
});

describe('text is decoded by what names its charset', () => {
  test.each<[string, Buffer, string]>([
    ['text/plain', Buffer.from('café'), 'café'],
    ['text/plain; charset=ISO-8859-1', latin1('caf\xe9'), 'café'],
    ['application/json; charset="utf-16le"', Buffer.from('{"a":"é"}', 'utf16le'), '{"a":"é"}'],
    [
      'text/html',
      latin1('<html><meta charset="windows-1252">caf\xe9'),
      '<html><meta charset="windows-1252">café',
    ],
    [
      'text/html',
      latin1('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">\xb3'),
      '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">ł',
    ],
    ['text/html; charset=utf-8', Buffer.from('<meta charset=latin1>é'), '<meta charset=latin1>é'],
    ['text/html', Buffer.from('<!-- <meta charset=latin1> -->é'), '<!-- <meta charset=latin1> -->é'],
    ['text/html', Buffer.from('<meta charset=utf-16>é'), '<meta charset=utf-16>é'],
    [
      'text/html',
      Buffer.from(`${' '.repeat(1024)}<meta charset=latin1>é`),
      `${' '.repeat(1024)}<meta charset=latin1>é`,
    ],
    [
      'application/xml',
      latin1('<?xml version="1.0" encoding="ISO-8859-1"?><a>caf\xe9</a>'),
      '<?xml version="1.0" encoding="ISO-8859-1"?><a>café</a>',
    ],
    [
      'image/svg+xml',
      latin1("<?xml version='1.0' encoding='latin1'?><svg>\xe9</svg>"),
      "<?xml version='1.0' encoding='latin1'?><svg>é</svg>",
    ],
    ['text/plain', Buffer.from('\ufeffé'), 'é'],
    ['text/plain; charset=latin1', Buffer.from('\ufeffé'), 'é'],
    ['text/csv', Buffer.from('\ufeffa;é', 'utf16le'), 'a;é'],
    ['application/vnd.ms-excel', Buffer.from('a;é'), 'a;é'],
    ['application/octet-stream', Buffer.from('plain words, é'), 'plain words, é'],
    ['', Buffer.from('plain words, é'), 'plain words, é'],
    ['text/plain; charset=unheard-of', Buffer.from('é'), 'é'],
    ['image/png', Buffer.alloc(0), ''],
  ])('%s', (type, bytes, decoded) => expect(readContent(bytes, type)).toEqual(text(decoded)));
});

test('bytes that a charset does not have are replaced, with a warning', () => {
  expect(readContent(latin1('caf\xe9'), 'text/plain')).toEqual({ text: 'caf\uFFFD', isDamaged: true });
  expect(readContent(latin1('caf\xe9'), 'text/plain; charset=unheard-of')).toMatchObject({ isDamaged: true });
  expect(readContent(Buffer.from('a\0'), 'text/plain')).toEqual({ text: 'a\uFFFD', isDamaged: true });
  expect(readContent(latin1('"\xe9"'), 'application/json')).toEqual({ text: '"\uFFFD"', isDamaged: true });
});
