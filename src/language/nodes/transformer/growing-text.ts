/** A text that is built of many parts. */
import { MAX_RENDERED_CHARS, RenderTooLarge } from '../../graph/template/render-budget.ts';
import type { WorkBudget } from '../../graph/values/work-budget.ts';

/** Steps to write a cell or a tag, and the characters that are escaped in one step. */
const STEPS_PER_PART = 8;
const CHARS_PER_STEP = 4;

/** A text that grows up to the limit of rendered texts (SPEC SEC-M08). */
export class GrowingText {
  readonly #parts: string[] = [];
  readonly #work: WorkBudget;
  #length = 0;

  constructor(work: WorkBudget) {
    this.#work = work;
  }

  /** @throws RenderTooLarge @throws WorkLimitExceeded */
  add(text: string): void {
    this.#work.spend(STEPS_PER_PART + text.length / CHARS_PER_STEP);
    this.#length += text.length;
    if (this.#length > MAX_RENDERED_CHARS)
      throw new RenderTooLarge(`The text is longer than ${MAX_RENDERED_CHARS} characters`);
    this.#parts.push(text);
  }

  toString(): string {
    return this.#parts.join('');
  }
}
