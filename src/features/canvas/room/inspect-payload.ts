/**
 * Checks a payload before any schema reads it: depth, size, forbidden keys, and texts that PostgreSQL cannot store. One
 * such text in the document would make every later save of the room fail.
 */
import { isIncomparable, findTextFault } from '../../../language/graph/values/storable.ts';
import { isForbiddenKey } from '../../../language/graph/values/value.ts';
import type { Rejection } from './rejection.ts';

const MAX_DEPTH = 64;
const MAX_STRING = 256 * 1024;
const TEXT_FAULTS = {
  nul: 'NUL characters are not allowed',
  surrogate: 'lone surrogates are not allowed',
} as const;

const invalid = (because: string): Rejection => ({ code: 'INVALID_PAYLOAD', because });

function textProblem(text: string): Rejection | null {
  if (text.length > MAX_STRING)
    return { code: 'PAYLOAD_TOO_LARGE', because: 'a string is larger than 256 KiB' };
  const fault = findTextFault(text);
  return fault === null ? null : invalid(TEXT_FAULTS[fault]);
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** fast-json-patch, by which clients follow the room, applies no patch below `constructor/prototype`; alone, each is data. */
const reachesPrototype = (key: string, child: unknown): boolean =>
  key === 'constructor' && typeof child === 'object' && child !== null && Object.hasOwn(child, 'prototype');

class Inspection {
  #size = 0;
  get size(): number {
    return this.#size;
  }
  readonly #maxSize: number;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  #grow(by: number): Rejection | null {
    this.#size += by;
    return this.#size > this.#maxSize ? { code: 'PAYLOAD_TOO_LARGE' } : null;
  }

  value(value: unknown, depth: number): Rejection | null {
    if (value === null || typeof value === 'boolean') return this.#grow(5);
    if (typeof value === 'string') return textProblem(value) ?? this.#grow(value.length + 3);
    if (typeof value === 'number') {
      return Number.isFinite(value) ? this.#grow(8) : invalid('a number is out of range');
    }
    if (typeof value !== 'object') return invalid('only JSON is allowed');
    if (depth >= MAX_DEPTH) return invalid(`JSON is nested more than ${MAX_DEPTH} levels deep`);
    return Array.isArray(value) ? this.#list(value, depth + 1) : this.#object(value, depth + 1);
  }

  #list(list: readonly unknown[], depth: number): Rejection | null {
    let problem = this.#grow(2 + list.length);
    for (let i = 0; i < list.length && problem === null; i += 1) problem = this.value(list[i], depth);
    return problem;
  }

  #object(object: object, depth: number): Rejection | null {
    if (!isPlain(object)) return invalid('only JSON is allowed');
    for (const [key, child] of Object.entries(object)) {
      if (isForbiddenKey(key)) return invalid(`the key ${key} is not allowed`);
      if (reachesPrototype(key, child)) return invalid('the path constructor/prototype is not allowed');
      if (key === 'length' && isIncomparable(child)) return invalid('a length must be comparable');
      const problem = textProblem(key) ?? this.#grow(key.length + 4) ?? this.value(child, depth);
      if (problem !== null) return problem;
    }
    return null;
  }
}

/**
 * Checks a payload in one bounded pass.
 * @param maxSize approximate bound of its JSON text, in UTF-16 units
 * @returns the first problem; null when there is none
 */
export function inspectPayload(payload: unknown, maxSize: number): Rejection | null {
  return new Inspection(maxSize).value(payload, 0);
}

/** Measures a payload as `inspectPayload` does. */
export function measurePayload(payload: unknown): number {
  const inspection = new Inspection(Infinity);
  inspection.value(payload, 0);
  return inspection.size;
}
