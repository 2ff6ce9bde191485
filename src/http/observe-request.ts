/**
 * One request seen from outside: its id, its line in the log, its time in the metrics, its span. From an allow-list
 * (request-facts.ts): no query string, no header, no body gets near any of them.
 */
import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { Logger } from '../log.ts';
import { noteRequest } from '../observe/metrics.ts';
import { failSpan, inSpan, TRACEPARENT } from '../observe/tracing.ts';
import { beginFacts, type RequestFacts } from './request-facts.ts';

/** The client's own id is taken over when it is harmless, so that both sides' logs meet. */
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
    ...(facts.keyHint === null ? {} : { key_hint: facts.keyHint }),
    // The client left, or the answer broke: the status is what it would have been.
    ...(ctx.res.writableFinished ? {} : { aborted: true }),
  };
}

/** Middleware: outermost, and told of the end by the connection, which also knows of answers that Koa does not write. */
export function observeRequest(log: Logger): Middleware {
  return (ctx, next) => {
    const begun = performance.now();
    const given = ctx.get('X-Request-ID');
    const facts = beginFacts(ctx, REQUEST_ID.test(given) ? given : randomUUID());
    ctx.set('X-Request-ID', facts.requestId);
    const plan = {
      name: ctx.method,
      kind: 'server',
      traceparent: ctx.get(TRACEPARENT) || null,
      attributes: { 'http.request.method': ctx.method, 'app.request_id': facts.requestId },
    } as const;
    return inSpan(plan, (span) => {
      ctx.res.once('close', () => {
        const ms = performance.now() - begun;
        const status = ctx.res.statusCode;
        log.info(logFields(ctx, facts, { status, ms }), 'request');
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
