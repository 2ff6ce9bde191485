/** Reads feeds: RSS 2.0, RSS 1.0 and Atom (RFC 4287), with the usual extensions for content, authors, pictures and media. */
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import { ExtractionFailed } from '../extraction-port.ts';
import { MAX_ITEMS, tooManyItems } from './limits.ts';
import { readXmlTree, type XmlElement } from './xml-tree.ts';

const listElements = ({ children }: XmlElement, ...names: readonly string[]): XmlElement[] =>
  children.filter((child): child is XmlElement => typeof child !== 'string' && names.includes(child.name));

/** All texts of an element, those of the elements in it too: markup of XHTML. */
const readAll = ({ children }: XmlElement): string =>
  children.map((child) => (typeof child === 'string' ? child : readAll(child))).join('');

/** The text of the first of these elements that has one, in the order of the names. */
function readText(parent: XmlElement, ...names: readonly string[]): string | null {
  for (const name of names)
    for (const element of listElements(parent, name)) {
      const text = readAll(element).trim();
      if (text !== '') return text;
    }
  return null;
}

/** As ISO 8601 in UTC; a text that is no date stays as it is. */
function readDate(parent: XmlElement, ...names: readonly string[]): string | null {
  const text = readText(parent, ...names);
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}

const orNull = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text);

/** The link to the page: of RSS a text, of Atom the attribute of the one that is no other relation. */
function readLink(parent: XmlElement): string | null {
  const own = listElements(parent, 'link', 'atom:link');
  const page = own.find(
    ({ name, attributes: { rel, href } }) =>
      name === 'link' && href !== undefined && (rel === undefined || rel === 'alternate'),
  );
  return orNull(page?.attributes['href']) ?? readText(parent, 'link') ?? null;
}

function readAuthor(parent: XmlElement): string | null {
  const [author] = listElements(parent, 'author');
  const name = author === undefined ? null : readText(author, 'name');
  return name ?? readText(parent, 'dc:creator', 'author', 'itunes:author');
}

function listCategories(parent: XmlElement): Json[] {
  const categories = listElements(parent, 'category', 'dc:subject').map(
    (category) =>
      orNull(category.attributes['label']) ?? orNull(category.attributes['term']) ?? readAll(category).trim(),
  );
  return [...new Set(categories)].filter((category) => category !== '');
}

interface Enclosure extends JsonObject {
  readonly url: string;
  readonly type: string | null;
  readonly length: number | null;
}

function listEnclosures(parent: XmlElement): Enclosure[] {
  const groups = [parent, ...listElements(parent, 'media:group')];
  const found = [
    ...listElements(parent, 'enclosure'),
    ...listElements(parent, 'link').filter(({ attributes }) => attributes['rel'] === 'enclosure'),
    ...groups.flatMap((group) => listElements(group, 'media:content')),
  ];
  return found.flatMap(({ attributes: { url, href, type, length, fileSize, medium } }): Enclosure[] => {
    const address = orNull(url) ?? orNull(href);
    if (address === null) return [];
    const size = Number(orNull(length) ?? orNull(fileSize) ?? Number.NaN);
    const kind = orNull(type) ?? (medium === 'image' ? 'image/*' : null);
    return [{ url: address, type: kind, length: Number.isSafeInteger(size) ? size : null }];
  });
}

const PICTURE = /<img\s[^>]{0,2000}?src\s*=\s*["']([^"']{1,2000})["']/i;
const PICTURE_NAME = /\.(?:avif|gif|jpe?g|png|webp)(?:[?#]|$)/i;

/** The picture of an item: a thumbnail, an enclosed picture, or the first one of its content. */
function findImage(
  parent: XmlElement,
  enclosures: readonly Enclosure[],
  content: string | null,
): string | null {
  const groups = [parent, ...listElements(parent, 'media:group')];
  const [thumbnail] = groups.flatMap((group) => listElements(group, 'media:thumbnail'));
  const [itunes] = listElements(parent, 'itunes:image');
  const picture = enclosures.find(({ type, url }) => type?.startsWith('image/') ?? PICTURE_NAME.test(url));
  return (
    orNull(thumbnail?.attributes['url']) ??
    picture?.url ??
    orNull(itunes?.attributes['href']) ??
    orNull(PICTURE.exec(content ?? '')?.[1]?.replaceAll('&amp;', '&'))
  );
}

function readItem(item: XmlElement): JsonObject {
  const enclosures = listEnclosures(item);
  const link = readLink(item);
  const summary = readText(item, 'description', 'summary', 'media:description');
  const content = readText(item, 'content:encoded', 'content');
  const published = readDate(item, 'pubDate', 'published', 'dc:date', 'issued');
  return {
    id: readText(item, 'guid', 'id') ?? orNull(item.attributes['rdf:about']) ?? link,
    title: readText(item, 'title', 'media:title'),
    link,
    published,
    updated: readDate(item, 'updated', 'modified', 'atom:updated'),
    author: readAuthor(item),
    summary,
    content,
    categories: listCategories(item),
    image: findImage(item, enclosures, content ?? summary),
    enclosures,
  };
}

function readFeed(channel: XmlElement): JsonObject {
  const [image] = listElements(channel, 'image');
  return {
    title: readText(channel, 'title'),
    link: readLink(channel),
    description: readText(channel, 'description', 'subtitle', 'tagline'),
    language: readText(channel, 'language', 'dc:language') ?? orNull(channel.attributes['xml:lang']),
    updated: readDate(channel, 'lastBuildDate', 'updated', 'pubDate', 'dc:date', 'modified'),
    image: (image === undefined ? null : readText(image, 'url')) ?? readText(channel, 'logo', 'icon'),
  };
}

/**
 * @returns what the feed says of itself, and its items in their order
 * @throws ExtractionFailed `not_a_feed`, `too_many_items`, and as `readXmlTree`
 */
export function parseFeed(text: string): JsonObject {
  const root = readXmlTree(text, false);
  const isRss = root.name === 'rss' || root.name === 'rdf:RDF';
  const channel = isRss ? listElements(root, 'channel')[0] : root.name === 'feed' ? root : undefined;
  if (channel === undefined)
    throw new ExtractionFailed(
      'not_a_feed',
      `The source is neither RSS nor Atom: it begins with <${root.name.slice(0, 100)}>`,
    );
  const items = [...listElements(channel, 'item', 'entry'), ...(isRss ? listElements(root, 'item') : [])];
  if (items.length > MAX_ITEMS) throw tooManyItems();
  return { feed: readFeed(channel), items: items.map(readItem), count: items.length };
}
