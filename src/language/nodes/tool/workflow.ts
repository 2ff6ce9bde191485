/** Tool of kind `workflow`: runs another workflow as a child (SPEC DEF-2.2). */
import { z } from 'zod';
import { isObject } from '../../graph/values/value.ts';
import type { NodeCall, NodeResult } from '../kind.ts';
import { NodeError } from '../kind.ts';
import { discriminator, anyJson } from '../read-config.ts';

/** The longest wait of a parent for its child. */
export const CHILD_TIMEOUT_MS = 24 * 3_600_000;

export const workflowTool = z.object({
  kind: discriminator('workflow'),
  workflow_id: z.uuid().meta({ description: 'Id of the workflow to run as a sub-workflow' }),
  deployment: z
    .string()
    .min(1)
    .default('live')
    .meta({ description: '`live`, the version of a deployment, or its id' }),
  input: anyJson.nullish().meta({ description: 'Input of the sub-workflow; values may be templates' }),
  wait: z
    .boolean()
    .default(true)
    .meta({ description: 'Whether the node waits for the sub-workflow, for at most a day' }),
});
type WorkflowTool = z.output<typeof workflowTool>;

/**
 * Requests a child run with the rendered input of the tool.
 * @returns the outcome `child`: the engine starts the run
 * @throws NodeError `invalid_input` when the rendered input is not an object
 */
export function requestChild(call: NodeCall<unknown>, config: WorkflowTool): NodeResult {
  const input = call.render(config.input ?? {});
  if (!isObject(input)) throw new NodeError('invalid_input', 'The input of a workflow must be an object');
  const { workflow_id: workflowId, deployment, wait } = config;
  return { outcome: 'child', child: { workflowId, deployment, input, wait } };
}
