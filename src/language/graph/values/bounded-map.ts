/** A map with a bound: beyond it, the map drops the entry that was set longest ago. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #max: number;

  /** @param max entries kept */
  constructor(max: number) {
    super();
    this.#max = max;
  }

  /** Sets the entry and makes it the newest. */
  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    const [oldest] = this.keys();
    if (this.size > this.#max && oldest !== undefined) this.delete(oldest);
    return this;
  }
}
