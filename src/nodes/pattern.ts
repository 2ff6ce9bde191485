/**
 * Patterns that tenants write, matched in linear time: RE2 syntax only, bounded in length, in compiled size and in
 * the work of one search. The host's own RegExp never sees them.
 */
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { NodeError } from './kind.ts';

/** SPEC SEC-R03. */
export const MAX_PATTERN_BYTES = 1024;
/** `(a{1000}){…}` is short to write: what counts is the compiled program. */
const MAX_PROGRAM_SIZE = 2500;
/** Instructions times characters of one search; the slowest engine of re2js does about 11 million a second. */
const MAX_WORK = 50_000_000;
/** Patterns come from a few definitions at a time. */
const KEPT_PATTERNS = 500;

type Compiled = { readonly re: RE2JS } | { readonly problem: string };

function compile(pattern: string): Compiled {
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

function usable(compiled: Compiled, text: string): RE2JS {
  if ('problem' in compiled) throw new NodeError('invalid_pattern', compiled.problem);
  if (compiled.re.programSize() * text.length > MAX_WORK) {
    throw new NodeError('pattern_too_costly', 'The pattern is too costly for a text of this length');
  }
  return compiled.re;
}

/** What is wrong with a pattern, or null. */
export function patternProblem(pattern: string): string | null {
  const compiled = compile(pattern);
  return 'problem' in compiled ? compiled.problem : null;
}

/**
 * True if the pattern is found anywhere in the text.
 * @throws NodeError `invalid_pattern`, `pattern_too_costly`
 */
export function matches(pattern: string, text: string): boolean {
  return usable(compile(pattern), text).test(text);
}

/** `matches` for a process that asks for the same patterns again and again: the last ones stay compiled. */
export class Patterns {
  readonly #compiled = new LRUCache<string, Compiled>({ max: KEPT_PATTERNS });

  /** As the function: true if the pattern is found anywhere in the text; throws the same. */
  matches(pattern: string, text: string): boolean {
    const known = this.#compiled.get(pattern);
    const compiled = known ?? compile(pattern);
    // A pattern that is too long is refused each time, not kept.
    if (known === undefined && pattern.length <= MAX_PATTERN_BYTES) this.#compiled.set(pattern, compiled);
    return usable(compiled, text).test(text);
  }
}

/**
 * The places where the pattern is found, as [start, end), from left to right, without overlap.
 * @throws NodeError `invalid_pattern`, `pattern_too_costly`
 */
export function findAll(pattern: string, text: string, limit: number): [number, number][] {
  const matcher = usable(compile(pattern), text).matcher(text);
  const found: [number, number][] = [];
  while (found.length < limit && matcher.find()) {
    if (matcher.end() > matcher.start()) found.push([matcher.start(), matcher.end()]);
  }
  return found;
}
