/**
 * How large an RE2 pattern becomes when it is compiled, read from its text: `(?:ab){1000}` is short to write. Compiling
 * takes a microsecond an instruction, so what would be too large is not compiled to find that out.
 */
import { isObject, ownValue, type Json } from './value.ts';

/** SPEC SEC-R03. */
export const MAX_PATTERN_BYTES = 1024;
/** Compiling a pattern costs as much as this many instructions before its first. */
const INSTRUCTIONS_PER_PATTERN = 25;
/** A class such as `\pL` is one instruction of hundreds of ranges. */
const INSTRUCTIONS_PER_UNICODE_CLASS = 100;
/** Patterns of a definition together: compiling them all, as each look at its nodes does, takes a quarter of a second. */
export const MAX_PATTERNS_SIZE = 250_000;

const REPETITION = /\{(\d{1,6})(,(\d{0,6}))?\}/y;

/** A part of a pattern as it is read: its size so far, and that of its last item, which may be repeated. */
interface Part {
  size: number;
  last: number;
}

/** The most instructions that a pattern compiles to. Of a malformed pattern it says nothing. */
export function measurePattern(pattern: string): number {
  const open: Part[] = [];
  let part: Part = { size: 0, last: 0 };
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
      // A group remembers where it began and ended.
      const inner = part.size + 2;
      part = open.pop() ?? { size: 0, last: 0 };
      add(inner);
      at += 1;
    } else if (character === '{') at = readRepetition(pattern, at, part);
    else if (character === '*' || character === '+' || character === '?') {
      // What may repeat without end takes a second instruction where it may be empty.
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

/** Repeats the last item of a part. @returns where the pattern goes on */
function readRepetition(pattern: string, at: number, part: Part): number {
  REPETITION.lastIndex = at;
  const found = REPETITION.exec(pattern);
  if (found === null) {
    part.size += 1;
    part.last = 1;
    return at + 1;
  }
  const [text, least = '', more, most = ''] = found;
  const times = Math.max(1, most === '' ? Number(least) + (more === undefined ? 0 : 1) : Number(most));
  // A repetition that may end before the next one takes an instruction to decide.
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
  // The first bracket in a class stands for itself.
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
 * The sizes of all patterns in a value together: of rules with `matches`, and of whatever is called `pattern`. Nothing
 * is counted beyond `enough`. The value may nest as deep as it likes.
 */
export function measurePatterns(value: Json, enough: number): number {
  let size = 0;
  const rest = [value];
  for (let at = rest.pop(); at !== undefined && size <= enough; at = rest.pop()) {
    if (typeof at !== 'object' || at === null) continue;
    if (isObject(at)) {
      for (const key of ownValue(at, 'op') === 'matches' ? ['right', 'pattern'] : ['pattern']) {
        const pattern = ownValue(at, key);
        // A longer one is refused without being compiled.
        if (typeof pattern === 'string' && pattern.length <= MAX_PATTERN_BYTES)
          size += measurePattern(pattern);
      }
    }
    for (const child of Object.values(at)) if (typeof child === 'object') rest.push(child);
  }
  return size;
}
