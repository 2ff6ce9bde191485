/** The text of an answer as it comes, told piece by piece. */
import { storableText } from '../graph/storable.ts';

const HALF_A_PAIR = /[\ud800-\udbff]$/;

/** Tells each character whole: half of one cannot be stored. */
export class StreamedText {
  readonly #tell: (text: string) => void;
  #text = '';
  /** Half a character at the end of what came: its other half may be next. */
  #half = '';

  constructor(tell: (text: string) => void) {
    this.#tell = tell;
  }

  get text(): string {
    return this.#text;
  }

  add(piece: string): void {
    this.#text += piece;
    const text = this.#half + piece;
    this.#half = HALF_A_PAIR.exec(text)?.[0] ?? '';
    const whole = text.slice(0, text.length - this.#half.length);
    if (whole !== '') this.#tell(storableText(whole));
  }

  /** Tells what was held back: nothing follows. */
  end(): void {
    if (this.#half !== '') this.#tell(storableText(this.#half));
    this.#half = '';
  }
}
