/**
 * Traces through Temporal: starts and signals carry the active traceparent in their headers, the interpreter hands it
 * on (interpreter/trace-headers.ts), and each activity runs in a span of it.
 */
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { activeTraceparent, traced } from '../../src/observe/tracing.ts';
import { TRACE_HEADER } from '../contract.ts';

function withTrace(headers: Headers): Headers {
  const traceparent = activeTraceparent();
  if (traceparent === null) return headers;
  return { ...headers, [TRACE_HEADER]: defaultPayloadConverter.toPayload(traceparent) };
}

function readTraceparent(headers: Headers): string | null {
  const payload = headers[TRACE_HEADER];
  if (payload === undefined) return null;
  const value: unknown = defaultPayloadConverter.fromPayload(payload);
  return typeof value === 'string' ? value : null;
}

/** For the client: what it starts or signals belongs to the trace that it is called in. */
export const clientTracing: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next({ ...input, headers: withTrace(input.headers) }),
  signal: (input, next) => next({ ...input, headers: withTrace(input.headers) }),
};

/** For workers: a span per activity, named after its type; ids only, as everything in a Temporal history that is not encrypted. */
export const activityTracing: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    execute: (input, next) =>
      traced(
        {
          name: `activity ${info.activityType}`,
          kind: 'consumer',
          traceparent: readTraceparent(input.headers),
          attributes: {
            'temporal.workflow_id': info.workflowExecution?.workflowId ?? '',
            'temporal.activity_id': info.activityId,
            'temporal.attempt': info.attempt,
          },
        },
        () => next(input),
      ),
  },
});
