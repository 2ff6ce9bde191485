/**
 * Observes requests: request id, log line, duration metric and span. Their fields are an allow-list (request-facts.ts) without
 * query strings, headers or bodies.
 */
import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { systemClock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { noteRateLimited, noteRequest } from '../../base/observe/metrics.ts';
import { failSpan, inSpan, TRACEPARENT } from '../../base/observe/tracing.ts';
import { beginFacts, type RequestFacts } from './request-facts.ts';

/** A client's id of this form is used, so that the logs of both sides can be joined. */
const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;

function logFields(
  ctx: Context,
  facts: RequestFacts,
  { status, ms }: { readonly status: number; readonly ms: number },
): object {
  return {
    method: ctx.method,
    route: facts.route,
    status,
    ms: Math.round(ms),
    request_id: facts.requestId,
    ...(facts.organizationId === null ? {} : { organization_id: facts.organizationId }),
    ...(facts.userId === null ? {} : { user_id: facts.userId }),
    ...facts.run,
    ...(facts.keyHint === null ? {} : { key_hint: facts.keyHint }),
    // The client disconnected or the answer failed, so the status may not have been sent.
    ...(ctx.res.writableFinished ? {} : { aborted: true }),
  };
}

/** Creates the outermost middleware. The `close` event ends the observation, also for answers that Koa does not write. */
export function observeRequest(log: Logger): Middleware {
  return (ctx, next) => {
    const startedMs = systemClock.monotonic();
    const given = ctx.get('X-Request-ID');
    const facts = beginFacts(ctx, REQUEST_ID.test(given) ? given : randomUUID());
    ctx.set('X-Request-ID', facts.requestId);
    const spanOptions = {
      name: ctx.method,
      kind: 'server',
      traceparent: ctx.get(TRACEPARENT) || null,
      attributes: { 'http.request.method': ctx.method, 'app.request_id': facts.requestId },
    } as const;
    return inSpan(spanOptions, (span) => {
      ctx.res.once('close', () => {
        const ms = systemClock.monotonic() - startedMs;
        const status = ctx.res.statusCode;
        log.info(logFields(ctx, facts, { status, ms }), 'request');
        if (status === 429) noteRateLimited(String(ctx.res.getHeader('X-Error-Code') ?? 'none'));
        // A stream lasts as long as its client listens, which would hide slow requests in the histogram.
        const isStream = String(ctx.res.getHeader('Content-Type') ?? '').startsWith('text/event-stream');
        if (!isStream) noteRequest({ method: ctx.method, route: facts.route, status }, ms / 1_000);
        if (facts.route !== null) {
          span.updateName(`${ctx.method} ${facts.route}`);
          span.setAttribute('http.route', facts.route);
        }
        if (facts.organizationId !== null) span.setAttribute('app.organization_id', facts.organizationId);
        span.setAttribute('http.response.status_code', status);
        if (status >= 500) failSpan(span, String(status));
        span.end();
      });
      return next();
    });
  };
}
