/**
 * The secrets that one piece of work has used, and how they are struck out of everything it leaves behind: texts, JSON
 * values and streams of text in which a secret may come in pieces.
 */
import { setOwn } from '../../graph/value.ts';
import type { Json, JsonObject } from '../../graph/value.ts';

const STRUCK = '***';
/** Shorter values are no secrets and would strike out ordinary words; schemas refuse them. */
const MIN_LENGTH = 4;

/** The spellings in which a value turns up in what services answer. */
function spellings(value: string): string[] {
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)];
}

export class Secrets {
  /** Longest first: a secret that contains another is struck out whole. */
  #values: readonly string[] = [];

  /** From now on this value is struck out. */
  add(...values: readonly string[]): void {
    const usable = values.filter((value) => value.length >= MIN_LENGTH).flatMap(spellings);
    this.#values = [...new Set([...this.#values, ...usable])].toSorted((a, b) => b.length - a.length);
  }

  get isEmpty(): boolean {
    return this.#values.length === 0;
  }

  text(text: string): string {
    return this.#values.reduce((rest, value) => rest.replaceAll(value, STRUCK), text);
  }

  /** The same bytes without the secrets. Done before they become base64, in which no secret is found any more. */
  bytes(bytes: Uint8Array): Uint8Array {
    const spelt = (text: string): string => Buffer.from(text).toString('latin1');
    const text = Buffer.from(bytes).toString('latin1');
    const struck = this.#values.reduce((rest, value) => rest.replaceAll(spelt(value), STRUCK), text);
    return struck === text ? bytes : Buffer.from(struck, 'latin1');
  }

  /** A copy without the secrets, keys of objects included; the value itself when there are none. */
  json<Value extends Json>(value: Value): Value {
    return (this.isEmpty ? value : this.#walk(value)) as Value;
  }

  #walk(value: Json): Json {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.#walk(item));
    const copy: JsonObject = {};
    for (const [key, item] of Object.entries(value)) setOwn(copy, this.text(key), this.#walk(item));
    return copy;
  }

  /** How many characters at the end of a text may be the beginning of a secret. */
  openEnd(text: string): number {
    let open = 0;
    for (const value of this.#values) {
      for (let length = Math.min(value.length - 1, text.length); length > open; length -= 1) {
        if (value.startsWith(text.slice(text.length - length))) open = length;
      }
    }
    return open;
  }
}

/** Strikes secrets out of a text that comes in pieces: holds back an end that may be the beginning of one. */
export class SecretStream {
  readonly #secrets: Secrets;
  #held = '';

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** @returns what can be shown now; empty when all of it is held back */
  push(piece: string): string {
    if (this.#secrets.isEmpty) return piece;
    const text = this.#secrets.text(this.#held + piece);
    const open = this.#secrets.openEnd(text);
    this.#held = text.slice(text.length - open);
    return text.slice(0, text.length - open);
  }

  /** @returns what was held back and is no secret after all */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }
}
