/**
 * How much work one execution of a node, or one request, may make of the thread that all share. Work is counted in
 * steps and never in time: the same input ends the same way on every machine, however busy it is.
 */

/** Work that would take longer than one tenant may hold the thread. */
export class WorkLimitExceeded extends Error {
  override readonly name = 'WorkLimitExceeded';
}

/** A step is one instruction of a pattern at one character: 10 to 50 ns. Other work counts by what it takes beside that. */
export interface WorkLimits {
  readonly total: number;
  /** Of a stretch in which nobody else has a turn. */
  readonly turn: number;
}

/** One execution of a node: about two seconds, in pieces of at most half of one. A folded node may last five (SPEC SEC-H01, SEC-H03). */
export const NODE_WORK: WorkLimits = { total: 100_000_000, turn: 20_000_000 };
/** The conditions of a node's edges, which are decided also when its own work was too much. */
export const EDGE_WORK: WorkLimits = { total: 20_000_000, turn: 20_000_000 };
/** What one request has checked: a quarter of a second, in one piece (SPEC SEC-H02). */
export const REQUEST_WORK: WorkLimits = { total: 10_000_000, turn: 10_000_000 };

/** For work whose parts have budgets of their own, and which only needs turns. */
export const UNLIMITED: WorkLimits = { total: Number.POSITIVE_INFINITY, turn: Number.POSITIVE_INFINITY };

/** After about 20 ms others should have a turn. */
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

  /** Steps that were counted so far. */
  get spent(): number {
    return this.#spent;
  }

  /**
   * Counts work that is about to be done, or has just been done. What is refused is not counted.
   * @throws WorkLimitExceeded
   */
  spend(steps: number): void {
    const { total, turn } = this.#limits;
    if (this.#spent + steps > total || this.#turn + steps > turn) throw new WorkLimitExceeded(MESSAGE);
    this.#spent += steps;
    this.#turn += steps;
  }

  /** True when others should have their turn before more is done. */
  get isTurnOver(): boolean {
    return this.#turn >= LONG_TURN;
  }

  /** Others have had their turn. */
  beginTurn(): void {
    this.#turn = 0;
  }
}

/** Searches RE2 patterns within a budget, against which the check that asks for them counts, too. */
export interface PatternEngine {
  readonly work: WorkBudget;
  /** True if the pattern is found anywhere in the text; may throw when the pattern is invalid. @throws WorkLimitExceeded */
  matches(pattern: string, text: string): boolean;
}
