/** Holds back the fields that lose the focus to a press of the pointer until the press has ended. */

const PRESS_ENDS = ['pointerup', 'pointercancel'] as const;

export class PressWatch {
  readonly #onEnd: (key: string) => void;
  /** Fields that were left by a press that has not ended; null while nothing is pressed. */
  #left: Set<string> | null = null;

  constructor(onEnd: (key: string) => void) {
    this.#onEnd = onEnd;
    window.addEventListener('pointerdown', this.#onPress, true);
    for (const end of PRESS_ENDS) window.addEventListener(end, this.#onRelease, true);
  }

  /** @returns whether a press is under way, at whose end the field is left */
  hold(key: string): boolean {
    this.#left?.add(key);
    return this.#left !== null;
  }

  dispose(): void {
    window.removeEventListener('pointerdown', this.#onPress, true);
    for (const end of PRESS_ENDS) window.removeEventListener(end, this.#onRelease, true);
  }

  readonly #onPress = ({ button }: PointerEvent): void => {
    if (button === 0) this.#left ??= new Set();
  };

  readonly #onRelease = (): void => {
    const left = this.#left;
    this.#left = null;
    // Before the click, whose target is known by now: it may delete what the field belongs to.
    left?.forEach((key) => this.#onEnd(key));
  };
}
