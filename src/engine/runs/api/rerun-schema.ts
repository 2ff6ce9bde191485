/** Schemas of reruns, comparisons of runs, and tests of one node. */
import { z } from 'zod';
import { json, jsonObject, savedDefinition, uuid } from '../../../platform/http/wire.ts';
import { runStart } from './schema.ts';

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
    node_id: z.string(),
    node_name: z.string(),
    node_type: z.string(),
    effect: z.enum(['pure', 'idempotent', 'at_least_once', 'at_most_once']),
    action: z.enum(['reuse', 'run', 'skip']),
    reason: z
      .enum(['completed', 'override', 'chosen', 'downstream', 'changed', 'not_completed', 'branch'])
      .meta({ description: 'Reason of the action' }),
    visits_reused: z.int(),
    repeats: z.array(z.string()),
  })
  .meta({ id: 'RerunPlanNode' });

const rerunPlan = z
  .looseObject({
    dry_run: z.literal(true),
    rerun_of: uuid,
    workflow_name: z.string(),
    workflow_version: z.string(),
    workflow_source: z.string(),
    counts: z.looseObject({ reuse: z.int(), run: z.int(), skip: z.int() }).meta({ id: 'RerunCounts' }),
    effects_to_confirm: z.array(z.string()).meta({
      description:
        'Nodes, and tools or nodes inside of them, whose effects the run has made, or may have made, and which would be repeated; when there are any, the rerun needs `confirm_effects`',
    }),
    nodes: z.array(fate),
  })
  .meta({ id: 'RerunPlan' });
const rerunStarted = z.looseObject({ ...runStart, rerun_of: uuid }).meta({ id: 'RerunStarted' });
export const rerunReply = z.union([rerunStarted, rerunPlan]).meta({ id: 'RerunReply' });

const comparedRun = z
  .looseObject({
    run_pk: uuid,
    run_id: uuid,
    status: z.enum(['running', 'interrupted', 'succeeded', 'failed', 'cancelled']),
    workflow_id: uuid.nullable(),
    workflow_name: z.string(),
    workflow_version: z.string(),
  })
  .meta({ id: 'ComparedRun' });
const comparedStep = z
  .looseObject({
    step_id: uuid,
    status: z.string(),
    visits: z.int(),
    duration_ms: z.int().nullable(),
    credits: z.number(),
    selected_handle: z.string().nullable(),
    took: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Ids of the next nodes, or `__end__`; null when it has not ended' }),
    error_code: z.string().nullable(),
  })
  .meta({ id: 'ComparedStep' });
const comparedNode = z
  .looseObject({
    node_id: z.string(),
    node_name: z.string(),
    node_type: z.string(),
    a: comparedStep
      .nullable()
      .meta({ description: 'Its last visit; null when the run did not reach the node' }),
    b: comparedStep.nullable(),
    output_differs: z.boolean(),
    differences: z.array(z.string()).nullable().meta({
      description: 'JSON pointers to the differences; null when the outputs are too large to compare',
    }),
    branch_differs: z.boolean(),
  })
  .meta({ id: 'ComparedNode' });
export const comparisonReply = z
  .looseObject({
    a: comparedRun,
    b: comparedRun,
    same_definition: z.boolean(),
    nodes: z.array(comparedNode),
  })
  .meta({ id: 'RunComparison' });

export const definitionReply = z
  .looseObject({
    run_id: uuid,
    definition_hash: z.string().meta({ description: 'SHA-256 of the stored definition, in hex' }),
    workflow_name: z.string(),
    workflow_version: z.string(),
    workflow_source: z.string(),
    definition: savedDefinition,
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
