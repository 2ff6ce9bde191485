/**
 * Replaces many texts in one text. Short ones are searched for together (Aho–Corasick), so that their number does not multiply the
 * work; long ones are few, because they are at most as long as the values that they come from.
 */
import { replaceText } from '../definition/find-text.ts';
import type { WorkBudget } from '../values/work-budget.ts';

/** Longer texts would make a large automaton. */
const MAX_SHORT = 64;

interface Span {
  start: number;
  readonly end: number;
}

export class TextRemover {
  /** Longest first: a text may contain another. */
  readonly #long: readonly string[];
  /** The edges of each state, by character. */
  readonly #edges: Map<number, number>[] = [new Map()];
  /** For each state, that of its longest proper suffix. */
  readonly #suffix: number[] = [0];
  /** For each state, the length of the longest text that ends there; 0: none. */
  readonly #ending: number[] = [0];

  constructor(texts: Iterable<string>) {
    const all = [...texts].toSorted((a, b) => b.length - a.length);
    this.#long = all.filter(({ length }) => length > MAX_SHORT);
    for (const text of all.slice(this.#long.length)) this.#add(text);
    this.#linkSuffixes();
  }

  /** Replaces all texts; those that overlap are replaced together. @throws WorkLimitExceeded */
  replace(whole: string, by: string, work: WorkBudget): string {
    work.spend(1 + this.#long.length + whole.length);
    const rest = this.#long.reduce((text, part) => replaceText(text, { part, by }, work), whole);
    const spans = this.#findShort(rest);
    if (spans.length === 0) return rest;
    const kept: string[] = [];
    let from = 0;
    for (const { start, end } of spans) {
      kept.push(rest.slice(from, start));
      from = end;
    }
    return [...kept, rest.slice(from)].join(by);
  }

  #add(text: string): void {
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const edges = this.#edges[state];
      const known = edges?.get(text.charCodeAt(at));
      if (known === undefined) {
        edges?.set(text.charCodeAt(at), this.#edges.length);
        state = this.#edges.length;
        this.#edges.push(new Map());
        this.#suffix.push(0);
        this.#ending.push(0);
      } else state = known;
    }
    this.#ending[state] = text.length;
  }

  /** Breadth first, because the suffix of a state is nearer to the root. */
  #linkSuffixes(): void {
    const queue = [...(this.#edges[0]?.values() ?? [])];
    for (const state of queue) {
      for (const [code, child] of this.#edges[state] ?? []) {
        const suffix = this.#step(this.#suffix[state] ?? 0, code);
        this.#suffix[child] = suffix;
        this.#ending[child] ||= this.#ending[suffix] ?? 0;
        queue.push(child);
      }
    }
  }

  #step(from: number, code: number): number {
    let state = from;
    let next = this.#edges[state]?.get(code);
    while (next === undefined && state !== 0) {
      state = this.#suffix[state] ?? 0;
      next = this.#edges[state]?.get(code);
    }
    return next ?? 0;
  }

  #findShort(whole: string): Span[] {
    const spans: Span[] = [];
    if (this.#edges.length === 1) return spans;
    let state = 0;
    for (let at = 0; at < whole.length; at += 1) {
      state = this.#step(state, whole.charCodeAt(at));
      const length = this.#ending[state] ?? 0;
      if (length === 0) continue;
      const span = { start: at + 1 - length, end: at + 1 };
      for (let last = spans.at(-1); last !== undefined && last.end > span.start; last = spans.at(-1)) {
        span.start = Math.min(span.start, last.start);
        spans.pop();
      }
      spans.push(span);
    }
    return spans;
  }
}
