/** The short way of a model's words: told at once and once, and nothing else in a stream is touched. */
import { describe, expect, test } from 'vitest';
import { ToldText, textTeller } from '../../src/outbound/early-text.ts';

const SSE = new Headers({ 'content-type': 'text/event-stream; charset=utf-8' });
const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
const chunk = (delta: object, more: object = {}): string =>
  event({ id: 'c', model: 'm', choices: [{ index: 0, delta, finish_reason: null }], ...more });

interface Read {
  readonly told: string[];
  readonly passed: string;
}

/** What becomes of a body that comes in these pieces. */
function read(...pieces: readonly (string | Uint8Array)[]): Read {
  const told: string[] = [];
  const edit = textTeller((text, channel) => told.push(`${channel}:${text}`))(200, SSE);
  if (edit === null) throw new Error('a stream is edited');
  const bytes = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
  const passed = [...bytes.map((piece) => edit.push(piece)), edit.end()].filter((part) => part !== null);
  return { told, passed: Buffer.concat(passed).toString() };
}
describe('text', () => {
  test('is told piece by piece, and passed on as one', () => {
    const stop = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    const { told, passed } = read(
      chunk({ content: 'a' }),
      chunk({ content: ' b' }),
      stop,
      'data: [DONE]\n\n',
    );
    expect(told).toEqual(['content:a', 'content: b']);
    expect(passed).toBe(`${chunk({ content: 'a b' })}${stop}data: [DONE]\n\n`);
  });

  test('is told before anything else has come', () => {
    const told: string[] = [];
    const edit = textTeller((text) => told.push(text))(200, SSE);
    expect(edit?.push(Buffer.from(chunk({ content: 'now' })))).toBeNull();
    expect(told).toEqual(['now']);
  });

  test('of two channels keeps its order', () => {
    const { told, passed } = read(
      chunk({ role: 'assistant', content: '', reasoning: 'h' }),
      chunk({ reasoning: 'm' }),
      chunk({ content: 'a', reasoning_content: null, tool_calls: [] }),
    );
    expect(told).toEqual(['reasoning:h', 'reasoning:m', 'content:a']);
    expect(passed).toBe(
      chunk({ role: 'assistant', content: '', reasoning: 'hm' }) +
        chunk({ content: 'a', reasoning_content: null, tool_calls: [] }),
    );
  });

  test.each([1, 2, 3, 7, 50])('may be cut after every %d bytes, within a letter or a line break', (size) => {
    const body = (chunk({ content: 'é€😀' }) + chunk({ content: 'z' })).replaceAll('\n', '\r\n');
    const bytes = Buffer.from(body);
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    const { told, passed } = read(...pieces);
    expect(told).toEqual(['content:é€😀', 'content:z']);
    expect(passed).toBe(chunk({ content: 'é€😀z' }));
  });
});

describe('left to the SDK, as it came', () => {
  test.each([
    ['a finish reason', event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })],
    ['a choice without a delta', event({ choices: [{ index: 0, finish_reason: 'stop' }] })],
    ['usage', event({ choices: [], usage: { prompt_tokens: 1 } })],
    ['a role', chunk({ role: 'assistant', content: '' })],
    ['a tool call', chunk({ content: null, tool_calls: [{ index: 0, function: { name: 'f' } }] })],
    ['a comment', ': ping\n\n'],
  ])('%s; text goes on behind it', (_name, silent) => {
    const { told, passed } = read(chunk({ content: 'a' }), silent, chunk({ content: 'b' }));
    expect(told).toEqual(['content:a', 'content:b']);
    expect(passed).toBe(chunk({ content: 'a' }) + silent + chunk({ content: 'b' }));
  });

  test.each([
    ['text with a finish reason', event({ choices: [{ delta: { content: 'x' }, finish_reason: 'stop' }] })],
    ['text with usage', chunk({ content: 'x' }, { usage: { prompt_tokens: 1 } })],
    ['text with an error', chunk({ content: 'x' }, { error: { message: 'no' } })],
    ['text with a tool call', chunk({ content: 'x', tool_calls: [{ index: 0 }] })],
    ['text of two kinds', chunk({ content: 'x', reasoning: 'y' })],
    ['reasoning that another field hides', chunk({ reasoning: 'y', reasoning_content: '' })],
    ['text in parts', chunk({ content: [{ type: 'text', text: 'x' }] })],
    ['two choices', event({ choices: [{ delta: { content: 'x' } }, { delta: { content: 'y' } }] })],
    ['what is no JSON', 'data: {"choices": [{\n\n'],
    ['what is no chunk', 'data: {}\n\n'],
    ['what is no object', 'data: 7\n\n'],
    ['an event of several lines', `event: x\n${chunk({ content: 'x' })}`],
  ])('%s, and all that comes behind it', (_name, unclear) => {
    const rest = [unclear, chunk({ content: 'b' }), chunk({ content: 'c' })];
    const whole = rest.join('');
    const expected = chunk({ content: 'a' }) + whole;
    expect(read(chunk({ content: 'a' }), ...rest)).toEqual({ told: ['content:a'], passed: expected });
    expect(read(chunk({ content: 'a' }) + whole)).toEqual({ told: ['content:a'], passed: expected });
  });

  test('the end of a stream that was cut', () => {
    const { passed } = read(chunk({ content: 'a' }), 'data: {"choi');
    expect(passed).toBe(`${chunk({ content: 'a' })}data: {"choi`);
  });

  test('from an event on that is longer than any piece of text', () => {
    const long = chunk({ content: 'x'.repeat(70_000) });
    const { told, passed } = read(
      chunk({ content: 'a' }),
      long.slice(0, 69_000),
      long.slice(69_000),
      chunk({ content: 'b' }),
    );
    expect(told).toEqual(['content:a']);
    expect(passed).toBe(chunk({ content: 'a' }) + long + chunk({ content: 'b' }));
  });

  test.each([
    ['a failure', 500, SSE],
    ['an answer that is no stream', 200, new Headers({ 'content-type': 'application/json' })],
  ])('%s', (_name, status, headers) => {
    expect(textTeller(() => expect.fail('told'))(status, headers)).toBeNull();
  });
});

test('what was told early is not told again; what was not, is', () => {
  const told: string[] = [];
  const text = new ToldText((piece) => told.push(piece));
  text.early('ab');
  text.early('c');
  text.add('abc');
  text.add('de');
  text.early('f');
  text.add('fg');
  expect(told).toEqual(['ab', 'c', 'de', 'f', 'g']);
  expect(text.text).toBe('abcdefg');
});
