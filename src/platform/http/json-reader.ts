/**
 * Parses untrusted JSON a slice at a time, because a large text would hold the event loop. Values that must not be stored are refused on
 * the way, and numbers that would lose digits become texts; otherwise the value is that of JSON.parse (RFC 8259).
 */
import { invalid, type ApiError } from '../../base/errors.ts';
import {
  findStringEnd,
  isBound,
  isInexact,
  isKept,
  MAX_NUMBER_PATHS,
  type ExactJson,
} from '../../language/graph/values/exact-json.ts';
import { findJsonErrorOffset } from '../../language/graph/values/json-error-offset.ts';
import { findTextFault, isIncomparable, toStorableText } from '../../language/graph/values/storable.ts';
import type { Path } from '../../language/graph/template/template-scanner.ts';
import { isForbiddenKey, type Json, type JsonObject } from '../../language/graph/values/value.ts';

/** Maximum nesting depth (SPEC SEC-P05). */
export const MAX_DEPTH = 64;
/** V8 copies texts of up to this length; a longer slice would keep the whole body in memory. */
const MAX_COPIED = 12;

/** Texts without escapes and control characters (RFC 8259, section 7). */
const PLAIN = /^[^\\\p{Cc}]*$/u;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** The shortest integer that a double may not hold has 16 digits. */
const MAX_EXACT_LENGTH = 15;
const LITERALS: Readonly<Record<string, readonly [word: string, value: Json]>> = {
  t: ['true', true],
  f: ['false', false],
  n: ['null', null],
};

const TEXT_ISSUES = {
  nul: { type: 'string_nul', msg: 'NUL characters are not allowed' },
  surrogate: { type: 'string_surrogate', msg: 'Lone surrogates are not allowed' },
} as const;

/** Checks a text for characters that cannot be stored. @returns the type and message of the issue, or null */
export function findTextProblem(text: string): { readonly type: string; readonly msg: string } | null {
  const fault = findTextFault(text);
  return fault === null ? null : TEXT_ISSUES[fault];
}

/** An array or object that is not closed yet. */
interface Container {
  readonly value: Json[] | JsonObject;
  /** The key of the member that is being read. */
  key: string;
  /** Numbers of an object that would lose digits, by key: only its other members tell whether it is a schema. */
  inexact: Map<string, InexactNumber> | null;
}

interface InexactNumber {
  /** The text in its place; null for a decimal, which is rounded. */
  readonly text: string | null;
  /** Its entry among the paths of its kind; null beyond their maximum. */
  readonly path: Path | null;
}

/** The token that may come next. */
type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing';

export interface ReaderOptions {
  /** The field of the body that has the text, when it is not the body itself. */
  readonly at?: readonly string[];
  readonly maxDepth?: number;
  /** Makes texts, keys and numbers storable instead of refusing them: a machine that sends an event cannot mend it. */
  readonly isLenient?: boolean;
}

export class JsonReader {
  readonly #text: string;
  readonly #at: readonly string[];
  readonly #maxDepth: number;
  readonly #isLenient: boolean;
  readonly #open: Container[] = [];
  #texts: Path[] = [];
  #rounded: Path[] = [];
  #offset = 0;
  #expected: Expected = 'value';
  #root: Json = null;

  constructor(text: string, { at = [], maxDepth = MAX_DEPTH, isLenient = false }: ReaderOptions = {}) {
    this.#text = text;
    this.#at = at;
    this.#maxDepth = maxDepth;
    this.#isLenient = isLenient;
  }

  /** The value, after the last slice. */
  get result(): ExactJson {
    return { value: this.#root, texts: this.#texts, rounded: this.#rounded };
  }

  /**
   * Reads the next `chars` characters, and the rest of the token at their end.
   * @returns true when the text is read
   * @throws ApiError 422 shape C
   */
  read(chars: number): boolean {
    const text = this.#text;
    const until = this.#offset + chars;
    while (this.#offset < until) {
      if (this.#offset >= text.length) {
        if (this.#expected !== 'nothing') throw this.#refuseSyntax(text.length);
        return true;
      }
      const unit = text.charAt(this.#offset);
      if (unit === ' ' || unit === '\n' || unit === '\r' || unit === '\t') this.#offset += 1;
      else this.#readToken(unit);
    }
    return false;
  }

  #readToken(unit: string): void {
    switch (this.#expected) {
      case 'value-or-end':
        if (unit === ']') this.#close();
        else this.#readValue(unit);
        return;
      case 'value':
        this.#readValue(unit);
        return;
      case 'key-or-end':
        if (unit === '}') this.#close();
        else this.#readKey(unit);
        return;
      case 'key':
        this.#readKey(unit);
        return;
      case 'colon':
        if (unit !== ':') throw this.#refuseSyntax(this.#offset);
        this.#offset += 1;
        this.#expected = 'value';
        return;
      case 'comma-or-end':
        this.#readComma(unit);
        return;
      case 'nothing':
        throw this.#refuseSyntax(this.#offset);
    }
  }

  #readComma(unit: string): void {
    const isList = Array.isArray(this.#open.at(-1)?.value);
    if (unit === ',') {
      this.#offset += 1;
      this.#expected = isList ? 'value' : 'key';
    } else if (unit === (isList ? ']' : '}')) this.#close();
    else throw this.#refuseSyntax(this.#offset);
  }

  #readValue(unit: string): void {
    if (unit === '{') this.#openContainer({}, 'key-or-end');
    else if (unit === '[') this.#openContainer([], 'value-or-end');
    else if (unit === '"') this.#put(this.#readStorable());
    else {
      const literal = LITERALS[unit];
      if (literal === undefined) this.#readNumber();
      else if (this.#text.startsWith(literal[0], this.#offset)) {
        this.#offset += literal[0].length;
        this.#put(literal[1]);
      } else throw this.#refuseSyntax(this.#offset);
    }
  }

  #openContainer(value: Json[] | JsonObject, expected: Expected): void {
    if (this.#open.length === this.#maxDepth)
      throw this.#refuse([], 'json_depth', `JSON is nested more than ${this.#maxDepth} levels deep`);
    this.#open.push({ value, key: '', inexact: null });
    this.#offset += 1;
    this.#expected = expected;
  }

  #close(): void {
    const closed = this.#open.at(-1);
    if (closed === undefined) return;
    const { value, inexact } = closed;
    for (const [key, number] of inexact ?? []) {
      if (isBound(value, key)) this.#forgetNumber(number);
      else if (number.text !== null) (value as JsonObject)[key] = number.text;
    }
    this.#open.pop();
    this.#offset += 1;
    this.#put(value);
  }

  #readKey(unit: string): void {
    if (unit !== '"') throw this.#refuseSyntax(this.#offset);
    const key = this.#readStorable(-1);
    if (isForbiddenKey(key))
      throw this.#refuse(this.#buildPath(-1), 'key_forbidden', `The key ${key} is not allowed`);
    const container = this.#open.at(-1);
    if (container !== undefined) container.key = key;
    this.#expected = 'colon';
  }

  /** Reads a text or key. @param end as for `#buildPath`: the place that a refusal names */
  #readStorable(end?: -1): string {
    const opened = this.#offset;
    const text = this.#readString();
    // A text without an escape is a part of the body, which has neither NUL nor half a character.
    if (this.#offset - opened - 2 === text.length) return text;
    if (this.#isLenient) return toStorableText(text);
    const problem = findTextProblem(text);
    if (problem !== null) throw this.#refuse(this.#buildPath(end), problem.type, problem.msg);
    return text;
  }

  #readString(): string {
    const text = this.#text;
    const opened = this.#offset;
    const end = findStringEnd(text, opened);
    if (end > text.length) throw this.#refuseSyntax(text.length);
    this.#offset = end;
    const inner = text.slice(opened + 1, end - 1);
    if (inner.length <= MAX_COPIED && PLAIN.test(inner)) return inner;
    const quoted = text.slice(opened, end);
    try {
      return JSON.parse(quoted) as string;
    } catch (error) {
      throw this.#refuseSyntax(opened + (findJsonErrorOffset(quoted, error) ?? 0));
    }
  }

  #readNumber(): void {
    NUMBER.lastIndex = this.#offset;
    const written = NUMBER.exec(this.#text)?.[0];
    if (written === undefined) throw this.#refuseSyntax(this.#offset);
    this.#offset += written.length;
    const value = Number(written);
    // 1e400 parses as Infinity and would be stored as null.
    if (!Number.isFinite(value) && !this.#isLenient)
      throw this.#refuse(this.#buildPath(), 'finite_number', 'Number out of range');
    if ((written.length <= MAX_EXACT_LENGTH && Number.isFinite(value)) || !isInexact(written))
      this.#put(value);
    else this.#putInexact(written, value);
  }

  #putInexact(written: string, value: number): void {
    const text = isKept(written) ? written : null;
    const paths = text === null ? this.#rounded : this.#texts;
    const path = paths.length < MAX_NUMBER_PATHS ? this.#buildPath() : null;
    if (path !== null) paths.push(path);
    const container = this.#open.at(-1);
    const isMember = container !== undefined && !Array.isArray(container.value);
    this.#put(isMember ? value : (text ?? value));
    if (!isMember) return;
    container.inexact ??= new Map();
    container.inexact.set(container.key, { text, path });
  }

  #forgetNumber({ path }: InexactNumber): void {
    if (path === null) return;
    this.#texts = this.#texts.filter((other) => other !== path);
    this.#rounded = this.#rounded.filter((other) => other !== path);
  }

  /** Stores a complete value in its container. */
  #put(value: Json): void {
    const container = this.#open.at(-1);
    if (container === undefined) {
      this.#root = value;
      this.#expected = 'nothing';
      return;
    }
    if (Array.isArray(container.value)) container.value.push(value);
    else {
      const { key } = container;
      if (key === 'length' && !this.#isLenient && isIncomparable(value)) {
        const msg = 'A key named length must hold a number';
        throw this.#refuse(this.#buildPath(-1), 'length_incomparable', msg);
      }
      // Of a key that is given twice the last value counts (SPEC SEC-P14).
      const earlier = container.inexact?.get(key);
      if (earlier !== undefined) this.#forgetNumber(earlier);
      container.inexact?.delete(key);
      container.value[key] = value;
    }
    this.#expected = 'comma-or-end';
  }

  /** The path of the value at hand; with -1 that of its container. Built only here, since a copy for each value adds up. */
  #buildPath(end?: -1): (string | number)[] {
    const path = this.#open.map(({ value, key }) => (Array.isArray(value) ? value.length : key));
    return path.slice(0, end);
  }

  #refuse(path: Path, type: string, msg: string): ApiError {
    return invalid([{ loc: ['body', ...this.#at, ...path], msg, type }]);
  }

  #refuseSyntax(offset: number): ApiError {
    return this.#refuse([offset], 'json_invalid', 'The body is not valid JSON');
  }
}
