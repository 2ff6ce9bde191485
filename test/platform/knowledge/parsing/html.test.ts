/** A page would be read without its fields, or one that is built to harm would be (SPEC DEF-2.7, SEC-K18). */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import { parsed, refusal } from './support/parse.ts';

const items = async (text: string | Uint8Array, more: JsonObject = {}) =>
  (await parsed('html', text, more))['items'];

const SHOP = `<!doctype html><title>Shop</title><meta property="og:image" content="https://x.test/og.png"><style>.card{}</style>
  <div class="card" data-id="7"><h2>Tea &amp; <b>cake</b></h2><a class="more" href="/tea?a=1&amp;b=2">More</a><span class="price">1,50 €</span>
  <script>evil()</script></div>
  <div class="card sold"><h2>Empty</h2><p>no link</div>`;

describe('DEF-2.7: HTML by selectors', () => {
  test('items with their fields: texts, attributes, own attributes, what is missing', async () => {
    const fields = { name: 'h2', link: 'a.more@href', id: '@data-id', all: '', class: '@class' };
    expect(await items(SHOP, { selector: '.card', fields })).toEqual([
      { name: 'Tea & cake', link: '/tea?a=1&b=2', id: '7', all: 'Tea & cakeMore1,50 €', class: 'card' },
      { name: 'Empty', link: null, id: null, all: 'Emptyno link', class: 'card sold' },
    ]);
  });
  test('without fields an item is its text, and without a selector the document is the item', async () => {
    expect(await items(SHOP, { selector: 'h2' })).toEqual(['Tea & cake', 'Empty']);
    expect(
      await items(SHOP, { fields: { title: 'title', image: 'meta[property="og:image"]@content' } }),
    ).toEqual([{ title: 'Shop', image: 'https://x.test/og.png' }]);
    expect(await items(SHOP, { fields: { own: '@class' } })).toEqual([{ own: null }]);
  });
  test.each([
    ['.card:not(.sold) h2', 1],
    ['.card:nth-child(4) > h2', 1],
    ['.card:last-of-type h2, .card h2', 2],
    ['.none', 0],
  ])('the selector %s', async (selector, count) => {
    expect(await parsed('html', SHOP, { selector })).toMatchObject({ count });
  });
  test('a charset that the page declares', async () => {
    const html = '<meta charset="windows-1252"><p>Müller – 5 €</p>';
    const bytes = Buffer.from(html.replace('–', '\u0096').replace('€', '\u0080'), 'latin1');
    expect(await items(bytes, { selector: 'p' })).toEqual(['Müller – 5 €']);
  });
});

describe('SEC-K18: HTML that is built to harm', () => {
  test('256 levels are read, 257 are refused', async () => {
    const deep = (levels: number): string => `${'<div>'.repeat(levels)}x`;
    expect(await refusal('html', deep(256), { selector: 'div' })).toBe('read');
    expect(await refusal('html', deep(257), { selector: 'div' })).toBe('too_deep');
    expect(await refusal('html', deep(500_000), { selector: 'div' })).toBe('too_deep');
  });
  test('a million elements are read, more are refused', async () => {
    const wide = (count: number): string => '<i></i>'.repeat(count);
    expect(await refusal('html', wide(1_000_000), { selector: 'b' })).toBe('read');
    expect(await refusal('html', wide(1_000_001), { selector: 'b' })).toBe('too_large');
  });
  test('100,000 items are read, one more is refused', async () => {
    expect(await refusal('html', '<i></i>'.repeat(100_000), { selector: 'i' })).toBe('read');
    expect(await refusal('html', '<i></i>'.repeat(100_001), { selector: 'i' })).toBe('too_many_items');
  });
  test('a text in many items is not repeated without bounds', async () => {
    const nested = (levels: number): string => `${'<div>'.repeat(levels)}${'x'.repeat(100_000)}`;
    expect(await refusal('html', nested(80), { selector: 'div' })).toBe('read');
    expect(await refusal('html', nested(84), { selector: 'div' })).toBe('too_large');
  });
});
