/**
 * Results come to the walk one at a time: all that follows from one has happened before the next is told. Temporal delivers
 * the results of local activities several at once, and while it replays, in other groups than before. Code that reacts to a
 * group as such would send its commands in another order then, and no worker could ever go on with the run.
 */
import { CancellationScope, condition } from '@temporalio/workflow';
import type { WorkflowInterceptors } from '@temporalio/workflow';

class OrderedResults {
  /** A result was told in this activation, and what follows from it may still be happening. */
  #isDelivering = false;
  readonly #waiting: (() => void)[] = [];

  /** The same result, told when it is its turn. Rejects as the promise does. */
  deliver<Result>(promise: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      promise.then(
        (result) => this.#deliverInOrder(() => resolve(result)),
        (error: unknown) => this.#deliverInOrder(() => reject(error)),
      );
    });
  }

  /** Everything that this activation has brought has happened. */
  endActivation(): void {
    this.#isDelivering = false;
  }

  #deliverInOrder(tell: () => void): void {
    if (!this.#isDelivering) {
      this.#isDelivering = true;
      tell();
      return;
    }
    this.#waiting.push(tell);
    if (this.#waiting.length === 1) void CancellationScope.nonCancellable(() => this.#deliverWaiting());
  }

  async #deliverWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      await awaitQuiet();
      this.#waiting.shift()?.();
    }
  }
}

/** Resolves when no promise has anything left to do: the SDK looks at conditions only then, after a first look at once. */
function awaitQuiet(): Promise<void> {
  let isFirstLook = true;
  return condition(() => {
    if (!isFirstLook) return true;
    isFirstLook = false;
    return false;
  });
}

/** Called by the SDK for each execution. */
export function interceptors(): WorkflowInterceptors {
  const turns = new OrderedResults();
  return {
    inbound: [
      {
        handleSignal: (input, next) => turns.deliver(Promise.resolve()).then(() => next(input)),
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => turns.deliver(next(input)),
        scheduleLocalActivity: (input, next) => turns.deliver(next(input)),
        startTimer: (input, next) => turns.deliver(next(input)),
        async startChildWorkflowExecution(input, next) {
          const [started, ended] = (await next(input)).map((promise) => turns.deliver(promise)) as [
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
