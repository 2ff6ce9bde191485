/** Renders templates in XML: an inserted value is text of an element or an attribute, never markup. */
import { scanTemplate } from '../../graph/template/template-scanner.ts';

type XmlPiece =
  | { readonly kind: 'literal'; readonly text: string }
  /** A template and its place. */
  | { readonly kind: 'content' | 'attribute' | 'cdata'; readonly source: string };

/** Markup with a fixed end; templates are not allowed in it. */
const CLOSED_MARKUP: readonly (readonly [begin: string, end: string])[] = [
  ['<!--', '-->'],
  ['<?', '?>'],
];

/** Characters that XML 1.0 cannot contain, not even as a reference (section 2.2). */
// eslint-disable-next-line no-control-regex -- these are the characters that are looked for
const UNWRITABLE = /[\0-\b\v\f\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // Parsers normalize these to spaces or line feeds.
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

type Place = 'content' | 'tag' | 'cdata' | 'closed' | 'declaration' | '"' | "'";

/** Tracks the place in the markup over the literal parts of a text. */
class Markup {
  place: Place = 'content';
  /** The end of the open markup. */
  #end = '';
  #brackets = 0;

  read(text: string): void {
    for (let at = 0; at < text.length;) at = this.#step(text, at);
  }

  /** Reads from `at` to the next change of place. */
  #step(text: string, at: number): number {
    switch (this.place) {
      case 'content':
        return this.#leaveContent(text, at);
      case 'tag':
        return this.#leaveTag(text, at);
      case 'declaration':
        return this.#leaveDeclaration(text, at);
      case '"':
      case "'":
        return this.#skipTo(text, at, { end: this.place, next: 'tag' });
      case 'cdata':
      case 'closed':
        return this.#skipTo(text, at, { end: this.#end, next: 'content' });
    }
  }

  #skipTo(text: string, at: number, { end, next }: { end: string; next: Place }): number {
    const found = text.indexOf(end, at);
    if (found === -1) return text.length;
    this.place = next;
    return found + end.length;
  }

  #leaveContent(text: string, at: number): number {
    const open = text.indexOf('<', at);
    if (open === -1) return text.length;
    if (text.startsWith('<![CDATA[', open)) {
      this.place = 'cdata';
      this.#end = ']]>';
      return open + '<![CDATA['.length;
    }
    const closed = CLOSED_MARKUP.find(([begin]) => text.startsWith(begin, open));
    if (closed !== undefined) {
      this.place = 'closed';
      this.#end = closed[1];
      return open + closed[0].length;
    }
    this.place = text[open + 1] === '!' ? 'declaration' : 'tag';
    this.#brackets = 0;
    return open + 1;
  }

  #leaveTag(text: string, at: number): number {
    const char = text[at];
    if (char === '>') this.place = 'content';
    else if (char === '"' || char === "'") this.place = char;
    return at + 1;
  }

  /** A document type may contain declarations in brackets. */
  #leaveDeclaration(text: string, at: number): number {
    const char = text[at];
    if (char === '[') this.#brackets += 1;
    else if (char === ']') this.#brackets -= 1;
    else if (char === '>' && this.#brackets <= 0) this.place = 'content';
    return at + 1;
  }
}

/** Parses XML with templates; null when a template is in a place that takes no text. @throws TemplateError */
export function readXmlTemplate(text: string): readonly XmlPiece[] | null {
  const markup = new Markup();
  const pieces: XmlPiece[] = [];
  for (const part of scanTemplate(text).parts) {
    if (typeof part === 'string') {
      markup.read(part);
      pieces.push({ kind: 'literal', text: part });
    } else if (markup.place === 'content' || markup.place === 'cdata') {
      pieces.push({ kind: markup.place, source: part.source });
    } else if (markup.place === '"' || markup.place === "'") {
      pieces.push({ kind: 'attribute', source: part.source });
    } else return null;
  }
  return pieces;
}

/** Escapes an inserted text for its place; null when it has characters that XML cannot contain. */
export function writeXmlText(text: string, place: 'content' | 'attribute' | 'cdata'): string | null {
  if (UNWRITABLE.test(text)) return null;
  const special = place === 'attribute' ? /[&<>"'\r\n\t]/g : /[&<>"'\r]/g;
  const escaped = text.replaceAll(special, (char) => ESCAPES[char] ?? char);
  // CDATA has no escapes, so the text is placed between two sections.
  return place === 'cdata' ? `]]>${escaped}<![CDATA[` : escaped;
}
