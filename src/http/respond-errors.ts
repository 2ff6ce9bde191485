/**
 * The only writer of error bodies: the four shapes (SPEC API-errors), Koa's empty 404 and 405, and one fixed
 * sentence for everything unexpected, whose cause goes to the log and never to the client.
 */
import type { Context, Middleware } from 'koa';
import { isTransientDatabaseError } from '../db/transient-error.ts';
import type { ErrorCode } from '../error-codes.ts';
import {
  ApiError,
  LAYER_BY_CODE,
  STATUS_BY_LAYER,
  refuseWith,
  unrouted,
  type Denial,
  type Failure,
} from '../errors.ts';
import type { Logger } from '../log.ts';
import { findFacts } from './request-facts.ts';

/** The one text of a 500 (SPEC API-statuses). */
const UNEXPECTED = 'An unexpected internal server error occurred.';

/** What programs read of a refusal, whatever the shape of its body (SPEC API-error-codes). */
const ERROR_CODE_HEADER = 'X-Error-Code';

/** Seconds until a client should ask again while the database is away: a restart of PostgreSQL takes about as long. */
const OUTAGE_RETRY_SECONDS = 5;

interface Written {
  readonly status: number;
  /** Of X-Error-Code. */
  readonly code: ErrorCode;
  readonly body: unknown;
}

/** "The layer fixes the status"; `reason` is "often equal to code". */
function writeDenial(denial: Denial): Written {
  const layer = LAYER_BY_CODE[denial.code];
  return {
    status: STATUS_BY_LAYER[layer],
    code: denial.code,
    body: { layer, ...denial, reason: denial.code },
  };
}

function write(failure: Failure): Written {
  switch (failure.shape) {
    case 'A':
    case 'B':
      return { status: failure.status, code: failure.code, body: { detail: failure.detail } };
    case 'C':
      return { status: 422, code: 'validation_failed', body: { detail: failure.issues } };
    case 'D':
      return writeDenial(failure.denial);
  }
}

function answer(ctx: Context, written: Written, headers: Readonly<Record<string, string>>): void {
  ctx.set({ ...headers, [ERROR_CODE_HEADER]: written.code });
  ctx.status = written.status;
  ctx.body = written.body;
}

/** Where a failure happened: the row's pattern, not the client's path, which may hold anything. */
function describeRequest(ctx: Context): object {
  const facts = findFacts(ctx);
  return { route: facts?.route ?? null, request_id: facts?.requestId ?? null };
}

/** Middleware: around all that can fail, so that no failure gets past it. */
export function respondErrors(log: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (ctx.headerSent || !ctx.writable) {
        log.warn({ err: error, ...describeRequest(ctx) }, 'failed after the answer had begun');
        ctx.res.destroy();
        ctx.respond = false;
        return;
      }
      if (error instanceof ApiError) {
        answer(ctx, write(error.failure), error.headers);
        return;
      }
      log.error({ err: error, method: ctx.method, ...describeRequest(ctx) }, 'unexpected error');
      const headers = isTransientDatabaseError(error) ? { 'Retry-After': String(OUTAGE_RETRY_SECONDS) } : {};
      answer(ctx, { status: 500, code: 'internal_error', body: { detail: UNEXPECTED } }, headers);
    }
  };
}

/** 404 for a path that no row has, and 405 with `Allow` for one that has other methods (SPEC SRV-unrouted). */
export function respondUnrouted(ctx: Context, allowed: readonly string[]): void {
  if (allowed.length === 0) {
    answer(ctx, write(unrouted().failure), {});
  } else {
    const refused = refuseWith(405, 'method_not_allowed', 'Method Not Allowed');
    answer(ctx, write(refused.failure), { Allow: allowed.join(', ') });
  }
}
