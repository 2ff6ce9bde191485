/** A long number in an answer would lose digits. */
import { expect, test } from 'vitest';
import { createExactEdit } from '../../../src/platform/outbound/exact-body.ts';

function edited(type: string, chunks: readonly Buffer[]): string {
  const edit = createExactEdit(200, new Headers({ 'content-type': type }));
  if (edit === null) return 'not edited';
  return Buffer.concat(
    [...chunks.map((chunk) => edit.push(chunk)), edit.end()].filter((bytes) => bytes !== null),
  ).toString();
}
const bytewise = (text: string): Buffer[] => [...Buffer.from(text)].map((byte) => Buffer.from([byte]));

test.each([
  ['{"a":9007199254740993,"b":1}', '{"a":"9007199254740993","b":1}'],
  ['{"a": 12, "b": 1.50}', '{"a": 12, "b": 1.50}'],
  ['{"a":9007199254740993', '{"a":9007199254740993'],
  ['', ''],
])('the JSON %s becomes %s, however it is cut', (sent, read) => {
  expect(edited('application/json', [Buffer.from(sent)])).toBe(read);
  expect(edited('application/vnd.api+json; charset=utf-8', bytewise(sent))).toBe(read);
});

test('of events the data is edited, line by line', () => {
  const sent =
    'id: 9007199254740993\nevent: é\ndata: {"a":9007199254740993}\r\n\ndata:{"é":9007199254740993}';
  const read =
    'id: 9007199254740993\nevent: é\ndata:{"a":"9007199254740993"}\n\ndata:{"é":"9007199254740993"}';
  expect(edited('text/event-stream', bytewise(sent))).toBe(read);
  expect(edited('text/event-stream', [Buffer.from(sent)])).toBe(read);
});

test('what is neither is not edited', () => {
  expect(edited('text/plain', [Buffer.from('9007199254740993')])).toBe('not edited');
});
