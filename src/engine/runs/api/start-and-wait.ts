/** Starts a run and, when the request asks for it, waits for its result (`wait` in the body, or `Prefer: wait=30`). */
import type { Context } from 'koa';
import type { Scope } from '../../../platform/access/caller.ts';
import type { Reply } from '../../../platform/http/route.ts';
import { watchClient } from '../../../platform/http/write-pieces.ts';
import { findRun, toReader } from '../ledger/read/run-reads.ts';
import { awaitEnd, MAX_WAIT_SECONDS, presentResult, type AwaitDeps } from '../stream/await-run.ts';
import type { StartBody } from './schema.ts';
import { startRun, type StartDeps } from '../accept/start.ts';

export type StartAndWaitDeps = StartDeps & AwaitDeps;

interface WaitingStart {
  readonly body: StartBody;
  readonly idempotencyKey: string | null;
  /** Seconds, from the body. */
  readonly wait: number | undefined;
  readonly ctx: Context;
}

/** Reads the seconds of `Prefer: wait=N` (RFC 7240, 4.3), at most MAX_WAIT_SECONDS; 0 without a usable one. */
function parsePrefer(header: string): number {
  const seconds = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:$|[,;])/i.exec(header)?.[1];
  return seconds === undefined ? 0 : Math.min(Number(seconds), MAX_WAIT_SECONDS);
}

/**
 * Starts a run.
 * @returns 200 with the start, or with the result after a wait; 202 with the start when the run outlives the wait
 * @throws ApiError as startRun; 429 when the caller has too many streams and waits open
 */
export async function startAndWait(
  deps: StartAndWaitDeps,
  scope: Scope,
  { body, idempotencyKey, wait, ctx }: WaitingStart,
): Promise<Reply> {
  const seconds = wait ?? parsePrefer(ctx.get('Prefer'));
  const start = (): ReturnType<typeof startRun> =>
    startRun(deps, scope, { body, idempotencyKey, chat: null });
  if (seconds === 0) return { status: 200, body: await start() };
  // A place is taken before the start: a run must not be accepted and then refused.
  const release = deps.feed.semaphore.acquire(scope);
  try {
    const started = await start();
    const headers = { 'Preference-Applied': `wait=${seconds}` };
    const { run_id: runId } = started;
    const run = typeof runId === 'string' ? await findRun(deps.db, toReader(scope), runId) : null;
    const ended = run === null ? null : await awaitEnd(deps, run, { seconds, signal: watchClient(ctx) });
    if (run === null || ended === null) return { status: 202, body: started, headers };
    const result = await presentResult(deps.db, run.rootRunPk, ended);
    return { status: 200, body: { ...started, ...result, message: 'Workflow run ended' }, headers };
  } finally {
    release();
  }
}
