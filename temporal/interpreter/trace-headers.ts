/**
 * Hands the trace of a run on to what the run does: what came with the start, or with the latest signal, goes along
 * with every activity, child and continuation. Never read here: headers change nothing that a replay compares.
 */
import type { Headers } from '@temporalio/common';
import type { WorkflowInterceptors } from '@temporalio/workflow';
import { TRACE_HEADER } from '../contract.ts';

/** Called by the SDK for each execution, so that one run's trace never gets into another's. */
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
