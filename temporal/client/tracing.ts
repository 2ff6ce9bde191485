/**
 * Traces through Temporal: starts and signals carry the active traceparent in a header, the interpreter propagates it
 * (interpreter/trace-headers.ts), and each activity runs in a span of that trace.
 */
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { activeTraceparent, traced } from '../../src/base/observe/tracing.ts';
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

/** Adds the active trace to starts and signals of the client. */
export const clientTracing: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next({ ...input, headers: withTrace(input.headers) }),
  signal: (input, next) => next({ ...input, headers: withTrace(input.headers) }),
};

/** Runs each activity in a span that is named after its type and has only ids as attributes. */
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
