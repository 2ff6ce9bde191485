/** Tool, kind `workflow`: runs another workflow as a child (SPEC DEF-2.2). */
import { z } from 'zod';
import { isObject } from '../../graph/value.ts';
import type { NodeCall, NodeResult } from '../kind.ts';
import { NodeError } from '../kind.ts';
import { anyJson } from '../read-config.ts';

/** How long a parent waits for its child at most. */
export const CHILD_TIMEOUT_MS = 24 * 3_600_000;

export const workflowTool = z.object({
  kind: z.literal('workflow'),
  workflow_id: z.uuid(),
  deployment: z.string().min(1).default('live'),
  input: anyJson.nullish(),
  wait: z.boolean().default(true),
});
export type WorkflowTool = z.output<typeof workflowTool>;

/** Asks the engine to run the child; throws NodeError `invalid_input` when the rendered input is no object. */
export function requestChild(call: NodeCall<unknown>, given: WorkflowTool): NodeResult {
  const input = call.render(given.input ?? {});
  if (!isObject(input)) throw new NodeError('invalid_input', 'The input of a workflow must be an object');
  const { workflow_id: workflowId, deployment, wait } = given;
  return { outcome: 'child', child: { workflowId, deployment, input, wait } };
}
