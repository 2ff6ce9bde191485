/** JSON pointers (RFC 6901) into JSON values, read and written without changing what was there. */
import { isObject, ownValue, type Json } from './value.ts';

/** The tokens of a pointer; the empty pointer has none. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const escapeToken = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1');

/** The pointer of tokens. */
export function formatPointer(tokens: readonly string[]): string {
  return tokens.map((token) => `/${escapeToken(token)}`).join('');
}

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/** The element or property that a token names; undefined when there is none. */
function child(value: Json | undefined, token: string): Json | undefined {
  if (Array.isArray(value)) return INDEX.test(token) ? ownValue(value, Number(token)) : undefined;
  return ownValue(value, token);
}

/** What is at the pointer; undefined when nothing is. */
export function valueAt(root: Json | undefined, tokens: readonly string[]): Json | undefined {
  let value = root;
  for (const token of tokens) value = child(value, token);
  return value;
}

/** The pointer with `-` replaced by the index that it means; null when it does not fit an array on its way. */
export function settlePointer(root: Json, tokens: readonly string[]): string[] | null {
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
 * A copy of `root` with `next` at the pointer. What is missing on the way, or is no container, becomes an object: the
 * last writer wins over a value that somebody put there meanwhile. Takes settled pointers only.
 */
export function withValueAt(root: Json | undefined, tokens: readonly string[], next: Json): Json {
  const [token, ...rest] = tokens;
  if (token === undefined) return next;
  const inner = withValueAt(child(root, token), rest, next);
  if (Array.isArray(root)) {
    const copy = [...root];
    copy[Number(token)] = inner;
    return copy;
  }
  return { ...(isObject(root) ? root : {}), [token]: inner };
}

/** A copy of `root` without what is at the pointer; `root` itself when nothing is. An array closes the gap. */
export function withoutValueAt(root: Json, tokens: readonly string[]): Json {
  const [token, ...rest] = tokens;
  const inner = token === undefined ? undefined : child(root, token);
  if (token === undefined || inner === undefined) return root;
  const changed = rest.length === 0 ? undefined : withoutValueAt(inner, rest);
  if (changed === inner) return root;
  if (Array.isArray(root)) {
    return changed === undefined ? root.toSpliced(Number(token), 1) : root.with(Number(token), changed);
  }
  if (!isObject(root)) return root;
  if (changed !== undefined) return { ...root, [token]: changed };
  const { [token]: _removed, ...kept } = root;
  return kept;
}
