/**
 * What the realtime server does, as spans and times: what waits for the database or answers a person. Operations have
 * none: a drag is forty of them a second, and the span of a save tells how much it wrote.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { noteLogged, timeSave } from '../../observe/realtime-metrics.ts';
import { failSpan, inSpan, traced, TRACEPARENT } from '../../observe/tracing.ts';
import type { Reply } from '../room/ports.ts';
import type { StoreMeters } from '../store/room-store.ts';
import type { Visitor } from './handshake.ts';

/** Paths that name a span; others are whatever a client sent. */
const ROUTES: ReadonlySet<string> = new Set(['/health', '/metrics', '/admin/quick-stats', '/admin/stats']);

const traceOf = (headers: IncomingMessage['headers']): string | null => {
  const given = headers[TRACEPARENT];
  return typeof given === 'string' ? given : null;
};

/** Lets somebody in, in the trace that the connection's first request names. Passes on what `work` returns or throws. */
export function observedHandshake(
  headers: IncomingMessage['headers'],
  work: () => Promise<Visitor>,
): Promise<Visitor> {
  const plan = { name: 'handshake', kind: 'server', traceparent: traceOf(headers), attributes: {} } as const;
  return traced(plan, async (span) => {
    const visitor = await work();
    span.setAttribute('app.organization_id', visitor.scope.organizationId);
    return visitor;
  });
}

/** Answers one event of a session; a refusal fails the span by its code. */
export function observedReply(
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

/** Answers one plain request. */
export function observedRequest(
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
    traceparent: traceOf(request.headers),
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

/** For the store: each save has its time, and a trace of its own, because many people's edits lead to it. */
export const observedStore: StoreMeters = {
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
