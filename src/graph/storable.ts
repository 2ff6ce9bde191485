/** What JSON from outside may hold nowhere, whoever sends it: text that cannot be stored, keys that are not plain data. */

const LONE_SURROGATE = /\p{Surrogate}/u;

/** What is wrong with a text wherever it stands: PostgreSQL stores neither NUL nor half a character. */
export function textFault(text: string): 'nul' | 'surrogate' | null {
  if (text.includes('\0')) return 'nul';
  return LONE_SURROGATE.test(text) ? 'surrogate' : null;
}

/**
 * Whether a `length` would throw where it is compared with a number: schema libraries read it of whatever stands in a
 * text's place, and `{"toString":null}` has no way to become one.
 */
export function isIncomparable(value: unknown): boolean {
  try {
    Number(value);
    return false;
  } catch {
    return true;
  }
}
