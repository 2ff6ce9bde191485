/** Reads HTML by CSS selectors: items with their fields, or the rows of a table. */
import { selectAll, selectOne } from 'css-select';
import { DomHandler, DomUtils, Parser, type parseDocument } from 'htmlparser2';
import { setOwn, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { readFieldSelector, type ParseTask } from '../../../language/nodes/transformer/parse-config.ts';
import { ExtractionFailed } from '../extraction-port.ts';
import {
  MAX_COLUMNS,
  MAX_HTML_DEPTH,
  MAX_ITEMS,
  Tally,
  checkDepth,
  tooManyColumns,
  tooManyItems,
} from './limits.ts';
import { toItems } from './rows.ts';

type Document = ReturnType<typeof parseDocument>;
type Node = Document['children'][number];
type Element = Extract<Node, { readonly attribs: object }>;

/** Builds the tree within bounds. */
class BoundedHandler extends DomHandler {
  readonly #tally = new Tally();

  override onopentag(name: string, attributes: { [key: string]: string }): void {
    checkDepth(this.tagStack.length, MAX_HTML_DEPTH);
    this.#tally.addPart();
    for (const _ of Object.keys(attributes)) this.#tally.addPart();
    super.onopentag(name, attributes);
  }

  override ontext(data: string): void {
    this.#tally.addPart();
    super.ontext(data);
  }
}

/** @throws ExtractionFailed `too_deep`, `too_large` */
function readTree(html: string): Document {
  const handler = new BoundedHandler();
  new Parser(handler, { decodeEntities: true }).end(html);
  return handler.root;
}

/** The text that people see of an element: without scripts and styles, with single blanks. */
const readText = (element: Node | Document): string =>
  DomUtils.innerText(element).replaceAll(/\s+/g, ' ').trim();

/** Selectors search an element or a document itself: of a list of nodes the library looks for those in others, in quadratic time. */
type Scope = Element | Document;

const isElement = (scope: Scope): scope is Element => 'attribs' in scope;

/** Reads one field of an item; null where nothing is found. */
function readField(scope: Scope, field: string): string | null {
  const { selector, attribute } = readFieldSelector(field);
  const found = selector === '' ? scope : selectOne<Node, Element>(selector, scope);
  if (found === null) return null;
  if (attribute === null) return readText(found);
  return isElement(found) && Object.hasOwn(found.attribs, attribute)
    ? (found.attribs[attribute] ?? null)
    : null;
}

type HtmlTask = Pick<ParseTask, 'selector' | 'fields'>;

/** @throws ExtractionFailed `too_many_items`, `too_deep`, `too_large` */
export function parseHtml(html: string, { selector, fields }: HtmlTask): JsonObject {
  const document = readTree(html);
  const scopes: readonly Scope[] =
    selector === null ? [document] : selectAll<Node, Element>(selector, document);
  if (scopes.length > MAX_ITEMS) throw tooManyItems();
  const tally = new Tally();
  const read = (scope: Scope, field: string): string | null => {
    const text = readField(scope, field);
    tally.addChars(text?.length ?? 0);
    return text;
  };
  const items = scopes.map((scope): Json => {
    if (fields === null) return read(scope, '');
    const item: JsonObject = {};
    for (const [name, field] of Object.entries(fields)) setOwn(item, name, read(scope, field));
    return item;
  });
  return { items, count: items.length };
}

const named = (parent: Scope, ...names: readonly string[]): Element[] =>
  parent.children.filter((child): child is Element => 'attribs' in child && names.includes(child.name));

/** The most that a cell may span (HTML standard, 4.9.11). */
const MAX_ROWSPAN = 65_534;

function readSpan(cell: Element, name: 'colspan' | 'rowspan', most: number): number {
  const span = Number(cell.attribs[name] ?? 1);
  return Number.isInteger(span) && span > 0 ? Math.min(span, most) : 1;
}

/** Reads the rows of a table; each place that a cell spans has its text. */
function* readRows(table: Element): Generator<readonly Json[]> {
  const parts = named(table, 'thead', 'tbody', 'tfoot', 'tr');
  const rows = parts.flatMap((part) => (part.name === 'tr' ? [part] : named(part, 'tr')));
  const covered: { left: number; text: string }[] = [];
  for (const row of rows) {
    const cells: string[] = [];
    const cover = (): void => {
      for (
        let above = covered[cells.length];
        above !== undefined && above.left > 0;
        above = covered[cells.length]
      ) {
        above.left -= 1;
        cells.push(above.text);
      }
    };
    for (const cell of named(row, 'td', 'th')) {
      cover();
      const text = readText(cell);
      const below = readSpan(cell, 'rowspan', MAX_ROWSPAN) - 1;
      for (let span = readSpan(cell, 'colspan', MAX_COLUMNS); span > 0; span -= 1) {
        covered[cells.length] = { left: below, text };
        cells.push(text);
      }
      if (cells.length > MAX_COLUMNS) throw tooManyColumns();
    }
    cover();
    yield cells;
  }
}

/** @throws ExtractionFailed `not_found` without the table, and as `toItems` */
export function parseHtmlTable(
  html: string,
  task: Pick<ParseTask, 'selector' | 'header' | 'numbers'>,
): JsonObject {
  const found = selectOne<Node, Element>(task.selector ?? 'table', readTree(html));
  if (found === null) throw new ExtractionFailed('not_found', 'The page has no such table');
  return toItems(readRows(found), task);
}
