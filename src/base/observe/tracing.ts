/**
 * Spans through the OpenTelemetry API; without an SDK (start-tracing.ts) they do nothing. Attributes are ids, routes and fixed
 * words, never inputs, prompts, credentials or error messages.
 */
import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Span,
} from '@opentelemetry/api';

/** The header and the column of a trace (W3C Trace Context). */
export const TRACEPARENT = 'traceparent';

const tracer = () => trace.getTracer('workflow-automation-service');

/** Returns the active traceparent; null without tracing. */
export function activeTraceparent(): string | null {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier[TRACEPARENT] ?? null;
}

/** Reads the ids of the active span, for the log; empty without tracing. */
export function readTraceIds(): { readonly trace_id?: string; readonly span_id?: string } {
  const active = trace.getActiveSpan()?.spanContext();
  return active === undefined ? {} : { trace_id: active.traceId, span_id: active.spanId };
}

/** `server` and `consumer` spans continue a trace from outside or start one. */
type Kind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';
const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

/** A span before its start. */
export interface SpanPlan {
  readonly name: string;
  readonly kind: Kind;
  /** The trace to continue; null starts one or continues the active one. */
  readonly traceparent: string | null;
  readonly attributes: Attributes;
  /** Another trace to link, such as that of a run's start. */
  readonly follows?: string | null;
}

/** @returns the parent context; a malformed traceparent counts as none */
function findParent({ kind, traceparent }: SpanPlan): Context {
  // The active context of a packet or timer is that of the unrelated code that armed it.
  const isEntry = kind === 'server' || kind === 'consumer';
  const around = isEntry ? ROOT_CONTEXT : context.active();
  return traceparent === null ? around : propagation.extract(around, { [TRACEPARENT]: traceparent });
}

/** @returns a link to the span of a traceparent; none for null or a malformed one */
function toLinks(traceparent: string | null): Link[] {
  if (traceparent === null) return [];
  const linked = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { [TRACEPARENT]: traceparent }));
  return linked === undefined ? [] : [{ context: linked }];
}

/** Links the active span to that of a traceparent, unless both are in one trace. */
export function follow(traceparent: string | null): void {
  const span = trace.getActiveSpan();
  for (const link of toLinks(traceparent))
    if (span !== undefined && link.context.traceId !== span.spanContext().traceId) span.addLink(link);
}

/**
 * Starts a span and runs `work` inside it.
 * @param work must end the span
 */
export function inSpan<T>(plan: SpanPlan, work: (span: Span) => T): T {
  const parent = findParent(plan);
  const { attributes, follows = null } = plan;
  const span = tracer().startSpan(
    plan.name,
    { kind: KINDS[plan.kind], attributes, links: toLinks(follows) },
    parent,
  );
  return context.with(trace.setSpan(parent, span), () => work(span));
}

/** Marks a span as failed. @param type a fixed word, because messages may contain user input */
export function failSpan(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** @returns the code, type or class of an error, which are safe to publish */
function toErrorType(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'type' in error && typeof error.type === 'string' ? error.type : error.name;
}

/** Runs `work` in a span that ends with it. */
export function traced<T>(plan: SpanPlan, work: (span: Span) => Promise<T>): Promise<T> {
  return inSpan(plan, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      failSpan(span, toErrorType(error));
      throw error;
    } finally {
      span.end();
    }
  });
}
