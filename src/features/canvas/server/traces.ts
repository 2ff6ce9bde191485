/**
 * Spans and timings of the realtime server. Operations have no span: a drag makes 40 of them a second, and the span of a
 * save counts its patches.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { noteLogged, timeSave } from '../../../base/observe/realtime-metrics.ts';
import { failSpan, inSpan, traced, TRACEPARENT } from '../../../base/observe/tracing.ts';
import type { Reply } from '../room/ports.ts';
import type { StoreMeters } from '../store/room-store.ts';
import type { AuthorizedClient } from './handshake.ts';

/** Paths that may name a span; any other path is arbitrary client input. */
const ROUTES: ReadonlySet<string> = new Set(['/health', '/metrics', '/admin/quick-stats', '/admin/stats']);

const readTraceparent = (headers: IncomingMessage['headers']): string | null => {
  const given = headers[TRACEPARENT];
  return typeof given === 'string' ? given : null;
};

/** Traces a handshake as a child of the request's `traceparent`. Returns or throws what `work` does. */
export function traceHandshake(
  headers: IncomingMessage['headers'],
  work: () => Promise<AuthorizedClient>,
): Promise<AuthorizedClient> {
  const plan = {
    name: 'handshake',
    kind: 'server',
    traceparent: readTraceparent(headers),
    attributes: {},
  } as const;
  return traced(plan, async (span) => {
    const visitor = await work();
    span.setAttribute('app.organization_id', visitor.scope.organizationId);
    return visitor;
  });
}

/** Traces one request of a session; a rejection fails the span with its code. */
export function traceReply(
  event: string,
  { organizationId }: { readonly organizationId: string },
  work: () => Promise<Reply>,
): Promise<Reply> {
  const attributes = { 'app.organization_id': organizationId };
  return traced({ name: event, kind: 'server', traceparent: null, attributes }, async (span) => {
    const reply = await work();
    if (!reply.ok) failSpan(span, reply.code);
    return reply;
  });
}

/** Traces one HTTP request. */
export function traceRequest(
  request: IncomingMessage,
  response: ServerResponse,
  work: () => Promise<void>,
): Promise<void> {
  const { method = '', url = '' } = request;
  const [path = ''] = url.split('?', 1);
  const route = ROUTES.has(path) ? path : null;
  const plan = {
    name: route === null ? method : `${method} ${route}`,
    kind: 'server',
    traceparent: readTraceparent(request.headers),
    attributes: { 'http.request.method': method, ...(route === null ? {} : { 'http.route': route }) },
  } as const;
  return inSpan(plan, (span) => {
    response.once('close', () => {
      span.setAttribute('http.response.status_code', response.statusCode);
      if (response.statusCode >= 500) failSpan(span, String(response.statusCode));
      span.end();
    });
    return work();
  });
}

/** Times each save and gives it a trace of its own, because it contains the edits of many sessions. */
export const storeMeters: StoreMeters = {
  logged: noteLogged,
  save(request, work) {
    const attributes = {
      'app.organization_id': request.organizationId,
      'app.workflow_id': request.workflowId,
      'app.patches': request.patches.length,
    };
    return traced({ name: 'room save', kind: 'consumer', traceparent: null, attributes }, async (span) => {
      const done = timeSave();
      try {
        const result = await work();
        span.setAttribute('app.outcome', result.outcome);
        done(result.outcome);
        return result;
      } catch (error) {
        done('unknown');
        throw error;
      }
    });
  },
};
