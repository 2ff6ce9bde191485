/** An interpreter whose sub-workflows do not hear of their cancellation. */
import { workflowInfo } from '@temporalio/workflow';
import { RootCancellationScope } from '@temporalio/workflow/lib/cancellation-scope.js';
import type { InterpretInput } from '../../temporal/contract.ts';
import { interpretWorkflow as interpret } from '../../temporal/interpreter/interpret.ts';

export function interpretWorkflow(input: InterpretInput): Promise<{ status: string }> {
  if (workflowInfo().parent === undefined) return interpret(input);
  // A scope without the one that Temporal cancels above it; one that cannot be cancelled would be told.
  return new RootCancellationScope().run(() => interpret(input));
}
