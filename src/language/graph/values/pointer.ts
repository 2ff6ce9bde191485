/** Reads and writes JSON values by JSON pointer (RFC 6901). Values are never changed in place. */
import { isContainer, ownValue, setOwn, type Container, type Json } from './value.ts';

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

/** Returns a container that may be changed in place of the given one. */
export type CopyContainer = (container: Container) => Container;

/** Copies the container alone, not what is in it. */
export const copyContainer: CopyContainer = (container) =>
  Array.isArray(container) ? [...container] : { ...container };

function write(container: Container, token: string, value: Json): Container {
  if (Array.isArray(container)) container[Number(token)] = value;
  else setOwn(container, token, value);
  return container;
}

/**
 * Copies `root` with `next` at the pointer. A missing or scalar parent becomes an object, so that the last writer wins over a
 * concurrent change. @param tokens from `resolvePointer` @param copy of each container on the way: many edits share their copies
 */
export function setAt(
  root: Json | undefined,
  tokens: readonly string[],
  next: Json,
  copy: CopyContainer = copyContainer,
): Json {
  const [token, ...rest] = tokens;
  if (token === undefined) return next;
  const inner = setAt(child(root, token), rest, next, copy);
  return write(copy(isContainer(root) ? root : {}), token, inner);
}

/** Copies `root` without the value at the pointer; returns `root` itself when there is none. Arrays close the gap. @param copy as in `setAt` */
export function removeAt(root: Json, tokens: readonly string[], copy: CopyContainer = copyContainer): Json {
  if (tokens.length === 0 || getAt(root, tokens) === undefined) return root;
  return without(root, tokens, copy);
}

/** @param tokens of a value that is there */
function without(root: Json, [token, ...rest]: readonly string[], copy: CopyContainer): Json {
  const inner = token === undefined ? undefined : child(root, token);
  if (token === undefined || inner === undefined || !isContainer(root)) return root;
  const copied = copy(root);
  if (rest.length > 0) return write(copied, token, without(inner, rest, copy));
  if (Array.isArray(copied)) copied.splice(Number(token), 1);
  else delete copied[token];
  return copied;
}
