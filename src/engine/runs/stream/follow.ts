/** GET /workflows/listen/{run_id}: authorizes the caller, opens the event stream and adds it to the feed. */
import type { Writable } from 'node:stream';
import type { Context } from 'koa';
import type { Scope } from '../../../platform/access/caller.ts';
import { isStillAllowed, readTokenExpiry } from '../../../platform/access/still-allowed.ts';
import type { Db } from '../../../base/db/client.ts';
import type { Reply } from '../../../platform/http/route.ts';
import type { Logger } from '../../../base/log.ts';
import type { Clock } from '../../../base/clock.ts';
import { bindShares } from '../ledger/questions/answer-pages.ts';
import type { FairSemaphore } from '../../../base/shares/fair-semaphore.ts';
import { requireRun } from '../ledger/read/require-objects.ts';
import type { FoundRun } from '../ledger/read/run-reads.ts';
import type { RunFeed } from './feed.ts';
import { RunStream } from './run-stream.ts';

/** Keeps proxies from buffering or changing the stream (SPEC RUN-3.3). */
const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/** Reads the Last-Event-ID header, which an EventSource sends when it reconnects; 0 unless it is a number. */
function parseLastEvent(ctx: Context): number {
  const lastEventId = ctx.get('Last-Event-ID');
  return /^\d{1,9}$/.test(lastEventId) ? Number(lastEventId) : 0;
}

export interface FollowDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  /** Wakes the streams of this process when runs get new events. */
  readonly feed: RunFeed;
  /** Bytes of answers in progress, by organization. */
  readonly answers: FairSemaphore;
}

/**
 * Opens the stream on `ctx` and returns while it stays open. A client that disconnects does not affect the run.
 * @returns 204 when a reconnecting EventSource has seen the end of the run, else nothing
 * @throws ApiError 404 for a run that the caller may not see, 429 when too many streams are open
 */
export async function followRun(
  deps: FollowDeps,
  scope: Scope,
  request: { readonly ctx: Context; readonly runId: string; readonly afterSeq: number | undefined },
): Promise<Reply | void> {
  const { ctx, runId } = request;
  const run = await requireRun(deps.db, scope, runId);
  const lastEvent = parseLastEvent(ctx);
  const hasEnded = run.status !== 'running';
  // Only 204 stops an EventSource from reconnecting (WHATWG HTML, server-sent events). A client that sends `after_seq` alone
  // always gets the end.
  if (hasEnded && lastEvent >= run.lastSeq) return { status: 204 };
  const release = deps.feed.semaphore.acquire(scope);
  const afterSeq = request.afterSeq ?? lastEvent;
  const authorization = ctx.get('Authorization');
  beginEventStream(ctx);
  void openStream(deps, scope, { run, afterSeq, authorization }, ctx.res).finally(release);
}

/** Sends the head of an event stream; the body is written to `ctx.res`. */
export function beginEventStream(ctx: Context): void {
  ctx.respond = false;
  ctx.req.socket.setTimeout(0);
  ctx.req.socket.setNoDelay(true);
  ctx.res.writeHead(200, { ...HEADERS, Connection: ctx.res.shouldKeepAlive ? 'keep-alive' : 'close' });
  ctx.res.flushHeaders();
}

export interface StreamRequest {
  readonly run: FoundRun;
  readonly afterSeq: number;
  /** The header of the request, whose token may expire while the stream is open. */
  readonly authorization: string;
}

/**
 * Writes the frames of a run to `response` until its end, as fast as they are taken.
 * @returns resolves when the stream is over for any reason; an error destroys `response`
 */
export async function openStream(
  deps: FollowDeps,
  scope: Scope,
  { run, afterSeq, authorization }: StreamRequest,
  response: Writable,
): Promise<void> {
  const endsAtMs = readTokenExpiry(scope.caller, authorization);
  const stream = new RunStream({
    db: deps.db,
    events: deps.feed.events,
    log: deps.log,
    clock: deps.clock,
    run,
    response,
    afterSeq,
    hasEnded: run.status !== 'running',
    lastSeq: run.lastSeq,
    takeShare: (bytes, signal) => bindShares(deps.answers, scope.organizationId, signal)(bytes),
    isAllowed: () => isStillAllowed(deps.db, scope, endsAtMs),
  });
  // Following before the first read: a commit in between would be missed otherwise.
  const unfollow = deps.feed.follow(run, stream);
  // Not an error: an EventSource never reconnects after one.
  if (deps.feed.isDraining) stream.close();
  try {
    await stream.serve();
  } catch (error) {
    deps.log.error({ err: error, run_pk: run.runPk }, 'a run stream failed');
    response.destroy();
  } finally {
    unfollow();
  }
}
