/**
 * Patterns that tenants write, matched in linear time: RE2 syntax only, bounded in length, in compiled size and in
 * the work of one search. The host's own RegExp never sees them.
 */
import { RE2JS } from 're2js';
import { NodeError } from './kind.ts';

/** SPEC SEC-R03. */
const MAX_PATTERN_BYTES = 1024;
/** `(a{1000}){…}` is short to write: what counts is the compiled program. */
const MAX_PROGRAM_SIZE = 2500;
/** Instructions times characters of one search; the slowest engine of re2js does about 11 million a second. */
const MAX_WORK = 50_000_000;
const CACHED = 500;

type Compiled = { readonly re: RE2JS } | { readonly problem: string };

const compiled = new Map<string, Compiled>();

function compileFresh(pattern: string): Compiled {
  if (Buffer.byteLength(pattern) > MAX_PATTERN_BYTES) return { problem: 'The pattern is longer than 1 kB' };
  try {
    const re = RE2JS.compile(pattern);
    return re.programSize() > MAX_PROGRAM_SIZE
      ? { problem: 'The pattern is too large when compiled' }
      : { re };
  } catch (error) {
    return {
      problem: `The pattern is not valid RE2 syntax: ${error instanceof Error ? error.message : 'unknown'}`,
    };
  }
}

function lookUp(pattern: string): Compiled {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const made = compileFresh(pattern);
  // Oldest first out: a bounded cache is enough, patterns come from a few definitions at a time.
  const oldest = compiled.size >= CACHED ? compiled.keys().next().value : undefined;
  if (oldest !== undefined) compiled.delete(oldest);
  // A huge pattern is refused, not remembered.
  if (pattern.length <= MAX_PATTERN_BYTES) compiled.set(pattern, made);
  return made;
}

function compilePattern(pattern: string, text: string): RE2JS {
  const found = lookUp(pattern);
  if ('problem' in found) throw new NodeError('invalid_pattern', found.problem);
  if (found.re.programSize() * text.length > MAX_WORK) {
    throw new NodeError('pattern_too_costly', 'The pattern is too costly for a text of this length');
  }
  return found.re;
}

/** What is wrong with a pattern, or null. */
export function patternProblem(pattern: string): string | null {
  const found = lookUp(pattern);
  return 'problem' in found ? found.problem : null;
}

/**
 * True if the pattern is found anywhere in the text.
 * @throws NodeError `invalid_pattern`, `pattern_too_costly`
 */
export function matches(pattern: string, text: string): boolean {
  return compilePattern(pattern, text).test(text);
}

/**
 * The places where the pattern is found, as [start, end), from left to right, without overlap.
 * @throws NodeError `invalid_pattern`, `pattern_too_costly`
 */
export function findAll(pattern: string, text: string, limit: number): [number, number][] {
  const matcher = compilePattern(pattern, text).matcher(text);
  const found: [number, number][] = [];
  while (found.length < limit && matcher.find()) {
    if (matcher.end() > matcher.start()) found.push([matcher.start(), matcher.end()]);
  }
  return found;
}
