/** Estimates how far a build with Go is, by the packages that `go install -v` names as it compiles them. */
import type { Clock } from '../../base/clock.ts';

const BAR_WIDTH = 24;
/** The programs are linked after the last package: the bar does not say 100 before that. */
const MAX_SHARE = 0.99;

/** Formats a time in steps of what an estimate is good for: packages in Go's cache are not named, so it may end earlier. */
function formatLeft(ms: number): string {
  const seconds = Math.ceil(ms / 10_000) * 10;
  return seconds < 90 ? `at most ${seconds} s left` : `at most ${Math.round(seconds / 60)} min left`;
}

export class BuildProgress {
  readonly #clock: Clock;
  readonly #total: number;
  #partOfLine = '';
  #modules = 0;
  #packages = 0;
  #compiledSinceMs = 0;

  /** @param total packages of the programs, with those of Go itself */
  constructor(total: number, clock: Clock) {
    this.#total = total;
    this.#clock = clock;
  }

  /** Takes what Go prints: a module that it downloads, or a package that it compiles, on each line. */
  take(text: string): void {
    const lines = `${this.#partOfLine}${text}`.split('\n');
    this.#partOfLine = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('go: downloading ')) this.#modules += 1;
      else if (/^[\w.~/-]+$/.test(line)) this.#notePackage();
    }
  }

  #notePackage(): void {
    if (this.#packages === 0) this.#compiledSinceMs = this.#clock.monotonic();
    this.#packages += 1;
  }

  /** Describes the state: the modules that are downloaded, or a bar with the time that is left. */
  describe(): string {
    if (this.#packages === 0) return `downloading the source, ${this.#modules} modules so far`;
    const share = Math.min(MAX_SHARE, this.#packages / this.#total);
    const filled = Math.floor(share * BAR_WIDTH);
    const bar = `${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}`;
    const elapsedMs = this.#clock.monotonic() - this.#compiledSinceMs;
    const left = share === MAX_SHARE ? 'linking' : formatLeft((elapsedMs * (1 - share)) / share);
    return `[${bar}] ${Math.floor(share * 100)} %, ${left}`;
  }
}
