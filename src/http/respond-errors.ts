/**
 * The only writer of error bodies: the four shapes (SPEC API-errors), 404 and 405 of unmatched requests, and one fixed text for
 * unexpected errors, whose cause goes to the log and never to the client.
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

/** The text of every 500 (SPEC API-statuses). */
const UNEXPECTED = 'An unexpected internal server error occurred.';

/** The header with the error code, for every shape of body (SPEC API-error-codes). */
const ERROR_CODE_HEADER = 'X-Error-Code';

/** Retry-After while the database is unavailable: a restart of PostgreSQL takes about as long. */
const OUTAGE_RETRY_SECONDS = 5;

interface Written {
  readonly status: number;
  /** Value of X-Error-Code. */
  readonly code: ErrorCode;
  readonly body: unknown;
}

/** Writes shape D: the layer determines the status, and `reason` equals the code. */
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

/** The log fields of a failed request: the pattern of its route, not the path, which is the client's text. */
function describeRequest(ctx: Context): object {
  const facts = findFacts(ctx);
  return { route: facts?.route ?? null, request_id: facts?.requestId ?? null };
}

/** Creates the middleware that converts errors of the following middleware to answers. */
export function respondErrors(log: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (ctx.headerSent || !ctx.writable) {
        log.warn({ err: error, ...describeRequest(ctx) }, 'a request failed after its answer had started');
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

/** Answers 404 for an unknown path, and 405 with `Allow` for an unsupported method (SPEC SRV-unrouted). */
export function respondUnrouted(ctx: Context, allowed: readonly string[]): void {
  if (allowed.length === 0) {
    answer(ctx, write(unrouted().failure), {});
  } else {
    const refused = refuseWith(405, 'method_not_allowed', 'Method Not Allowed');
    answer(ctx, write(refused.failure), { Allow: allowed.join(', ') });
  }
}
