/** The credential of a client: a fixed text, or a function that is asked once for each token that has expired. */

export type TokenSource = string | (() => Promise<string>);

export class Token {
  readonly #source: TokenSource;
  #current: Promise<string> | null = null;

  constructor(source: TokenSource) {
    this.#source = source;
  }

  /** @returns the token to send; callers at the same time share one question */
  get(): Promise<string> {
    this.#current ??= this.#ask();
    return this.#current;
  }

  /**
   * Says that a token was refused. The first to say so has the source asked again; others only hear of the new one.
   * @returns whether there may be another token to try
   */
  async refused(token: string): Promise<boolean> {
    if (typeof this.#source === 'string') return false;
    const current = this.#current;
    // Compared after waiting: it may be the new one that is on its way.
    if (current !== null && (await current) === token && this.#current === current) this.#current = null;
    return true;
  }

  async #ask(): Promise<string> {
    if (typeof this.#source === 'string') return this.#source;
    try {
      return await this.#source();
    } catch (error) {
      this.#current = null;
      throw error;
    }
  }
}
