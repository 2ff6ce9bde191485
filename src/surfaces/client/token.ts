/** The token of a client: a fixed string, or a function that is called once per expired token. */

export type TokenSource = string | (() => Promise<string>);

export class Token {
  readonly #source: TokenSource;
  #current: Promise<string> | null = null;

  /** @throws Error without a token: every call would fail without saying why */
  constructor(source: TokenSource) {
    if (typeof source !== 'function' && (typeof source !== 'string' || source === ''))
      throw new Error('token is missing: pass an API key, or a function that returns a token');
    this.#source = source;
  }

  /** @returns the token to send; concurrent callers share one call of the source */
  get(): Promise<string> {
    this.#current ??= this.#read();
    return this.#current;
  }

  /**
   * Reports that the service rejected a token. The first report makes the next `get` call the source; later ones share its token.
   * @returns whether `get` may return another token
   */
  async reject(token: string): Promise<boolean> {
    if (typeof this.#source === 'string') return false;
    const current = this.#current;
    // Compared after waiting, because the new token may be on its way.
    if (current !== null && (await current) === token && this.#current === current) this.#current = null;
    return true;
  }

  async #read(): Promise<string> {
    if (typeof this.#source === 'string') return this.#source;
    try {
      return await this.#source();
    } catch (error) {
      this.#current = null;
      // A TypeError would be taken for one of `fetch`: the service cannot be reached.
      if (!(error instanceof TypeError)) throw error;
      throw new Error(`The function for the token failed: ${error.message}`, { cause: error });
    }
  }
}
