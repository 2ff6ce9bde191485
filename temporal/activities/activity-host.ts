/** A Temporal activity as the host of an attempt: its context as a Host, the attempt's end as Temporal's failures. */
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import type { AttemptEnd, Host, Retry } from '../../src/runs/execute/host.ts';

/**
 * How late a cancellation is heard that was made in Temporal; one that was made here comes by the database's notices. Far
 * below the 10 s after which Temporal gives up work that is not heard of. Each beat is a write of the Temporal server:
 * with one a second, 200 models that think took 60 to 110 % of a core.
 */
const HEARTBEAT_MS = 3_000;
/** Up to three times as late: work that is done by then never beats, and a listener who asks after a second finds a beat. */
const FIRST_BEAT_MS = 300;
/** How long work that has heard of its run's end waits for Temporal's cancellation: the outbox is on its way with it. */
const CANCELLATION_COMES_WITHIN_MS = 1_500;

/** The host of the activity that the caller runs in. */
export function activityHost(): Host {
  const context = Context.current();
  return {
    attempt: context.info.attempt,
    signal: context.cancellationSignal,
    cancelRequested: () => context.cancellationDetails?.cancelRequested === true,
    startHeartbeat(position) {
      const beat = (): void => context.heartbeat(position());
      // From a random moment: two hundred nodes that begin together would beat together, and hold up their own words.
      let timer: NodeJS.Timeout = setTimeout(
        () => {
          beat();
          timer = setInterval(beat, HEARTBEAT_MS);
        },
        FIRST_BEAT_MS * (1 + 2 * Math.random()),
      );
      return () => clearInterval(timer);
    },
    async awaitCancellation(position) {
      // Temporal answers a heartbeat with the cancellation.
      const beats = setInterval(() => context.heartbeat(position()), CANCELLATION_COMES_WITHIN_MS / 10);
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([
        context.cancelled.catch(() => undefined),
        new Promise((resolve) => (timer = setTimeout(resolve, CANCELLATION_COMES_WITHIN_MS))),
      ]);
      clearTimeout(timer);
      clearInterval(beats);
    },
  };
}

/** Has Temporal make another attempt. */
export function retryFailure({ code, message, delayMs }: Retry): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    type: code,
    nonRetryable: false,
    ...(delayMs === null ? {} : { nextRetryDelay: delayMs }),
  });
}

/**
 * Runs an attempt in the current activity.
 * @throws ApplicationFailure: retryable for another attempt, non-retryable with the outcome when the node has failed;
 *   CancelledFailure when the run was cancelled
 */
export async function inActivity<Result>(run: (host: Host) => Promise<AttemptEnd<Result>>): Promise<Result> {
  const end = await run(activityHost());
  switch (end.kind) {
    case 'done':
      return end.result;
    case 'failed':
      // The interpreter reads the outcome from the details.
      throw ApplicationFailure.nonRetryable(end.message, end.code, end.outcome);
    case 'retry':
      throw retryFailure(end);
    case 'cancelled':
      throw new CancelledFailure('The run was cancelled');
  }
}

/** Does work with a heartbeat from its first moment on, so that a lost worker is missed within seconds. */
export async function whileBeating<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  context.heartbeat();
  const beat = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
