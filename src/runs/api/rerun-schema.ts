/** Schemas of reruns, comparisons of runs, and tests of one node. */
import { z } from 'zod';
import { json, jsonObject, savedDefinition, uuid } from '../../http/wire.ts';
import { runStart } from './schema.ts';

export const rerunBody = z
  .strictObject({
    from_node_id: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: 'This node, and whatever it leads to, runs again; everything else is reused' }),
    from_visit: z
      .int()
      .min(1)
      .max(20_000)
      .optional()
      .meta({ description: 'Which visit of the node, in a loop; the last when it is missing' }),
    from: z
      .literal('failed')
      .optional()
      .meta({ description: 'What has failed runs again, and whatever it leads to' }),
    input: jsonObject
      .optional()
      .meta({ description: 'Replaces the input of the run for the nodes that run' }),
    overrides: z
      .record(z.string().max(64), json)
      .optional()
      .meta({ description: 'Outputs by node id that stand for what the nodes came to' }),
    definition: z.enum(['same', 'live', 'draft']).default('same').meta({
      description: 'In another definition a node is reused when it, and all before it, is as it was',
    }),
    dry_run: z.boolean().default(false).meta({ description: 'Answers the plan and starts nothing' }),
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
      .meta({ description: 'Why: the node, or what it depends on' }),
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
      .meta({ description: 'The nodes that it has led to, or `__end__`; null when it has not ended' }),
    error_code: z.string().nullable(),
  })
  .meta({ id: 'ComparedStep' });
const comparedNode = z
  .looseObject({
    node_id: z.string(),
    node_name: z.string(),
    node_type: z.string(),
    a: comparedStep.nullable().meta({ description: 'Its last visit; null when the run did not come to it' }),
    b: comparedStep.nullable(),
    output_differs: z.boolean(),
    differences: z
      .array(z.string())
      .nullable()
      .meta({ description: 'JSON pointers into the outputs; null when these are too large to be compared' }),
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
    definition_hash: z.string().meta({ description: 'SHA-256 of the definition as it is stored, in hex' }),
    workflow_name: z.string(),
    workflow_version: z.string(),
    workflow_source: z.string(),
    definition: savedDefinition,
  })
  .meta({ id: 'RunDefinition' });

export const testNodeBody = z
  .strictObject({
    state: jsonObject.optional().meta({
      description: 'Fields of the state and outputs of other nodes by id; they win over those of a past run',
    }),
    input: jsonObject
      .optional()
      .meta({ description: 'The input of the run; that of the past run when it is missing' }),
    from_run_pk: uuid
      .optional()
      .meta({ description: 'A past run whose state and outputs the templates of the node read' }),
    confirm_effects: z
      .boolean()
      .default(false)
      .meta({ description: 'The node may act on something outside: a tool or an agent' }),
  })
  .meta({ id: 'NodeTest' });
export type TestNodeBody = z.output<typeof testNodeBody>;
