/**
 * Patterns that tenants write, searched in linear time: RE2 syntax only, bounded in length and in compiled size. What
 * they are searched for counts against a budget: a pattern's size times the length of the text, before the search.
 * The host's own RegExp never sees them.
 */
import { LRUCache } from 'lru-cache';
import { MatcherInput, RE2JS } from 're2js';
import { BoundedMap } from '../graph/bounded-map.ts';
import { countSearchSteps } from '../graph/find-text.ts';
import { MAX_PATTERN_BYTES, measurePattern } from '../graph/pattern-size.ts';
import type { PatternEngine, WorkBudget } from '../graph/work-budget.ts';
import { NodeError } from './kind.ts';
import { nextTurn } from './turn.ts';

/** `(a{1000}){…}` is short to write: what counts is the compiled program. */
const MAX_PROGRAM_SIZE = 2_500;
/** What its text says of the size is never too little and may be too much: far above the bound nothing is compiled. */
const MAX_EXPECTED_SIZE = 10 * MAX_PROGRAM_SIZE;
/** Steps of work to compile one instruction. */
const STEPS_PER_INSTRUCTION = 50;
/** Patterns come from a few definitions at a time. */
const KEPT_PATTERNS = 500;
/** Each keeps an automaton that grows with what is searched; beyond this the slower engine of re2js takes over. */
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

/** What is wrong with a pattern, or null. */
export function patternProblem(pattern: string): string | null {
  const compiled = compile(pattern);
  return 'problem' in compiled ? compiled.problem : null;
}

/** Compiled patterns of a process that searches for the same ones again and again: the last ones stay compiled. */
export class Patterns {
  readonly #compiled = new LRUCache<string, Compiled>({ max: KEPT_PATTERNS });

  /** The pattern, compiled. */
  get(pattern: string): Compiled {
    const known = this.#compiled.get(pattern);
    if (known !== undefined) return known;
    const compiled = compile(pattern);
    // A pattern that is too long is refused each time, not kept.
    if (pattern.length <= MAX_PATTERN_BYTES) this.#compiled.set(pattern, compiled);
    return compiled;
  }
}

/** Searches of one execution, or of one request. */
export class PatternSearch implements PatternEngine {
  readonly work: WorkBudget;
  readonly #patterns: Patterns;
  /** Of this execution: what compiling counts for must not depend on what others have searched for. */
  readonly #known = new BoundedMap<string, Compiled>(KEPT_PATTERNS);

  constructor(patterns: Patterns, work: WorkBudget) {
    this.#patterns = patterns;
    this.work = work;
  }

  /**
   * True if the pattern is found anywhere in the text.
   * @throws NodeError `invalid_pattern` @throws WorkLimitExceeded
   */
  matches(pattern: string, text: string): boolean {
    const re = this.#compile(pattern);
    this.work.spend(re.programSize() * (text.length + 1));
    return re.test(text);
  }

  /**
   * The places where the pattern is found, as [start, end), from left to right, without overlap.
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
 * A text that counts how far a search looks into it: to find one of many places a search may read on to the end of the
 * text and come back, so the length of the text says too little, and as many times its length far too much.
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

  /** The next search begins here. */
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

  /** re2js looks for literal parts of the pattern with this: they are as long as the program, or shorter. */
  override indexOf(part: string, from = 0): number {
    const at = this.#text.indexOf(part, from);
    this.#work.spend(countSearchSteps(at === -1 ? this.length - from : at - from, part.length));
    return at;
  }
}
