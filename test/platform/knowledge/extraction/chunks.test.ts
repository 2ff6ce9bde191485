/** Passages of a document would be lost, doubled, too long, or cut in the middle of a word. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitChunks } from '../../../../src/platform/knowledge/extraction/chunks.ts';
import { readMarkdown } from '../../../../src/platform/knowledge/extraction/read-markdown.ts';
import { cleanText } from '../../../../src/platform/knowledge/extraction/extracted-text.ts';
import type { Heading } from '../../../../src/platform/knowledge/extraction/extracted-text.ts';
import { countTokens } from '../../../../src/platform/knowledge/extraction/tokens.ts';

const cut = (text: string, chunkSize: number, chunkOverlap = 0, headings: readonly Heading[] = []) =>
  splitChunks({ text, headings }, { chunkSize, chunkOverlap });
const texts = (chunks: readonly { readonly text: string }[]) => chunks.map(({ text }) => text);

/** Words, sentences, scripts without blanks, emoji, halves of pairs, long runs, control tokens. */
const hostileText = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.lorem({ maxCount: 12, mode: 'sentences' }) },
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom(
        '\n',
        '\n\n',
        '\r\n',
        '\t',
        '   ',
        '\u00a0',
        '。',
        '日本語の文章。次の文章',
        '🙂👩‍👩‍👧',
        '<|endoftext|>',
        '\ud83d',
        '\u0000',
      ),
      fc
        .tuple(fc.constantFrom('a', ' ', '.', 'é', '字', '𝔸', '\t'), fc.integer({ min: 1, max: 900 }))
        .map(([unit, count]) => unit.repeat(count)),
    ),
    { maxLength: 25 },
  )
  .map((parts) => parts.join(''));
const sizes = fc.integer({ min: 16, max: 120 });
const solid = (text: string): string => text.replace(/\s/g, '');

/** Whether the chunks, each laid over the text as far on as it can without a gap, reach from its begin to its end. */
function covers(text: string, chunks: readonly { readonly text: string }[]): boolean {
  let end = 0;
  for (const chunk of chunks) {
    const next = text.length - text.slice(end).trimStart().length;
    const at = text.lastIndexOf(chunk.text, next);
    if (at < 0) return false;
    end = Math.max(end, at + chunk.text.length);
  }
  return end === text.length;
}

describe('every text', () => {
  test('its chunks hold all of it, in order, and none costs more than it may', () => {
    fc.assert(
      fc.property(hostileText, sizes, fc.integer({ min: 0, max: 200 }), (raw, size, overlap) => {
        const text = cleanText(raw);
        const chunks = cut(text, size, overlap);
        for (const [at, chunk] of chunks.entries()) {
          expect(chunk.tokens).toBe(countTokens(chunk.text));
          expect(chunk.tokens).toBeLessThanOrEqual(size);
          expect(chunk.text).toBe(chunk.text.trim());
          expect(chunk.text).not.toBe('');
          expect(chunk.text).not.toMatch(/\p{Cs}|\0/u);
          expect(chunk.position).toBe(at);
        }
        expect(covers(text, chunks)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('without overlap the chunks are the text, letter for letter', () => {
    fc.assert(
      fc.property(hostileText, sizes, (raw, size) => {
        const text = cleanText(raw);
        expect(solid(texts(cut(text, size)).join(''))).toBe(solid(text));
      }),
      { numRuns: 200 },
    );
  });

  test('the same text gives the same chunks', () => {
    fc.assert(
      fc.property(hostileText, sizes, (raw, size) => {
        const text = cleanText(raw);
        expect(cut(text, size, 10)).toEqual(cut(text, size, 10));
      }),
      { numRuns: 30 },
    );
  });
});

describe('edges', () => {
  const sentence = (at: number): string => `Sentence number ${at} says nothing of importance.`;
  const sentences = (count: number): string =>
    Array.from({ length: count }, (_, at) => sentence(at)).join(' ');

  test('a text that fits is one chunk', () => {
    expect(cut('One. Two.', 16)).toEqual([{ text: 'One. Two.', tokens: 4, position: 0 }]);
  });
  test('nothing gives nothing', () => expect(cut('', 16)).toEqual([]));
  test('sentences stay whole', () => {
    for (const { text } of cut(sentences(40), 40)) expect(text).toMatch(/^Sentence.*\.$/);
  });
  test('the end of a paragraph is better than the end of a sentence', () => {
    const paragraphs = Array.from({ length: 6 }, () => sentences(3));
    expect(texts(cut(paragraphs.join('\n\n'), 36))).toEqual(paragraphs);
  });
  test('words stay whole', () => {
    const words = Array.from({ length: 200 }, (_, at) => `word${at}`).join(' ');
    expect(texts(cut(words, 30)).flatMap((text) => text.split(' '))).toEqual(words.split(' '));
  });
  test('a chunk begins with the end of the one before, at a sentence', () => {
    const chunks = texts(cut(sentences(30), 60, 20));
    expect(chunks.length).toBeGreaterThan(3);
    for (const [at, text] of chunks.slice(1).entries()) {
      expect(text).toMatch(/^Sentence/);
      expect(chunks[at]).toContain(text.slice(0, text.indexOf('.') + 1));
    }
  });
  test('an overlap of more than half a chunk counts as half', () => {
    expect(cut(sentences(30), 60, 10_000)).toEqual(cut(sentences(30), 60, 30));
  });
  test('what stands under a heading knows it, and nothing of the section before', () => {
    const text = `Preface.\n\n# One\n\n${sentences(5)}\n\n## Two *and* [more](https://x.test)\n\n${sentences(5)}`;
    const chunks = splitChunks(readMarkdown(text), { chunkSize: 70, chunkOverlap: 20 });
    expect(chunks.map(({ heading }) => heading)).toEqual([undefined, 'Two and more']);
    expect(chunks[1]!.text).toMatch(/^## Two/);
  });
  test('an overlap never reaches back over a heading', () => {
    for (let first = 1; first <= 14; first += 1) {
      const long = Array.from({ length: 20 }, (_, at) => sentence(at + 100)).join(' ');
      const reading = readMarkdown(`${sentences(first)}\n\n## Next\n\n${long}`);
      const chunks = texts(splitChunks(reading, { chunkSize: 60, chunkOverlap: 30 }));
      const begins = chunks.filter((text) => text.includes('## Next')).map((text) => text.indexOf('## Next'));
      // It may stand in the middle of one chunk, and in the next one at its begin alone.
      expect(begins.slice(1).every((at) => at === 0)).toBe(true);
    }
  });
  test('a # in a code block is no heading', () => {
    const { headings } = readMarkdown('# Real\n\n```sh\n# comment\n```\n\nSetext\n======\n');
    expect(headings.map(({ title }) => title)).toEqual(['Real', 'Setext']);
  });
  test('a size that a character could exceed is refused', () => {
    expect(() => cut('x', 15)).toThrow(RangeError);
    expect(() => cut('x', Number.NaN)).toThrow(RangeError);
  });
});

describe('clean text', () => {
  test.each([
    ['a byte order mark', '\uFEFFx', 'x'],
    ['kinds of line breaks', 'a\r\nb\rc\u2028d\fe', 'a\nb\nc\nd\ne'],
    ['NUL and other control characters', 'a\u0000b\u001bc\td', 'abc\td'],
    ['halves of surrogate pairs', 'a\ud83db\ude00c🙂', 'abc🙂'],
    ['empty lines, also with blanks in them', 'a\n \n\t\n\n\nb  \nc', 'a\n\nb\nc'],
    ['a run of blanks', `a${' '.repeat(200_000)}b`, 'a b'],
  ])('%s', (_name, raw, clean) => expect(cleanText(raw)).toBe(clean));
});

describe('tokens', () => {
  test('known counts', () => {
    expect(countTokens('hello world')).toBe(2);
    expect(countTokens('')).toBe(0);
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
  });
  test('SEC-K14: a long run is counted in pieces', () => {
    expect(countTokens('a'.repeat(200_000))).toBe(400 * countTokens('a'.repeat(500)));
  });
});
