/** Reads and writes JSON values by JSON pointer (RFC 6901). Values are never changed in place. */
import { isObject, ownValue, type Json } from './value.ts';

/** Splits a pointer into tokens; the empty pointer has none. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const escapeToken = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1');

/** Joins tokens to a pointer. */
export function formatPointer(tokens: readonly string[]): string {
  return tokens.map((token) => `/${escapeToken(token)}`).join('');
}

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

function child(value: Json | undefined, token: string): Json | undefined {
  if (Array.isArray(value)) return INDEX.test(token) ? ownValue(value, Number(token)) : undefined;
  return ownValue(value, token);
}

/** The value at a pointer; undefined when there is none. */
export function getAt(root: Json | undefined, tokens: readonly string[]): Json | undefined {
  let value = root;
  for (const token of tokens) value = child(value, token);
  return value;
}

/** Replaces `-` by the index after the last element; null when a token is no valid index of its array. */
export function resolvePointer(root: Json, tokens: readonly string[]): string[] | null {
  const settled: string[] = [];
  let value: Json | undefined = root;
  for (const token of tokens) {
    if (!Array.isArray(value)) settled.push(token);
    else if (token === '-') settled.push(String(value.length));
    else if (INDEX.test(token) && Number(token) <= value.length) settled.push(token);
    else return null;
    value = child(value, token);
  }
  return settled;
}

/**
 * Copies `root` with `next` at the pointer. A missing or scalar parent becomes an object, so that the last writer wins over a
 * concurrent change. @param tokens from `resolvePointer`
 */
export function setAt(root: Json | undefined, tokens: readonly string[], next: Json): Json {
  const [token, ...rest] = tokens;
  if (token === undefined) return next;
  const inner = setAt(child(root, token), rest, next);
  if (Array.isArray(root)) {
    const copy = [...root];
    copy[Number(token)] = inner;
    return copy;
  }
  return { ...(isObject(root) ? root : {}), [token]: inner };
}

/** Copies `root` without the value at the pointer; returns `root` itself when there is none. Arrays close the gap. */
export function removeAt(root: Json, tokens: readonly string[]): Json {
  const [token, ...rest] = tokens;
  const inner = token === undefined ? undefined : child(root, token);
  if (token === undefined || inner === undefined) return root;
  const changed = rest.length === 0 ? undefined : removeAt(inner, rest);
  if (changed === inner) return root;
  if (Array.isArray(root)) {
    return changed === undefined ? root.toSpliced(Number(token), 1) : root.with(Number(token), changed);
  }
  if (!isObject(root)) return root;
  if (changed !== undefined) return { ...root, [token]: changed };
  const { [token]: _removed, ...kept } = root;
  return kept;
}
