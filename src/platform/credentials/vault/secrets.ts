/**
 * Removes the secrets that an attempt has used from its texts, JSON values and streams, in which a secret may arrive in
 * pieces.
 */
import { setOwn } from '../../../language/graph/values/value.ts';
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';

const REDACTED = '***';
/** Shorter values would match ordinary words; schemas reject them as secrets. */
const MIN_LENGTH = 4;

/** Encodings in which services echo a value. */
function spellings(value: string): string[] {
  const formEncoded = new URLSearchParams([['', value]]).toString().slice(1);
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), formEncoded];
}

export class Secrets {
  /** Longest first, so that a secret that contains another is removed whole. */
  #values: readonly string[] = [];

  add(...values: readonly string[]): void {
    const usable = values.filter((value) => value.length >= MIN_LENGTH).flatMap(spellings);
    this.#values = [...new Set([...this.#values, ...usable])].toSorted((a, b) => b.length - a.length);
  }

  get isEmpty(): boolean {
    return this.#values.length === 0;
  }

  text(text: string): string {
    return this.#values.reduce((rest, value) => rest.replaceAll(value, REDACTED), text);
  }

  /** Removes secrets from bytes. Call it before base64 encoding, which would hide them. */
  bytes(bytes: Uint8Array): Uint8Array {
    const encode = (text: string): string => Buffer.from(text).toString('latin1');
    const text = Buffer.from(bytes).toString('latin1');
    const redacted = this.#values.reduce((rest, value) => rest.replaceAll(encode(value), REDACTED), text);
    return redacted === text ? bytes : Buffer.from(redacted, 'latin1');
  }

  /** @returns a copy without secrets, also in keys; the value itself when there are none */
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

  /** @returns how many characters at the end of a text may begin a secret */
  countOpenEnd(text: string): number {
    let open = 0;
    for (const value of this.#values) {
      for (let length = Math.min(value.length - 1, text.length); length > open; length -= 1) {
        if (value.startsWith(text.slice(text.length - length))) open = length;
      }
    }
    return open;
  }
}

/** Removes secrets from a stream of text: holds back an end that may begin one. */
export class SecretStream {
  readonly #secrets: Secrets;
  #held = '';

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** @returns the text that is safe to emit, possibly empty */
  push(piece: string): string {
    if (this.#secrets.isEmpty) return piece;
    const text = this.#secrets.text(this.#held + piece);
    const open = this.#secrets.countOpenEnd(text);
    this.#held = text.slice(text.length - open);
    return text.slice(0, text.length - open);
  }

  /** @returns the held-back end, which is no secret after all */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }
}
