/**
 * Results come to the walk one at a time: all that follows from one has happened before the next is told. Temporal delivers
 * the results of local activities several at once, and while it replays, in other groups than before. Code that reacts to a
 * group as such would send its commands in another order then, and no worker could ever go on with the run.
 */
import { CancellationScope, condition } from '@temporalio/workflow';
import type { WorkflowInterceptors } from '@temporalio/workflow';

class Turns {
  /** A result was told in this activation, and what follows from it may still be happening. */
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];

  /** The same result, told when it is its turn. Rejects as the promise does. */
  tell<Result>(promise: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      promise.then(
        (result) => this.#take(() => resolve(result)),
        (error: unknown) => this.#take(() => reject(error)),
      );
    });
  }

  /** Everything that this activation has brought has happened. */
  endActivation(): void {
    this.#isTaken = false;
  }

  #take(tell: () => void): void {
    if (!this.#isTaken) {
      this.#isTaken = true;
      tell();
      return;
    }
    this.#waiting.push(tell);
    if (this.#waiting.length === 1) void CancellationScope.nonCancellable(() => this.#tellOthers());
  }

  async #tellOthers(): Promise<void> {
    while (this.#waiting.length > 0) {
      await untilQuiet();
      this.#waiting.shift()?.();
    }
  }
}

/** Resolves when no promise has anything left to do: the SDK looks at conditions only then, after a first look at once. */
function untilQuiet(): Promise<void> {
  let isFirstLook = true;
  return condition(() => {
    if (!isFirstLook) return true;
    isFirstLook = false;
    return false;
  });
}

/** Called by the SDK for each execution. */
export function interceptors(): WorkflowInterceptors {
  const turns = new Turns();
  return {
    inbound: [
      {
        handleSignal: (input, next) => turns.tell(Promise.resolve()).then(() => next(input)),
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => turns.tell(next(input)),
        scheduleLocalActivity: (input, next) => turns.tell(next(input)),
        startTimer: (input, next) => turns.tell(next(input)),
        async startChildWorkflowExecution(input, next) {
          const [started, ended] = (await next(input)).map((promise) => turns.tell(promise)) as [
            Promise<string>,
            Promise<unknown>,
          ];
          // Nobody may wait for them.
          started.catch(() => undefined);
          ended.catch(() => undefined);
          return [started, ended];
        },
      },
    ],
    internals: [
      {
        concludeActivation(input, next) {
          turns.endActivation();
          return next(input);
        },
      },
    ],
  };
}
