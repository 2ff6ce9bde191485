/** Tool of kind `workflow`: runs another workflow as a child (SPEC DEF-2.2). */
import { z } from 'zod';
import { isObject } from '../../graph/values/value.ts';
import { defineSender, makeEffect, type PatternOf } from '../effect.ts';
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

const describeRun = ({ workflow_id, deployment }: WorkflowTool): PatternOf<'run'> => ({
  door: 'run',
  target: { workflow_id, deployment },
  effect: 'idempotent',
  credential_id: null,
});

/**
 * Requests a child run with the rendered input of the tool: the outcome `child`, of which the engine starts the run.
 * @throws NodeError `invalid_input` when the rendered input is not an object
 */
export const workflowSender = defineSender<WorkflowTool, 'run'>({
  describe: describeRun,
  prepare(call) {
    const { workflow_id, deployment, wait } = call.config;
    const input = call.render(call.config.input ?? {});
    if (!isObject(input)) throw new NodeError('invalid_input', 'The input of a workflow must be an object');
    return makeEffect(call, describeRun(call.config), {
      target: { workflow_id, deployment },
      request: { input, wait },
      shown: input,
    });
  },
  perform: (_, { target: { workflow_id: workflowId, deployment }, request }) => ({
    outcome: 'child',
    child: { workflowId, deployment, ...request },
  }),
});
