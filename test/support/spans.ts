/** Spans of this process in memory, as an SDK would send them. */
import { context, propagation, trace } from '@opentelemetry/api';
import { NodeSDK, tracing } from '@opentelemetry/sdk-node';
import { eventually } from './waiting.ts';

export type FinishedSpan = tracing.ReadableSpan;

export interface SpanRecorder {
  /** What has ended so far. */
  spans(): readonly FinishedSpan[];
  /** Waits for a span of this name that fits. */
  find(name: string, fits?: (span: FinishedSpan) => boolean): Promise<FinishedSpan>;
  /** Leaves the process as it was: the SDK registers itself globally, and refuses a second one while it is. */
  stop(): Promise<void>;
}

export function recordSpans(): SpanRecorder {
  const exporter = new tracing.InMemorySpanExporter();
  const sdk = new NodeSDK({
    autoDetectResources: false,
    instrumentations: [],
    metricReaders: [],
    logRecordProcessors: [],
    spanProcessors: [new tracing.SimpleSpanProcessor(exporter)],
  });
  // Another file of this process may have left its own; a second registration would be refused without an error.
  for (const api of [trace, context, propagation]) api.disable();
  sdk.start();
  const spans = () => exporter.getFinishedSpans();
  return {
    spans,
    find: (name, fits = () => true) =>
      eventually(
        `a span ${name}`,
        20_000,
        () => spans().find((span) => span.name === name && fits(span)) ?? null,
      ),
    stop: async () => {
      await sdk.shutdown();
      for (const api of [trace, context, propagation]) api.disable();
    },
  };
}
