/** A Temporal activity as the host of an attempt: its context as a Host, the attempt's end as Temporal's failures. */
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import type { AttemptEnd, Host, HostedEnd } from '../../src/runs/execute/host.ts';
import { GONE_OUTCOME } from '../../src/runs/execute/protocol.ts';
import type { FailureDetails, NodeOutcome, StillRunning } from '../../src/runs/execute/protocol.ts';

/**
 * How late a cancellation is heard that was made in Temporal; one that was made here comes by the database's notices. Far
 * below the 10 s after which Temporal gives up an attempt that is not heard of. Each beat is a write of the Temporal server:
 * with one a second, 200 models that think took 60 to 110 % of a core.
 */
const HEARTBEAT_MS = 3_000;
/** Up to three times as late: work that is done by then never beats, and a listener who asks after a second finds a beat. */
const FIRST_BEAT_MS = 300;
/** How long work that has heard of its run's end waits for Temporal's cancellation: the outbox is on its way with it. */
const CANCELLATION_COMES_WITHIN_MS = 1_500;

/** The host of the activity that the caller runs in: it waits for the end. */
export function createActivityHost(): Host {
  const context = Context.current();
  return {
    patienceMs: null,
    signal: context.cancellationSignal,
    cancelRequested: () => context.cancellationDetails?.cancelRequested === true,
    startHeartbeat(position) {
      const beat = (): void => context.heartbeat(position() ?? undefined);
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
      const beats = setInterval(
        () => context.heartbeat(position() ?? undefined),
        CANCELLATION_COMES_WITHIN_MS / 10,
      );
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

/** The host of a local activity: it does not beat, and leaves an attempt running that takes longer. */
export function createLocalHost(patienceMs: number): Host {
  const context = Context.current();
  return {
    patienceMs,
    signal: context.cancellationSignal,
    cancelRequested: () => context.cancellationDetails?.cancelRequested === true,
    startHeartbeat: () => () => undefined,
    awaitCancellation: () => Promise.resolve(),
  };
}

/** A failure of the activity itself: Temporal delivers the task again. */
const released = ({
  code,
  message,
}: {
  readonly code: string;
  readonly message: string;
}): ApplicationFailure => ApplicationFailure.retryable(message, code);

/** A failure that ends this attempt of the node; the interpreter reads what follows from the details. */
const failed = (
  { code, message }: { readonly code: string; readonly message: string },
  details: FailureDetails,
): ApplicationFailure => ApplicationFailure.nonRetryable(message, code, details);

/**
 * Runs an attempt in the current activity.
 * @param gone the result where the run has ended
 * @throws ApplicationFailure: non-retryable with the outcome, or the wait before the next attempt, when the attempt has failed;
 *   retryable when nothing was decided; CancelledFailure when the run was cancelled
 */
export async function runInActivity<Result>(
  run: (host: Host) => Promise<HostedEnd<Result>>,
  gone: Result,
): Promise<Result> {
  const end = await run(createActivityHost());
  if (end.kind === 'running') throw ApplicationFailure.retryable('The attempt goes on', 'attempt_running');
  return unwrapEnd(end, gone);
}

/** Runs an attempt of a short node in the current local activity, as `runInActivity` does. */
export async function runInLocalActivity(
  patienceMs: number,
  run: (host: Host) => Promise<HostedEnd<NodeOutcome>>,
): Promise<NodeOutcome | { readonly running: StillRunning }> {
  const end = await run(createLocalHost(patienceMs));
  return end.kind === 'running' ? { running: end.running } : unwrapEnd(end, GONE_OUTCOME);
}

/** The result of an attempt that has ended. @throws as `runInActivity` */
export function unwrapEnd<Result>(end: AttemptEnd<Result>, gone: Result): Result {
  switch (end.kind) {
    case 'done':
      return end.result;
    case 'gone':
      return gone;
    case 'failed':
      throw failed(end, end.outcome);
    case 'retry':
      throw failed(end, { retryInMs: end.delayMs });
    case 'released':
      throw released(end);
    case 'cancelled':
      throw new CancelledFailure('The run was cancelled');
  }
}

/** Does work with a heartbeat from its first moment on, so that a lost worker is missed within seconds. */
export async function withHeartbeat<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  context.heartbeat();
  const beat = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
