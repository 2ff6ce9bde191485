/** Collects the text of a stream and emits it in whole characters, because half a surrogate pair cannot be stored. */
import { toStorableText } from '../../language/graph/values/storable.ts';

const HALF_A_PAIR = /[\ud800-\udbff]$/;

export class StreamedText {
  readonly #emit: (text: string) => void;
  #text = '';
  /** A high surrogate at the end, held back for its second half. */
  #half = '';

  constructor(emit: (text: string) => void) {
    this.#emit = emit;
  }

  get text(): string {
    return this.#text;
  }

  add(piece: string): void {
    this.#text += piece;
    const text = this.#half + piece;
    this.#half = HALF_A_PAIR.exec(text)?.[0] ?? '';
    const whole = text.slice(0, text.length - this.#half.length);
    if (whole !== '') this.#emit(toStorableText(whole));
  }

  /** Emits what was held back. */
  end(): void {
    if (this.#half !== '') this.#emit(toStorableText(this.#half));
    this.#half = '';
  }
}
