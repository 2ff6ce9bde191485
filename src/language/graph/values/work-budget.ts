/**
 * Limits the work that one node execution or one request does on the shared thread. Work is counted in steps, not in time,
 * so that the same input has the same result on every machine.
 */

/** The work would exceed its limit. */
export class WorkLimitExceeded extends Error {
  override readonly name = 'WorkLimitExceeded';
}

/** A step is one instruction of a pattern at one character: 10 to 50 ns. Other work is measured in the same unit. */
interface WorkLimits {
  readonly total: number;
  /** Steps between two turns of the event loop. */
  readonly turn: number;
}

/** One node execution: about 2 s, in turns of at most 0.5 s. The timeout of a folded node is 5 s (SPEC SEC-H01, SEC-H03). */
export const NODE_WORK: WorkLimits = { total: 100_000_000, turn: 20_000_000 };
/** The conditions of a node's out-edges: a separate budget, because they are evaluated even if the node used up its own. */
export const EDGE_WORK: WorkLimits = { total: 20_000_000, turn: 20_000_000 };
/** The redaction of one node execution, or of the values that it loads: 500 ms. A separate budget, so that it never lacks one. */
export const REDACTION_WORK: WorkLimits = { total: 20_000_000, turn: 20_000_000 };
/** The checks of one request, or its redaction: 250 ms, in one turn (SPEC SEC-H02). */
export const REQUEST_WORK: WorkLimits = { total: 10_000_000, turn: 10_000_000 };
/** One operation of the canvas, with all of its parts: at most 1 s, in one turn. Renaming in the largest definition takes half of it. */
export const OPERATION_WORK: WorkLimits = { total: 20_000_000, turn: 20_000_000 };

/** About 20 ms: then the event loop should have a turn. */
const LONG_TURN = 1_000_000;

const MESSAGE =
  'This takes more work than one execution or request may make; shorter texts and lists, and simpler patterns, take less';

export class WorkBudget {
  readonly #limits: WorkLimits;
  #spent = 0;
  #turn = 0;

  constructor(limits: WorkLimits) {
    this.#limits = limits;
  }

  /** Steps counted so far. */
  get spent(): number {
    return this.#spent;
  }

  /**
   * Counts work, before or after it is done. Refused work is not counted.
   * @throws WorkLimitExceeded
   */
  spend(steps: number): void {
    const { total, turn } = this.#limits;
    if (this.#spent + steps > total || this.#turn + steps > turn) throw new WorkLimitExceeded(MESSAGE);
    this.#spent += steps;
    this.#turn += steps;
  }

  /** Refuses all further work: of many parts that share the budget, those after the refused one. */
  exhaust(): void {
    this.#spent = Number.POSITIVE_INFINITY;
  }

  /** True when the event loop should have a turn before more work. */
  get isTurnOver(): boolean {
    return this.#turn >= LONG_TURN;
  }

  /** Starts a new turn. */
  beginTurn(): void {
    this.#turn = 0;
  }
}

/** Searches RE2 patterns within a work budget. */
export interface PatternEngine {
  readonly work: WorkBudget;
  /** True if the pattern matches anywhere in the text. May throw for an invalid pattern. @throws WorkLimitExceeded */
  matches(pattern: string, text: string): boolean;
}
