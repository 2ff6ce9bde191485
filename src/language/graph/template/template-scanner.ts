/**
 * Parses templates: `{{ root ( .key | [0] | ["any key"] )* ( | default(<json>) | json | length )? }}`.
 * Every character is read once, so hostile texts cost linear time.
 */
import { keepDigits } from '../values/exact-json.ts';
import { toStorable } from '../values/storable.ts';
import { isDeeperThan, type Json } from '../values/value.ts';

/** A path into a value. */
export type Path = readonly (string | number)[];

type Filter =
  | { readonly name: 'default'; readonly value: Json }
  | { readonly name: 'json' }
  | { readonly name: 'length' };

export interface Reference {
  readonly root: string;
  readonly path: Path;
  /** The reference as written, without braces and filter: `classify.data.topic`. */
  readonly text: string;
}
export interface Expression extends Reference {
  readonly filter: Filter | null;
  /** The template as written, with its braces. */
  readonly source: string;
}
export interface Template {
  /** Literal text and expressions, in order. */
  readonly parts: readonly (string | Expression)[];
  /** Set when the trimmed text is exactly one template, whose value keeps its type. */
  readonly single: Expression | null;
}

/** A malformed template; `position` is an index into the text. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly position: number;

  constructor(message: string, position: number) {
    super(`${message} at character ${position + 1}`);
    this.position = position;
  }
}

const MAX_SEGMENTS = 256;
/** The largest index of a JavaScript array. */
const MAX_INDEX = 4_294_967_294;
const MAX_LITERAL_DEPTH = 64;

/** Parses the templates of a text. @throws TemplateError for an unclosed or malformed template */
export function scanTemplate(text: string): Template {
  const parts: (string | Expression)[] = [];
  let literal = '';
  let at = 0;
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', at)) {
    if (open > at && text[open - 1] === '\\') {
      literal += `${text.slice(at, open - 1)}{{`;
      at = open + 2;
      continue;
    }
    literal += text.slice(at, open);
    if (literal !== '') parts.push(literal);
    literal = '';
    const scanner = new ExpressionScanner(text, open);
    parts.push(scanner.scan());
    at = scanner.at;
  }
  literal += text.slice(at);
  if (literal !== '') parts.push(literal);
  return { parts, single: findSingle(parts) };
}

/** True if the text is exactly one well-formed template, whose value keeps its type. */
export function isOneTemplate(text: string): boolean {
  try {
    return scanTemplate(text).single !== null;
  } catch {
    return false;
  }
}

function findSingle(parts: readonly (string | Expression)[]): Expression | null {
  // More than three parts cannot be "space, expression, space".
  if (parts.length > 3) return null;
  let single: Expression | null = null;
  for (const part of parts) {
    if (typeof part === 'string') {
      if (part.trim() !== '') return null;
    } else if (single === null) single = part;
    else return null;
  }
  return single;
}

/** Parses one `{{ … }}`; afterwards `at` is the index after the closing braces. */
class ExpressionScanner {
  readonly text: string;
  readonly open: number;
  at: number;

  constructor(text: string, open: number) {
    this.text = text;
    this.open = open;
    this.at = open + 2;
  }

  scan(): Expression {
    this.space();
    const start = this.at;
    const root = this.name('a name', isRootStart);
    const path = this.path();
    const text = this.text.slice(start, this.at);
    this.space();
    let filter: Filter | null = null;
    if (this.accept('|')) {
      filter = this.filter();
      this.space();
    }
    if (!this.accept('}}')) this.fail('Template has no closing "}}" or an unexpected character');
    return { root, path, text, filter, source: this.text.slice(this.open, this.at) };
  }

  private path(): (string | number)[] {
    const path: (string | number)[] = [];
    for (;;) {
      if (this.accept('.')) path.push(this.name('a key', isNameChar));
      else if (this.accept('[')) path.push(this.bracket());
      else return path;
      if (path.length > MAX_SEGMENTS) this.fail(`Template path has more than ${MAX_SEGMENTS} segments`);
    }
  }

  private bracket(): string | number {
    const key = this.text[this.at] === '"' ? this.quoted() : this.index();
    if (!this.accept(']')) this.fail('Template path has no closing "]"');
    return key;
  }

  private index(): number {
    const start = this.at;
    while (isDigit(this.text.charCodeAt(this.at))) this.at += 1;
    const digits = this.text.slice(start, this.at);
    const index = Number(digits);
    if (digits === '' || index > MAX_INDEX || String(index) !== digits) {
      this.fail('Template path needs an array index or a quoted key in brackets');
    }
    return index;
  }

  private quoted(): string {
    const start = this.at;
    const end = findStringEnd(this.text, start);
    if (end === -1) this.fail('Template path has an unclosed quote');
    this.at = end;
    const key = this.parse(start, end);
    return typeof key === 'string' ? key : this.fail('Template path has an invalid key');
  }

  private filter(): Filter {
    this.space();
    const name = this.name('a filter', isNameChar);
    if (name === 'json' || name === 'length') return { name };
    if (name !== 'default') this.fail('Template has an unknown filter (known: default, json, length)');
    this.space();
    if (!this.accept('(')) this.fail('Filter default needs a JSON value in parentheses');
    const start = this.at;
    const end = findArgumentEnd(this.text, start);
    if (end === -1) this.fail('Filter default has no closing ")"');
    const value = this.parse(start, end);
    this.at = end + 1;
    return { name, value };
  }

  private parse(start: number, end: number): Json {
    try {
      const value = JSON.parse(this.text.slice(start, end)) as Json;
      if (!isDeeperThan(value, MAX_LITERAL_DEPTH) && toStorable(value) === value)
        return keepDigits(this.text.slice(start, end), value).value;
    } catch {
      // Reported below, with the position in the template.
    }
    return this.fail('Template holds an invalid JSON value');
  }

  private name(what: string, isStart: (code: number) => boolean): string {
    const start = this.at;
    if (!isStart(this.text.charCodeAt(this.at))) this.fail(`Template needs ${what}`);
    while (isNameChar(this.text.charCodeAt(this.at))) this.at += 1;
    return this.text.slice(start, this.at);
  }

  private space(): void {
    while (isSpace(this.text.charCodeAt(this.at))) this.at += 1;
  }

  private accept(token: string): boolean {
    if (!this.text.startsWith(token, this.at)) return false;
    this.at += token.length;
    return true;
  }

  private fail(message: string): never {
    throw new TemplateError(message, this.at < this.text.length ? this.at : this.open);
  }
}

/** Index after the closing quote of the JSON string that opens at `start`, or -1. */
function findStringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return -1;
}

/** Index of the parenthesis that closes a JSON argument, or -1; parentheses inside strings do not count. */
function findArgumentEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === ')') return at;
    if (text[at] !== '"') continue;
    const end = findStringEnd(text, at);
    if (end === -1) return -1;
    at = end - 1;
  }
  return -1;
}

// Comparisons with NaN (end of text) are false, so each of these ends a scan there.
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);
/** Letters, the underscore and everything outside ASCII except the non-breaking space. */
const isRootStart = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code > 160;
const isNameChar = (code: number): boolean => isRootStart(code) || isDigit(code) || code === 45;
