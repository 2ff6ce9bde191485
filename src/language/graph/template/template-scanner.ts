/**
 * Parses templates: `{{ root ( .key | [0] | ["any key"] )* ( | filter: argument, … )* }}`. Arguments stand behind a colon or in parentheses; they are
 * JSON, texts in single quotes, or references.
 * Every character is read once, so hostile texts cost linear time.
 */
import { FILTER_SIGNATURES } from '../filters/filter-signatures.ts';
import { keepDigits } from '../values/exact-json.ts';
import { toStorable } from '../values/storable.ts';
import { isDeeperThan, type Json } from '../values/value.ts';

/** A path into a value. */
export type Path = readonly (string | number)[];

/** An argument that the definition gives, or one that only the run knows. */
export type FilterArgument = { readonly value: Json } | { readonly reference: ArgumentReference };

export interface Filter {
  readonly name: string;
  readonly args: readonly FilterArgument[];
}

export interface Reference {
  readonly root: string;
  readonly path: Path;
  /** The reference as written, without braces and filter: `classify.data.topic`. */
  readonly text: string;
}
interface ArgumentReference extends Reference {
  /** Index of its root in the text, or of the field that `state.` stands before. */
  readonly at: number;
}
export interface Expression extends Reference {
  /** In the order in which they are applied. */
  readonly filters: readonly Filter[];
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
const MAX_FILTERS = 20;

/** Finds what is wrong with the arguments of a filter. An argument is undefined when only the run knows it. */
type CheckArguments = (name: string, args: readonly (Json | undefined)[]) => string | null;

/**
 * Parses the templates of a text.
 * @param checkArguments for definitions that are saved or run; who only looks for references leaves it out
 * @throws TemplateError for an unclosed or malformed template
 */
export function scanTemplate(text: string, checkArguments?: CheckArguments): Template {
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
    const scanner = new ExpressionScanner(text, open, checkArguments);
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
  readonly checkArguments: CheckArguments | undefined;
  at: number;

  constructor(text: string, open: number, checkArguments: CheckArguments | undefined) {
    this.text = text;
    this.open = open;
    this.checkArguments = checkArguments;
    this.at = open + 2;
  }

  scan(): Expression {
    this.space();
    const start = this.at;
    const root = this.name('a name', isRootStart);
    const path = this.path();
    const text = this.text.slice(start, this.at);
    this.space();
    const filters: Filter[] = [];
    while (this.accept('|')) {
      if (filters.length === MAX_FILTERS) this.fail(`Template has more than ${MAX_FILTERS} filters`);
      filters.push(this.filter());
      this.space();
    }
    if (!this.accept('}}')) this.fail('Template has no closing "}}" or an unexpected character');
    return { root, path, text, filters, source: this.text.slice(this.open, this.at) };
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
    const signature = FILTER_SIGNATURES.get(name);
    if (signature === undefined)
      this.fail(`Template has an unknown filter (known: ${[...FILTER_SIGNATURES.keys()].join(', ')})`);
    const [least, most] = signature.args;
    this.space();
    const args = this.accept(':') ? this.list() : this.accept('(') ? this.bracketed() : [];
    if (args.length < least || args.length > most)
      this.fail(
        name === 'default'
          ? 'Filter default needs a JSON value in parentheses'
          : most === 0
            ? `Filter ${name} has no arguments`
            : `Filter ${name} is written ${signature.usage}`,
      );
    const given = args.map((arg) => ('value' in arg ? arg.value : undefined));
    const problem = this.checkArguments?.(name, given) ?? null;
    if (problem !== null) this.fail(problem);
    return { name, args };
  }

  private bracketed(): FilterArgument[] {
    const args = this.list();
    if (!this.accept(')')) this.fail('Filter has no closing ")"');
    return args;
  }

  private list(): FilterArgument[] {
    const args: FilterArgument[] = [];
    do {
      this.space();
      args.push(this.argument());
      this.space();
    } while (this.accept(','));
    return args;
  }

  private argument(): FilterArgument {
    const start = this.at;
    const char = this.text[start];
    if (char === "'") return { value: this.singleQuoted() };
    const word = /[a-z]/.test(char ?? '') ? WORDS.find((one) => this.isWord(one)) : undefined;
    if (word === undefined && isRootStart(this.text.charCodeAt(start)))
      return { reference: this.reference() };
    const end = word === undefined ? findLiteralEnd(this.text, start) : start + word.length;
    if (end === -1) this.fail('Filter has an argument that is not closed');
    this.at = end;
    return { value: this.parse(start, end) };
  }

  private isWord(word: string): boolean {
    return this.text.startsWith(word, this.at) && !/[\w.[-]/.test(this.text[this.at + word.length] ?? '');
  }

  private reference(): ArgumentReference {
    const start = this.at;
    const root = this.name('a name', isRootStart);
    const path = this.path();
    const text = this.text.slice(start, this.at);
    const at = root === 'state' && text.startsWith('state.') ? start + 'state.'.length : start;
    return { root, path, text, at };
  }

  /** A text in single quotes; a backslash stands before a quote or a backslash. */
  private singleQuoted(): string {
    const start = this.at + 1;
    let at = start;
    while (at < this.text.length && this.text[at] !== "'") at += this.text[at] === '\\' ? 2 : 1;
    if (at >= this.text.length) this.fail('Filter has a text without its closing quote');
    this.at = at + 1;
    const value = this.text.slice(start, at).replaceAll(/\\(['\\])/g, '$1');
    return toStorable(value) === value ? value : this.fail('Template holds an invalid JSON value');
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

/** The words of JSON. */
const WORDS = ['true', 'false', 'null'] as const;

/** Index after the JSON value that begins at `start`, or -1 when it is not closed; `parse` finds what else is wrong with it. */
function findLiteralEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '"') {
      const end = findStringEnd(text, at);
      if (end === -1 || depth === 0) return end;
      at = end - 1;
    } else if (char === '[' || char === '{') depth += 1;
    else if (depth === 0 && !/[-+.\deE]/.test(char)) return at;
    else if (char === ']' || char === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
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
