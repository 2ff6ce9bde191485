/**
 * Compiles and searches patterns of tenants: RE2 syntax, bounded in length and compiled size, never the host's RegExp. A
 * search costs the size of the pattern times the length of the text, counted before it starts.
 */
import { LRUCache } from 'lru-cache';
import { MatcherInput, RE2JS } from 're2js';
import { BoundedMap } from '../graph/values/bounded-map.ts';
import { countSearchSteps } from '../graph/definition/find-text.ts';
import { MAX_PATTERN_BYTES, measurePattern } from '../graph/checks/pattern-size.ts';
import type { PatternEngine, WorkBudget } from '../graph/values/work-budget.ts';
import { NodeError } from './kind.ts';
import { nextTurn } from './turn.ts';

/** Limit of the compiled program: `(a{1000}){…}` is short to write. */
const MAX_PROGRAM_SIZE = 2_500;
/** Patterns with a larger estimate (an upper bound) are not compiled at all. */
const MAX_EXPECTED_SIZE = 10 * MAX_PROGRAM_SIZE;
/** Steps to compile one instruction. */
const STEPS_PER_INSTRUCTION = 50;
/** Compiled patterns that are kept: the worker runs few definitions at a time. */
const KEPT_PATTERNS = 500;
/** Limit of the DFA of a pattern, which grows with searches; beyond it re2js uses its slower NFA. */
const MAX_AUTOMATON_BYTES = 512 * 1024;

type Compiled = { readonly re: RE2JS } | { readonly problem: string };

const TOO_LARGE: Compiled = { problem: 'The pattern is too large when compiled' };

function compile(pattern: string): Compiled {
  if (Buffer.byteLength(pattern) > MAX_PATTERN_BYTES) return { problem: 'The pattern is longer than 1 kB' };
  if (measurePattern(pattern) > MAX_EXPECTED_SIZE) return TOO_LARGE;
  try {
    const re = RE2JS.compile(pattern);
    if (re.programSize() > MAX_PROGRAM_SIZE) return TOO_LARGE;
    const { dfa } = re.re2Input;
    dfa.stateBudget = MAX_AUTOMATON_BYTES;
    dfa.memBudget = MAX_AUTOMATON_BYTES;
    return { re };
  } catch (error) {
    return {
      problem: `The pattern is not valid RE2 syntax: ${error instanceof Error ? error.message : 'unknown'}`,
    };
  }
}

/** The problem of a pattern, or null. */
export function findPatternProblem(pattern: string): string | null {
  const compiled = compile(pattern);
  return 'problem' in compiled ? compiled.problem : null;
}

/** A cache of the compiled patterns that a process used last. */
export class Patterns {
  readonly #compiled = new LRUCache<string, Compiled>({ max: KEPT_PATTERNS });

  /** Compiles a pattern, or returns it from the cache. */
  get(pattern: string): Compiled {
    const known = this.#compiled.get(pattern);
    if (known !== undefined) return known;
    const compiled = compile(pattern);
    // Long patterns are refused and would waste memory.
    if (pattern.length <= MAX_PATTERN_BYTES) this.#compiled.set(pattern, compiled);
    return compiled;
  }
}

/** The pattern searches of one node execution or one request. */
export class PatternSearch implements PatternEngine {
  readonly work: WorkBudget;
  readonly #patterns: Patterns;
  /** Patterns of this execution: the cost of compiling must not depend on the shared cache. */
  readonly #known = new BoundedMap<string, Compiled>(KEPT_PATTERNS);

  constructor(patterns: Patterns, work: WorkBudget) {
    this.#patterns = patterns;
    this.work = work;
  }

  /**
   * True if the pattern matches anywhere in the text.
   * @throws NodeError `invalid_pattern` @throws WorkLimitExceeded
   */
  matches(pattern: string, text: string): boolean {
    const re = this.#compile(pattern);
    this.work.spend(re.programSize() * (text.length + 1));
    return re.test(text);
  }

  /**
   * Finds non-overlapping matches as [start, end), from left to right.
   * @throws NodeError `invalid_pattern` @throws WorkLimitExceeded
   */
  async findAll(pattern: string, text: string, limit: number): Promise<[number, number][]> {
    const re = this.#compile(pattern);
    const counted = new CountedText(text, re.programSize(), this.work);
    const matcher = re.matcher(MatcherInput.utf16(counted));
    const found: [number, number][] = [];
    for (let end = 0; found.length < limit && matcher.find(); end = matcher.end()) {
      if (matcher.end() > matcher.start()) found.push([matcher.start(), matcher.end()]);
      counted.restart(Math.max(end, matcher.end()));
      if (this.work.isTurnOver) await nextTurn(this.work);
    }
    return found;
  }

  #compile(pattern: string): RE2JS {
    let compiled = this.#known.get(pattern);
    if (compiled === undefined) {
      if (pattern.length <= MAX_PATTERN_BYTES)
        this.work.spend(Math.min(measurePattern(pattern), MAX_EXPECTED_SIZE) * STEPS_PER_INSTRUCTION);
      compiled = this.#patterns.get(pattern);
      this.#known.set(pattern, compiled);
    }
    if ('problem' in compiled) throw new NodeError('invalid_pattern', compiled.problem);
    return compiled.re;
  }
}

/**
 * A text that counts how far each search reads. A search may read to the end of the text for every match, so the length of
 * the text would be too little, and its length times the matches far too much.
 */
class CountedText extends String {
  readonly #text: string;
  readonly #stepsPerChar: number;
  readonly #work: WorkBudget;
  #seen = -1;

  constructor(text: string, stepsPerChar: number, work: WorkBudget) {
    super(text);
    this.#text = text;
    this.#stepsPerChar = stepsPerChar;
    this.#work = work;
  }

  /** Starts counting again at the index of the next search. */
  restart(at: number): void {
    this.#seen = at - 1;
  }

  override charCodeAt(at: number): number {
    if (at > this.#seen) {
      this.#work.spend((at - this.#seen) * this.#stepsPerChar);
      this.#seen = at;
    }
    return this.#text.charCodeAt(at);
  }

  /** re2js searches literal parts of the pattern with this. */
  override indexOf(part: string, from = 0): number {
    const at = this.#text.indexOf(part, from);
    this.#work.spend(countSearchSteps(at === -1 ? this.length - from : at - from, part.length));
    return at;
  }
}
