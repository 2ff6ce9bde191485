/**
 * Delivers results to the walk one at a time: all consequences of one happen before the next is delivered. Temporal delivers
 * results of local activities in groups, and a replay gets them in other groups. Code that reacts to a group as a whole would send
 * its commands in another order on replay, and no worker could continue the run.
 */
import { CancellationScope, condition } from '@temporalio/workflow';
import type { WorkflowInterceptors } from '@temporalio/workflow';

class OrderedResults {
  /** A result was delivered in this activation, and its consequences may not all have happened. */
  #isDelivering = false;
  readonly #waiting: (() => void)[] = [];

  /** Returns the same result, delivered when it is its turn. Rejects as the promise does. */
  deliver<Result>(promise: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      promise.then(
        (result) => this.#deliverInOrder(() => resolve(result)),
        (error: unknown) => this.#deliverInOrder(() => reject(error)),
      );
    });
  }

  /** Call when all consequences of an activation have happened. */
  endActivation(): void {
    this.#isDelivering = false;
  }

  #deliverInOrder(settle: () => void): void {
    if (!this.#isDelivering) {
      this.#isDelivering = true;
      settle();
      return;
    }
    this.#waiting.push(settle);
    if (this.#waiting.length === 1) void CancellationScope.nonCancellable(() => this.#deliverWaiting());
  }

  async #deliverWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      await awaitQuiet();
      this.#waiting.shift()?.();
    }
  }
}

/** Resolves when no promise has work left: the SDK checks conditions only then, after one immediate check. */
function awaitQuiet(): Promise<void> {
  let isFirstCheck = true;
  return condition(() => {
    if (!isFirstCheck) return true;
    isFirstCheck = false;
    return false;
  });
}

/** Creates interceptors; the SDK calls it for each execution. */
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
          // Prevents unhandled rejections when the workflow awaits only one of them.
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
