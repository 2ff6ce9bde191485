/** Schemas of reruns, comparisons of runs, and tests of one node. */
import { z } from 'zod';
import { json, jsonObject, savedDefinition, uuid } from '../../../platform/http/wire.ts';
import { runStart } from './schema.ts';
import { runId } from '../../../platform/http/fields.ts';
import {
  credits,
  durationMs,
  nodeId,
  nodeName,
  nodeType,
  runPk,
  selectedHandle,
  stepId,
  stepStatus,
  workflowId,
  workflowName,
  workflowSource,
  workflowVersion,
} from './fields.ts';

const rerunSourceId = uuid.meta({
  description: 'The `run_id` of the run that this is a rerun of; null: none',
});

export const rerunBody = z
  .strictObject({
    from_node_id: z.string().min(1).max(64).optional().meta({
      description: 'The node to start from: it and the nodes after it run again; the others are reused',
    }),
    from_visit: z
      .int()
      .min(1)
      .max(20_000)
      .optional()
      .meta({ description: 'Number of the visit of the node, in a loop; the last by default' }),
    from: z
      .literal('failed')
      .optional()
      .meta({ description: '`failed`: the failed nodes and the nodes after them run again' }),
    input: jsonObject
      .optional()
      .meta({ description: 'Input for the nodes that run, instead of the input of the run' }),
    overrides: z
      .record(z.string().max(64), json)
      .optional()
      .meta({ description: 'Outputs by node id, used instead of the outputs of the run' }),
    definition: z.enum(['same', 'live', 'draft']).default('same').meta({
      description:
        'The definition to run. In another one a node is reused when it and all nodes before it are unchanged',
    }),
    dry_run: z.boolean().default(false).meta({ description: 'Returns the plan without starting a run' }),
    confirm_effects: z.boolean().default(false).meta({
      description:
        'Confirms that effects of the run are repeated for which no node was named: those of `effects_to_confirm` in the plan',
    }),
  })
  .meta({
    id: 'Rerun',
    // `from` and `from_node_id` exclude each other; `from_visit` needs a node.
    override: ({ jsonSchema }) =>
      void Object.assign(jsonSchema, {
        not: { properties: { from: {}, from_node_id: {} }, required: ['from', 'from_node_id'] },
        dependentRequired: { from_visit: ['from_node_id'] },
      }),
  });
export type RerunBody = z.output<typeof rerunBody>;

const fate = z
  .looseObject({
    node_id: nodeId,
    node_name: nodeName,
    node_type: nodeType,
    effect: z
      .enum(['pure', 'idempotent', 'at_least_once', 'at_most_once'])
      .meta({ description: 'Effect class of the node: the consequence of repeating it' }),
    action: z.enum(['reuse', 'run', 'skip']).meta({ description: 'Action for the node' }),
    reason: z
      .enum(['completed', 'override', 'chosen', 'downstream', 'changed', 'not_completed', 'branch'])
      .meta({ description: 'Reason of the action' }),
    visits_reused: z.int().meta({ description: 'Number of reused visits of the node' }),
    repeats: z.array(z.string()).meta({
      description: 'Tools of an agent, or nodes of a sub-workflow, whose effects the rerun would repeat',
    }),
  })
  .meta({ id: 'RerunPlanNode' });

const rerunPlan = z
  .looseObject({
    dry_run: z.literal(true).meta({ description: 'True: nothing was started' }),
    rerun_of: rerunSourceId,
    workflow_name: workflowName,
    workflow_version: workflowVersion,
    workflow_source: workflowSource,
    counts: z
      .looseObject({
        reuse: z.int().meta({ description: 'Number of reused nodes' }),
        run: z.int().meta({ description: 'Number of nodes that run' }),
        skip: z.int().meta({ description: 'Number of skipped nodes' }),
      })
      .meta({ id: 'RerunCounts' })
      .meta({ description: 'Number of nodes by action' }),
    effects_to_confirm: z.array(z.string()).meta({
      description:
        'Nodes, and tools or nodes inside of them, whose effects the run has made, or may have made, and which would be repeated; when there are any, the rerun needs `confirm_effects`',
    }),
    nodes: z.array(fate).meta({ description: 'The action for each node' }),
  })
  .meta({ id: 'RerunPlan' });
const rerunStarted = z.looseObject({ ...runStart, rerun_of: rerunSourceId }).meta({ id: 'RerunStarted' });
export const rerunReply = z.union([rerunStarted, rerunPlan]).meta({ id: 'RerunReply' });

const comparedRun = z
  .looseObject({
    run_pk: runPk,
    run_id: runId,
    status: z
      .enum(['running', 'interrupted', 'succeeded', 'failed', 'cancelled'])
      .meta({ description: 'Current status' }),
    workflow_id: workflowId,
    workflow_name: workflowName,
    workflow_version: workflowVersion,
  })
  .meta({ id: 'ComparedRun' });
const comparedStep = z
  .looseObject({
    step_id: stepId,
    status: stepStatus,
    visits: z.int().meta({ description: 'Number of visits of the node' }),
    duration_ms: durationMs,
    credits: credits,
    selected_handle: selectedHandle,
    took: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Ids of the next nodes, or `__end__`; null when it has not ended' }),
    error_code: z.string().nullable().meta({ description: 'Stable code of the failure; null without one' }),
  })
  .meta({ id: 'ComparedStep' });
const comparedNode = z
  .looseObject({
    node_id: nodeId,
    node_name: nodeName,
    node_type: nodeType,
    a: comparedStep
      .nullable()
      .meta({ description: 'Its last visit; null when the run did not reach the node' }),
    b: comparedStep
      .nullable()
      .meta({ description: 'Its last visit; null when the run did not reach the node' }),
    output_differs: z.boolean().meta({ description: 'Whether the outputs differ' }),
    differences: z.array(z.string()).nullable().meta({
      description: 'JSON pointers to the differences; null when the outputs are too large to compare',
    }),
    branch_differs: z.boolean().meta({ description: 'Whether different edges were taken' }),
  })
  .meta({ id: 'ComparedNode' });
export const comparisonReply = z
  .looseObject({
    a: comparedRun.meta({ description: 'The run of the path' }),
    b: comparedRun.meta({ description: 'The other run' }),
    same_definition: z.boolean().meta({ description: 'Whether both runs have the same definition' }),
    nodes: z.array(comparedNode).meta({ description: 'The nodes that either run reached' }),
  })
  .meta({ id: 'RunComparison' });

export const definitionReply = z
  .looseObject({
    run_id: runId,
    definition_hash: z.string().meta({ description: 'SHA-256 of the stored definition, in hex' }),
    workflow_name: workflowName,
    workflow_version: workflowVersion,
    workflow_source: workflowSource,
    definition: savedDefinition.meta({ description: 'The stored definition' }),
  })
  .meta({ id: 'RunDefinition' });

export const testNodeBody = z
  .strictObject({
    state: jsonObject.optional().meta({
      description: 'State fields and outputs of other nodes by id; they override those of the past run',
    }),
    input: jsonObject.optional().meta({ description: 'Input of the run; that of the past run by default' }),
    from_run_pk: uuid.optional().meta({
      description:
        'Id, in the history, of a past run with the state and outputs for the templates of the node',
    }),
    confirm_effects: z.boolean().default(false).meta({
      description:
        'Confirms the side effects of the node; required when it, a tool of it, or a sub-workflow that it calls sends requests other than GET, HEAD and OPTIONS, or messages to people',
    }),
  })
  .meta({ id: 'NodeTest' });
export type TestNodeBody = z.output<typeof testNodeBody>;
