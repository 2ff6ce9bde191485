/** Makes a Temporal activity the host of an attempt: its context becomes a Host, the end of the attempt a result or a failure. */
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import type { AttemptEnd, Host, HostedEnd } from '../../src/engine/runs/execute/host.ts';
import { GONE_OUTCOME } from '../../src/engine/runs/execute/protocol.ts';
import type { FailureDetails, NodeOutcome, StillRunning } from '../../src/engine/runs/execute/protocol.ts';

/**
 * Bounds the delay of a cancellation in Temporal; one through the API comes by a database notice. Far below the heartbeat timeout
 * of 10 s. Each heartbeat is a write of the Temporal server: at one a second, 200 model calls took 60 to 110 % of a core.
 */
const HEARTBEAT_MS = 3_000;
/** The first heartbeat comes after this time to three times of it: short work sends none, and a reader finds one after a second. */
const FIRST_HEARTBEAT_MS = 300;
/** How long cancelled work waits for Temporal's cancellation, which the outbox delivers. */
const CANCELLATION_TIMEOUT_MS = 1_500;

/** Creates the host of the current activity, which waits for the end of the attempt. */
export function createActivityHost(): Host {
  const context = Context.current();
  return {
    patienceMs: null,
    signal: context.cancellationSignal,
    cancelRequested: () => context.cancellationDetails?.cancelRequested === true,
    startHeartbeat(position) {
      const beat = (): void => context.heartbeat(position() ?? undefined);
      // A random delay: nodes that start together would otherwise send all heartbeats together and delay their token writes.
      let timer: NodeJS.Timeout = setTimeout(
        () => {
          beat();
          timer = setInterval(beat, HEARTBEAT_MS);
        },
        FIRST_HEARTBEAT_MS * (1 + 2 * Math.random()),
      );
      return () => clearInterval(timer);
    },
    async awaitCancellation(position) {
      // Temporal answers a heartbeat with the cancellation.
      const beats = setInterval(
        () => context.heartbeat(position() ?? undefined),
        CANCELLATION_TIMEOUT_MS / 10,
      );
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([
        context.cancelled.catch(() => undefined),
        new Promise((resolve) => (timer = setTimeout(resolve, CANCELLATION_TIMEOUT_MS))),
      ]);
      clearTimeout(timer);
      clearInterval(beats);
    },
  };
}

/**
 * Creates the host of the current local activity: no heartbeats, and after `patienceMs` it leaves the attempt running. It never knows
 * of a cancellation: the SDK also cancels local activities of a run that it evicts from its cache, with the same details. The attempt
 * of a cancelled run ends when the row of the run does.
 */
export function createLocalHost(patienceMs: number): Host {
  const context = Context.current();
  return {
    patienceMs,
    signal: context.cancellationSignal,
    cancelRequested: () => false,
    startHeartbeat: () => () => undefined,
    awaitCancellation: () => Promise.resolve(),
  };
}

/** A failure after which Temporal delivers the task again. */
const released = ({
  code,
  message,
}: {
  readonly code: string;
  readonly message: string;
}): ApplicationFailure => ApplicationFailure.retryable(message, code);

/** A failure that ends the attempt; its details tell the interpreter what follows. */
const failed = (
  { code, message }: { readonly code: string; readonly message: string },
  details: FailureDetails,
): ApplicationFailure => ApplicationFailure.nonRetryable(message, code, details);

/**
 * Runs an attempt in the current activity.
 * @param gone the result when the run has ended
 * @throws ApplicationFailure: non-retryable with the outcome, or the wait before the next attempt, when the attempt has failed;
 *   retryable when nothing was decided; CancelledFailure when the run was cancelled
 */
export async function runInActivity<Result>(
  run: (host: Host) => Promise<HostedEnd<Result>>,
  gone: Result,
): Promise<Result> {
  const end = await run(createActivityHost());
  if (end.kind === 'running')
    throw ApplicationFailure.retryable('The attempt is still running', 'attempt_running');
  return unwrapEnd(end, gone);
}

/** Runs an attempt of a short node in the current local activity, as `runInActivity` does. */
export async function runInLocalActivity(
  patienceMs: number,
  run: (host: Host) => Promise<HostedEnd<NodeOutcome>>,
): Promise<NodeOutcome | { readonly running: StillRunning }> {
  const host = createLocalHost(patienceMs);
  const end = await run(host);
  // The SDK would start a cancelled local activity again after another failure.
  if (end.kind === 'released' && host.signal.aborted)
    throw new CancelledFailure('The local activity was cancelled');
  return end.kind === 'running' ? { running: end.running } : unwrapEnd(end, GONE_OUTCOME);
}

/** Returns the result of an attempt that has ended. @throws as `runInActivity` */
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

/** Runs `work` with heartbeats from the start, so that Temporal notices a lost worker within seconds. */
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
