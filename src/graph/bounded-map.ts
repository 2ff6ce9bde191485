/** A map for what may be forgotten: beyond its bound it drops the entry that was written longest ago. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #max: number;

  /** @param max entries kept */
  constructor(max: number) {
    super();
    this.#max = max;
  }

  /** Makes the entry the youngest, whether or not it was there. */
  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    const [oldest] = this.keys();
    if (this.size > this.#max && oldest !== undefined) this.delete(oldest);
    return this;
  }
}
