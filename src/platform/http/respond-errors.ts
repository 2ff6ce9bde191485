/**
 * The only writer of error bodies: the four shapes (SPEC API-errors), 404 and 405 of unmatched requests, and one fixed text for
 * unexpected errors, whose cause goes to the log and never to the client.
 */
import type { Context, Middleware } from 'koa';
import { isTransientDatabaseError } from '../../base/db/transient-error.ts';
import { ERROR_CODES, type ErrorCode } from '../../base/error-codes.ts';
import {
  ApiError,
  LAYER_BY_CODE,
  STATUS_BY_LAYER,
  methodNotAllowed,
  unrouted,
  type Denial,
  type Failure,
  type Issue,
} from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { findDialect, type ErrorFacts } from './error-dialect.ts';
import { findFacts } from './request-facts.ts';

/** The text of every 500 (SPEC API-statuses). */
const UNEXPECTED = 'An unexpected internal server error occurred.';

/** The header with the error code, for every shape of body (SPEC API-error-codes). */
const ERROR_CODE_HEADER = 'X-Error-Code';

/** Retry-After while the database is unavailable: a restart of PostgreSQL takes about as long. */
const OUTAGE_RETRY_SECONDS = 5;

interface Written extends ErrorFacts {
  /** The body in the shape of the API; the code is the value of X-Error-Code. */
  readonly body: unknown;
}

/** Words of a code, for an error whose body has no sentence. */
function describeCode(code: ErrorCode): string {
  const byCode: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(ERROR_CODES));
  const words = byCode[code] ?? code;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Writes shape D: the layer determines the status, and `reason` equals the code. */
function writeDenial(denial: Denial): Written {
  const layer = LAYER_BY_CODE[denial.code];
  return {
    status: STATUS_BY_LAYER[layer],
    code: denial.code,
    message: describeCode(denial.code),
    field: null,
    issue: null,
    body: { layer, ...denial, reason: denial.code },
  };
}

/** Writes shape C; the sentence and the field are those of the first error. */
function writeIssues(issues: readonly Issue[]): Written {
  const [first] = issues;
  const field = first === undefined ? null : first.loc.slice(1).join('.');
  const message = [field, first?.msg ?? 'Validation failed'].filter(Boolean).join(': ');
  return {
    status: 422,
    code: 'validation_failed',
    message,
    field: field === '' ? null : field,
    issue: first?.type ?? null,
    body: { detail: issues },
  };
}

function write(failure: Failure): Written {
  switch (failure.shape) {
    case 'A': {
      const { status, code, detail } = failure;
      return { status, code, message: detail, field: null, issue: null, body: { detail } };
    }
    case 'B': {
      const { status, code, detail } = failure;
      return { status, code, message: describeCode(code), field: null, issue: null, body: { detail } };
    }
    case 'C':
      return writeIssues(failure.issues);
    case 'D':
      return writeDenial(failure.denial);
  }
}

function answer(ctx: Context, written: Written, headers: Readonly<Record<string, string>>): void {
  const found = findDialect(ctx);
  const translated = found?.dialect.write(written, found.origin);
  ctx.set({ ...headers, ...translated?.headers, [ERROR_CODE_HEADER]: written.code });
  ctx.status = found?.dialect.toStatus(written.status, written.code) ?? written.status;
  ctx.body = translated === undefined ? written.body : translated.body;
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
      const unexpected = {
        status: 500,
        code: 'internal_error',
        message: UNEXPECTED,
        field: null,
        issue: null,
      } as const;
      answer(ctx, { ...unexpected, body: { detail: UNEXPECTED } }, headers);
    }
  };
}

/** Answers 404 for an unknown path, and 405 with `Allow` for an unsupported method (SPEC SRV-unrouted). */
export function respondUnrouted(ctx: Context, allowed: readonly string[]): void {
  if (allowed.length === 0) {
    answer(ctx, write(unrouted().failure), {});
  } else {
    const refused = methodNotAllowed(allowed);
    answer(ctx, write(refused.failure), refused.headers);
  }
}
