/**
 * Reads XML into a tree. Entities that a document declares are never expanded: a document that declares any is refused, and so nothing
 * can grow, and nothing outside can be read.
 */
import { Parser } from 'htmlparser2';
import { ExtractionFailed } from '../extraction-port.ts';
import { MAX_XML_DEPTH, Tally, checkDepth } from './limits.ts';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (XmlElement | string)[];
}

const invalidXml = (message: string): ExtractionFailed => new ExtractionFailed('invalid_xml', message);

/** @throws ExtractionFailed `dtd_not_allowed` */
function checkDeclaration(name: string, data: string): void {
  if (/^!doctype/i.test(name) && data.includes('['))
    throw new ExtractionFailed('dtd_not_allowed', 'The document declares entities, which are not read');
  if (/^!(?:entity|element|attlist)/i.test(name))
    throw new ExtractionFailed('dtd_not_allowed', 'The document declares entities, which are not read');
}

/**
 * @param isStrict false: feeds are read even where their tags do not match
 * @returns the outermost element
 * @throws ExtractionFailed `invalid_xml`, `dtd_not_allowed`, `too_deep`, `too_large`
 */
export function readXmlTree(text: string, isStrict: boolean): XmlElement {
  const tally = new Tally();
  const root: XmlElement = { name: '', attributes: {}, children: [] };
  const open: XmlElement[] = [root];
  let opened: XmlElement | null = null;
  const addText = (data: string): void => {
    const { children } = open.at(-1) ?? root;
    const last = children.at(-1);
    if (typeof last === 'string') children[children.length - 1] = last + data;
    else {
      tally.addPart();
      children.push(data);
    }
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        checkDepth(open.length, MAX_XML_DEPTH);
        tally.addPart();
        for (const _ of Object.keys(attributes)) tally.addPart();
        const element: XmlElement = { name, attributes, children: [] };
        open.at(-1)?.children.push(element);
        open.push(element);
        opened = element;
      },
      onclosetag(name, isImplied) {
        // The parser calls the end of `<a/>` implied, too.
        const isWhole = opened === open.at(-1) && text.startsWith('/>', parser.endIndex - 1);
        if (isStrict && isImplied && !isWhole)
          throw invalidXml(`The element <${name.slice(0, 100)}> is not closed`);
        open.pop();
        opened = null;
      },
      ontext: addText,
      onprocessinginstruction: checkDeclaration,
    },
    { xmlMode: true },
  );
  parser.end(text);
  const elements = root.children.filter((child) => typeof child !== 'string');
  const [only] = elements;
  const hasMore = root.children.some((child) => typeof child === 'string' && child.trim() !== '');
  if (only === undefined) throw invalidXml('The document has no element');
  if (isStrict && (elements.length > 1 || hasMore))
    throw invalidXml('The document has more than its outermost element');
  return only;
}
