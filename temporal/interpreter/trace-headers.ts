/**
 * Propagates the trace of a run: the header of the start, or of the latest signal, goes to every activity, child and
 * continuation. Replays do not compare headers.
 */
import type { Headers } from '@temporalio/common';
import type { WorkflowInterceptors } from '@temporalio/workflow';
import { TRACE_HEADER } from '../contract.ts';

/** Creates interceptors; the SDK calls it for each execution, so that runs do not share a trace. */
export function interceptors(): WorkflowInterceptors {
  let trace: Headers = {};
  const keep = (headers: Headers): void => {
    const payload = headers[TRACE_HEADER];
    if (payload !== undefined) trace = { [TRACE_HEADER]: payload };
  };
  const traced = <Input extends { readonly headers: Headers }>(input: Input): Input => ({
    ...input,
    headers: { ...input.headers, ...trace },
  });
  return {
    inbound: [
      {
        execute(input, next) {
          keep(input.headers);
          return next(input);
        },
        handleSignal(input, next) {
          keep(input.headers);
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(traced(input)),
        scheduleLocalActivity: (input, next) => next(traced(input)),
        startChildWorkflowExecution: (input, next) => next(traced(input)),
        continueAsNew: (input, next) => next(traced(input)),
      },
    ],
  };
}
