/**
 * Estimates the compiled size of an RE2 pattern from its text: `(?:ab){1000}` is short to write. Compiling takes 1 µs per
 * instruction, so patterns that are too large must be refused before they are compiled.
 */
import { isObject, ownValue, type Json } from '../values/value.ts';

/** SPEC SEC-R03. */
export const MAX_PATTERN_BYTES = 1024;
/** Fixed cost of compiling any pattern, in instructions. */
const INSTRUCTIONS_PER_PATTERN = 25;
/** A class such as `\pL` is one instruction with hundreds of ranges. */
const INSTRUCTIONS_PER_UNICODE_CLASS = 100;
/** Limit for all patterns of a definition together: each validation compiles them all, in about 250 ms at this limit. */
export const MAX_PATTERNS_SIZE = 250_000;

const REPETITION = /\{(\d{1,6})(,(\d{0,6}))?\}/y;

/** A group that is being read: its size so far, and the size of its last item, which may be repeated. */
interface GroupSize {
  size: number;
  last: number;
}

/** Upper bound of the instructions that a valid pattern compiles to. */
export function measurePattern(pattern: string): number {
  const open: GroupSize[] = [];
  let part: GroupSize = { size: 0, last: 0 };
  const add = (size: number): void => {
    part.size += size;
    part.last = size;
  };
  for (let at = 0; at < pattern.length;) {
    const character = pattern[at];
    if (character === '(') {
      open.push(part);
      part = { size: 0, last: 0 };
      at += 1;
    } else if (character === ')') {
      // Two instructions capture the start and the end of the group.
      const inner = part.size + 2;
      part = open.pop() ?? { size: 0, last: 0 };
      add(inner);
      at += 1;
    } else if (character === '{') at = readRepetition(pattern, at, part);
    else if (character === '*' || character === '+' || character === '?') {
      // An unbounded repetition of an item that may be empty takes a second instruction.
      part.size += 2;
      part.last += 2;
      at += 1;
    } else {
      const item = readItem(pattern, at);
      add(item.size);
      at = item.end;
    }
  }
  return INSTRUCTIONS_PER_PATTERN + open.reduce((size, outer) => size + outer.size, part.size);
}

/** Repeats the last item of a part. @returns the index after the repetition */
function readRepetition(pattern: string, at: number, part: GroupSize): number {
  REPETITION.lastIndex = at;
  const found = REPETITION.exec(pattern);
  if (found === null) {
    part.size += 1;
    part.last = 1;
    return at + 1;
  }
  const [text, least = '', more, most = ''] = found;
  const times = Math.max(1, most === '' ? Number(least) + (more === undefined ? 0 : 1) : Number(most));
  // Each repetition takes one instruction to decide whether another follows.
  const repeated = (part.last + 1) * times;
  part.size += repeated - part.last;
  part.last = repeated;
  return at + text.length;
}

interface Item {
  readonly size: number;
  readonly end: number;
}

/** A character, a class, an escape or quoted text. */
function readItem(pattern: string, at: number): Item {
  if (pattern[at] === '[') return readClass(pattern, at);
  if (pattern[at] !== '\\') return { size: 1, end: at + 1 };
  const escaped = pattern[at + 1];
  if (escaped === 'Q') {
    const end = pattern.indexOf('\\E', at + 2);
    const stop = end === -1 ? pattern.length : end;
    return { size: stop - at, end: Math.min(pattern.length, stop + 2) };
  }
  const isUnicode = escaped === 'p' || escaped === 'P';
  const isBraced = (isUnicode || escaped === 'x') && pattern[at + 2] === '{';
  const close = isBraced ? pattern.indexOf('}', at + 3) : -1;
  const end = close === -1 ? at + (isUnicode ? 3 : 2) : close + 1;
  return { size: isUnicode ? INSTRUCTIONS_PER_UNICODE_CLASS : 1, end };
}

function readClass(pattern: string, start: number): Item {
  let size = 1;
  let at = start + (pattern[start + 1] === '^' ? 2 : 1);
  // A closing bracket at the start of a class is a literal.
  if (pattern[at] === ']') at += 1;
  for (; at < pattern.length && pattern[at] !== ']'; at += 1) {
    if (pattern.startsWith('[:', at)) {
      const close = pattern.indexOf(':]', at + 2);
      if (close !== -1) at = close + 1;
    } else if (pattern[at] === '\\') {
      at += 1;
      if (pattern[at] === 'p' || pattern[at] === 'P') size += INSTRUCTIONS_PER_UNICODE_CLASS;
    }
  }
  return { size, end: at + 1 };
}

/**
 * Adds up the sizes of all patterns in a value: those of rules with `matches`, and every key `pattern`. Stops counting
 * beyond `enough`; safe for any depth.
 */
export function measurePatterns(value: Json, enough: number): number {
  let size = 0;
  const rest = [value];
  for (let at = rest.pop(); at !== undefined && size <= enough; at = rest.pop()) {
    if (typeof at !== 'object' || at === null) continue;
    if (isObject(at)) {
      for (const key of ownValue(at, 'op') === 'matches' ? ['right', 'pattern'] : ['pattern']) {
        const pattern = ownValue(at, key);
        // Longer patterns are refused without being compiled.
        if (typeof pattern === 'string' && pattern.length <= MAX_PATTERN_BYTES)
          size += measurePattern(pattern);
      }
    }
    for (const child of Object.values(at)) if (typeof child === 'object') rest.push(child);
  }
  return size;
}
