/**
 * Spans, by the OpenTelemetry API alone: without an SDK (start-tracing.ts) everything here does nothing. Attributes are
 * ids, routes and closed words; never inputs, prompts, credentials or the texts of errors.
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

/** The header, and the column, that a trace travels in (W3C Trace Context). */
export const TRACEPARENT = 'traceparent';

const tracer = () => trace.getTracer('workflow-automation-service');

/** The active trace for the wire; null when nothing is traced. */
export function activeTraceparent(): string | null {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier[TRACEPARENT] ?? null;
}

/** Who waits for whom: `server` and `consumer` spans go on with a trace from outside, or begin one. */
export type Kind = 'server' | 'producer' | 'consumer' | 'internal';
const KINDS = {
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

export interface SpanPlan {
  readonly name: string;
  readonly kind: Kind;
  /** The trace to go on with. */
  readonly traceparent: string | null;
  readonly attributes: Attributes;
  /** Another trace that this one follows from, such as that of a run's start. */
  readonly follows?: string | null;
}

/** The context that a plan goes on in; a traceparent that is malformed counts as none. */
function parentOf({ kind, traceparent }: SpanPlan): Context {
  // What is active where a packet or a timer arrives is whatever happened to arm it.
  const isEntry = kind === 'server' || kind === 'consumer';
  const around = isEntry ? ROOT_CONTEXT : context.active();
  return traceparent === null ? around : propagation.extract(around, { [TRACEPARENT]: traceparent });
}

/** Links to the span that a traceparent names: none for null, or for one that is malformed. */
function linksTo(traceparent: string | null): Link[] {
  if (traceparent === null) return [];
  const linked = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { [TRACEPARENT]: traceparent }));
  return linked === undefined ? [] : [{ context: linked }];
}

/** Links the active span to the one that a traceparent names; nothing for null, and within one trace. */
export function follow(traceparent: string | null): void {
  const span = trace.getActiveSpan();
  for (const link of linksTo(traceparent))
    if (span !== undefined && link.context.traceId !== span.spanContext().traceId) span.addLink(link);
}

/**
 * Opens a span for work that ends elsewhere, and runs `work` inside it.
 * @param work is given the span and must see to its end
 */
export function inSpan<T>(plan: SpanPlan, work: (span: Span) => T): T {
  const parent = parentOf(plan);
  const { attributes, follows = null } = plan;
  const span = tracer().startSpan(
    plan.name,
    { kind: KINDS[plan.kind], attributes, links: linksTo(follows) },
    parent,
  );
  return context.with(trace.setSpan(parent, span), () => work(span));
}

/** Marks a span as failed by a closed word: messages may hold what users typed. */
export function failSpan(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** What an error may be called in public: its code, its type or its class. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'type' in error && typeof error.type === 'string' ? error.type : error.name;
}

/** Runs `work` in a span that ends with it. Passes on what it returns or throws. */
export function traced<T>(plan: SpanPlan, work: (span: Span) => Promise<T>): Promise<T> {
  return inSpan(plan, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      failSpan(span, typeOf(error));
      throw error;
    } finally {
      span.end();
    }
  });
}
