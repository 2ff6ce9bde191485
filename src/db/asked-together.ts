/**
 * One statement for everybody who asks the same question at the same moment. Under load a question waits until one of
 * the statements under way has ended, and is then asked together with all that came meanwhile: the busier the process,
 * the fewer statements an answer takes. Nothing is remembered: each answer is read after it was asked for.
 */

/** Keys in one statement: what it returns is in memory at once. */
const MAX_KEYS = 200;

/**
 * The keys of a question as a table `asked`, with the `place` of each.
 *
 * The arrays stand in sub-selects to hide their lengths from the planner. It would plan for each length anew, find every
 * time that a plan for few keys is worth it, and take three times as long to plan as to answer (measured: 0.25 ms of 0.31).
 * @param key the names of its parts, in order, and their types
 */
export function asked(key: Readonly<Record<string, string>>): string {
  const arrays = Object.values(key).map((type, part) => `(SELECT $${part + 1}::${type}[])`);
  return `unnest(${arrays.join(', ')}) WITH ORDINALITY AS asked(${[...Object.keys(key), 'place'].join(', ')})`;
}

type Run<Row> = (columns: unknown[][]) => Promise<(Row & { readonly place: number })[]>;

interface Wish<Row> {
  readonly key: readonly unknown[];
  readonly resolve: (rows: Row[]) => void;
  readonly reject: (error: unknown) => void;
}

export class AskedTogether<Row extends object> {
  readonly #run: Run<Row>;
  readonly #maxAtOnce: number;
  readonly #wishes: Wish<Row>[] = [];
  #atOnce = 0;
  #isDue = false;

  /**
   * @param run runs the statement on arrays, one for each part of the key; each row's `place` is the position, from 1, of
   *   the key that it answers
   * @param maxAtOnce statements under way at most
   */
  constructor(run: Run<Row>, maxAtOnce: number) {
    this.#run = run;
    this.#maxAtOnce = maxAtOnce;
  }

  /** The rows that answer a key, in the order of the statement. @throws on database errors */
  ask(key: readonly unknown[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.#wishes.push({ key, resolve, reject });
      this.#askSoon();
    });
  }

  /** Once everybody who was woken by the same message has said what it wants. */
  #askSoon(): void {
    if (this.#isDue || this.#atOnce >= this.#maxAtOnce) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      while (this.#wishes.length > 0 && this.#atOnce < this.#maxAtOnce) {
        this.#atOnce += 1;
        void this.#ask(this.#wishes.splice(0, MAX_KEYS)).finally(() => {
          this.#atOnce -= 1;
          if (this.#wishes.length > 0) this.#askSoon();
        });
      }
    });
  }

  async #ask(wishes: readonly Wish<Row>[]): Promise<void> {
    try {
      const parts = wishes[0]?.key.length ?? 0;
      const columns = Array.from({ length: parts }, (_, part) => wishes.map(({ key }) => key[part]));
      const answers = wishes.map((): Row[] => []);
      for (const row of await this.#run(columns)) answers[row.place - 1]?.push(row);
      wishes.forEach((wish, index) => wish.resolve(answers[index] ?? []));
    } catch (error) {
      for (const wish of wishes) wish.reject(error);
    }
  }
}
