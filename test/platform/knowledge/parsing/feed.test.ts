/** An item of a feed would be without its link, its date or its picture (SPEC DEF-2.7). */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import { parsed, refusal } from './support/parse.ts';

const items = async (text: string) => (await parsed('feed', text))['items'] as JsonObject[];

describe('DEF-2.7: feeds', () => {
  test('RSS 2.0 of a blog: content, authors, categories, an enclosure', async () => {
    const text = `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
      xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
      <title>News &amp; more</title><atom:link href="https://x.test/feed" rel="self"/><link>https://x.test/</link><description>All</description>
      <language>en-us</language><lastBuildDate>Mon, 04 Mar 2030 10:00:00 +0100</lastBuildDate><image><url>https://x.test/logo.png</url></image>
      <item><title>First &#8211; one</title><link>https://x.test/1</link><dc:creator><![CDATA[Ada]]></dc:creator>
        <pubDate>Sun, 03 Mar 2030 23:30:00 GMT</pubDate><category>A</category><category><![CDATA[B]]></category><category>A</category>
        <guid isPermaLink="false">tag:1</guid><description>Short</description>
        <content:encoded><![CDATA[<p>Long <img class="x" src="https://x.test/1.jpg?a=1&amp;b=2" alt=""></p>]]></content:encoded>
        <enclosure url="https://x.test/1.mp3" length="12345" type="audio/mpeg"/></item>
      <item><title>Second</title><link>https://x.test/2</link><pubDate>yesterday</pubDate></item>
      </channel></rss>`;
    expect(await parsed('feed', text)).toEqual({
      feed: {
        title: 'News & more',
        link: 'https://x.test/',
        description: 'All',
        language: 'en-us',
        updated: '2030-03-04T09:00:00.000Z',
        image: 'https://x.test/logo.png',
      },
      items: [
        {
          id: 'tag:1',
          title: 'First – one',
          link: 'https://x.test/1',
          published: '2030-03-03T23:30:00.000Z',
          updated: null,
          author: 'Ada',
          summary: 'Short',
          content: '<p>Long <img class="x" src="https://x.test/1.jpg?a=1&amp;b=2" alt=""></p>',
          categories: ['A', 'B'],
          image: 'https://x.test/1.jpg?a=1&b=2',
          enclosures: [{ url: 'https://x.test/1.mp3', type: 'audio/mpeg', length: 12345 }],
        },
        {
          id: 'https://x.test/2',
          title: 'Second',
          link: 'https://x.test/2',
          published: 'yesterday',
          updated: null,
          author: null,
          summary: null,
          content: null,
          categories: [],
          image: null,
          enclosures: [],
        },
      ],
      count: 2,
    });
  });
  test('Atom: links by relation, authors, content as HTML and XHTML, dates', async () => {
    const text = `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title type="html">A &amp;amp; B</title><subtitle>Sub</subtitle>
      <link rel="self" href="https://y.test/atom"/><link href="https://y.test/"/><updated>2030-03-04T10:00:00+01:00</updated>
      <entry><id>urn:1</id><title>Eins</title><link rel="enclosure" type="image/png" href="https://y.test/1.png" length="9"/>
        <link rel="alternate" href="https://y.test/1"/><author><name>Bob</name><email>b@y.test</email></author>
        <published>2030-03-03T00:00:00Z</published><updated>2030-03-04T00:00:00Z</updated><category term="t" label="T"/>
        <summary>S</summary><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">one <b>two</b></div></content></entry></feed>`;
    const feed = await parsed('feed', text);
    expect(feed).toMatchObject({
      feed: {
        title: 'A &amp; B',
        link: 'https://y.test/',
        language: 'de',
        updated: '2030-03-04T09:00:00.000Z',
      },
      items: [
        {
          id: 'urn:1',
          link: 'https://y.test/1',
          author: 'Bob',
          published: '2030-03-03T00:00:00.000Z',
          updated: '2030-03-04T00:00:00.000Z',
          categories: ['T'],
          content: 'one two',
          image: 'https://y.test/1.png',
        },
      ],
    });
  });
  test('RSS 1.0, whose items stand beside their channel', async () => {
    const text = `<rdf:RDF xmlns:rdf="r"><channel rdf:about="c"><title>Old</title></channel>
      <item rdf:about="https://z.test/1"><title>T</title><link>https://z.test/1</link><dc:date>2030-03-03</dc:date></item></rdf:RDF>`;
    expect(await parsed('feed', text)).toMatchObject({
      feed: { title: 'Old' },
      items: [{ id: 'https://z.test/1', title: 'T', published: '2030-03-03T00:00:00.000Z' }],
      count: 1,
    });
  });
  test.each([
    ['a thumbnail', '<media:group><media:thumbnail url="u"/></media:group>'],
    [
      'a medium',
      '<media:content url="u" medium="image"/><enclosure url="v" type="image/png"/>'.replace('v', 'u'),
    ],
    ['an enclosure without a type', '<enclosure url="u.jpg?x"/>'],
    ['a podcast', '<itunes:image href="u"/><enclosure url="a.mp3" type="audio/mpeg"/>'],
  ])('the picture of an item: %s', async (_, inner) => {
    const [item] = await items(`<rss><channel><item>${inner}</item></channel></rss>`);
    expect(item?.['image']).toMatch(/^u/);
  });
  test('a feed whose tags do not match is read as far as it goes', async () => {
    const text = '<rss><channel><title>A<br>B & C</title><item><title>One</title></item></channel></rss>';
    expect(await items(text)).toMatchObject([{ title: 'One' }]);
  });
  test.each(['<html><body/></html>', '<rss/>', '{"items": []}'])('%s is no feed', async (text) => {
    expect(await refusal('feed', text)).toMatch(/^(?:not_a_feed|invalid_xml)$/);
  });
  test('SEC-K18: 100,000 items are read, one more is refused', async () => {
    const feed = (count: number): string => `<rss><channel>${'<item/>'.repeat(count)}</channel></rss>`;
    // The values of so many items are too large for an output; they are not too many.
    expect(await refusal('feed', feed(100_000))).toBe('too_large');
    expect(await refusal('feed', feed(100_001))).toBe('too_many_items');
  });
});
