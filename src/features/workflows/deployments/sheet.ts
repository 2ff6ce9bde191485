/** Routes of sheets: all that a version, or a draft, may do outside of its runs. */
import { z } from 'zod';
import { notFound } from '../../../base/errors.ts';
import { requireWorkflow } from '../../../engine/runs/ledger/read/require-objects.ts';
import { readDraft } from '../../../engine/runs/ledger/read/workflows.ts';
import { writeDefinition } from '../../../engine/runs/ledger/write/definitions.ts';
import { listSheet } from '../../../engine/runs/rerun/sheet.ts';
import { validate } from '../../../language/graph/checks/validate.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { kindRules } from '../../../language/nodes/registry.ts';
import { routesFor, type Route } from '../../../platform/http/route.ts';
import { givenDefinition, jsonObject, uuid, uuidParams } from '../../../platform/http/wire.ts';
import { flushCanvas } from './canvas.ts';
import { findDeployment, requireValid, type DeploymentDeps } from './service.ts';

const MAX_UNTRUSTED = 100;

const most = z.int().nullable();
const modelLimits = z
  .looseObject({
    max_output_tokens_per_call: most.meta({
      description:
        'The largest `max_output_tokens` of its nodes; null: one of them has none, so that of the service holds',
    }),
    max_calls_per_run: most.meta({
      description:
        '`config.limits.max_model_calls`, which all models of a run and of its sub-workflows share; null: no limit',
    }),
    max_output_tokens_per_run: most.meta({
      description: 'The product of both; null: there is no such limit',
    }),
    max_input_tokens_per_call: most.meta({
      description:
        'The most that its nodes ask with, as budgets count it; null: a run decides the input of one of them',
    }),
    max_credits_per_call: z.number().nullable().meta({
      description:
        'What a budget reserves for the dearest call; 0: its credential pays; null: a run decides the input of one of its nodes',
    }),
  })
  .meta({ id: 'SheetModelLimits' });

/** A row of a sheet. */
export const sheetRow = z
  .looseObject({
    door: z
      .enum(['http', 'model', 'mcp', 'search', 'run', 'table', 'message'])
      .meta({ description: 'The way out; an action of an integration is `http`' }),
    target: jsonObject.meta({
      description:
        'The target by its parts, such as `method` and `host`; a part that a run decides is `{"from": [references]}`, or `{"from": ["credential"]}`',
    }),
    effect: z.enum(['pure', 'idempotent', 'at_least_once', 'at_most_once']).meta({
      description: 'The effect class: what happens after a lost worker',
    }),
    credential_id: uuid.nullable().meta({ description: 'Id of the credential; null: none' }),
    nodes: z.array(z.string()).meta({
      description: 'Names of the nodes that may send it; of a sub-workflow after the node that calls it',
    }),
    model_limits: modelLimits
      .optional()
      .meta({ description: 'The most that a run may have of a model; only of models' }),
    refused_by: z.string().nullable().meta({
      description:
        'Name of the effect rule that refuses it, so that no deployment has it; null: none, or a run decides the target and is asked then',
    }),
    asked_by: z.string().nullable().meta({
      description:
        'Name of the effect rule by which people approve it before it leaves; null: none, or a run decides the target',
    }),
    unasked: z.enum(['item', 'message', 'unshown']).nullable().meta({
      description:
        'Why that rule refuses it in a run, because nobody can be asked: `item` of a list, `message` to a person, or what cannot be shown before it leaves, such as a turn of an agent (`unshown`); null: people are asked, or no rule asks',
    }),
  })
  .meta({ id: 'SheetRow' });

const trusted = z
  .looseObject({
    node: z.string().meta({ description: 'Name of the node' }),
    value: z.string().meta({ description: 'A reference without braces, such as `input.url`' }),
    reason: z.string().meta({ description: 'Why it may decide what the node does' }),
  })
  .meta({ id: 'SheetTrustedValue' });

const sheet = z
  .looseObject({
    rows: z.array(sheetRow).meta({ description: 'All effects, merged by target' }),
    trusted_values: z.array(trusted).meta({
      description:
        'Texts of others that decide what a node does, with the reason in the definition: `trusted_values` of its nodes, without those of sub-workflows',
    }),
    untrusted: z.array(z.string()).meta({
      description:
        'Where a text of others decides more than what is said, unchecked: the messages of `untrusted_to_sensitive`, at most 100',
    }),
    definition_hash: z.string().meta({
      description: 'SHA-256 of the definition, in hex: `expected_definition_hash` of a deployment',
    }),
    is_complete: z.boolean().meta({
      description: 'Whether all sub-workflows were looked at; of more than 100 the others are left out',
    }),
  })
  .meta({ id: 'Sheet' });

const draft = z
  .object({
    definition: givenDefinition.optional().meta({ description: 'A definition; by default the saved draft' }),
  })
  .meta({ id: 'SheetRequest' });

const route = routesFor<DeploymentDeps>();
const common = { tag: 'deployments', access: 'organization' } as const;

/** @throws ApiError 400 naming the first error of the definition */
async function present(
  { db, config }: Pick<DeploymentDeps, 'db' | 'config'>,
  of: { readonly organizationId: string; readonly workflowId: string },
  definition: JsonObject,
): Promise<object> {
  requireValid(definition, 'It has no sheet');
  const { definitionHash } = writeDefinition(definition);
  const untrusted = validate(definition, kindRules)
    .filter(({ code }) => code === 'untrusted_to_sensitive')
    .slice(0, MAX_UNTRUSTED)
    .map(({ message }) => message);
  return {
    ...(await listSheet({ db, maxOutputTokens: config.managedMaxOutputTokens }, of, definition)),
    untrusted,
    definition_hash: definitionHash,
  };
}

export const sheetRoutes: readonly Route<DeploymentDeps>[] = [
  route({
    ...common,
    method: 'GET',
    path: '/workflows/:workflow_id/deployments/:deployment_id/sheet',
    operationId: 'getDeploymentSheet',
    summary: 'List all that a deployment may do outside of its runs',
    params: uuidParams('workflow_id', 'deployment_id'),
    replies: { 200: sheet },
    async handle({ deps, scope, params: { workflow_id: workflowId, deployment_id: deploymentId } }) {
      const found = await findDeployment(deps, scope, { workflowId, deploymentId });
      const of = { organizationId: scope.organizationId, workflowId };
      return { status: 200, body: await present(deps, of, found.workflowSchema as JsonObject) };
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: '/workflows/:workflow_id/sheet',
    operationId: 'getDraftSheet',
    summary: 'List all that a draft, or a definition, may do outside of its runs',
    params: uuidParams('workflow_id'),
    body: draft,
    bodyOptional: true,
    find: ({ deps, scope, params }) => requireWorkflow(deps.db, scope, params.workflow_id),
    replies: { 200: sheet },
    async handle({ deps, scope, params: { workflow_id: workflowId }, body }) {
      const of = { organizationId: scope.organizationId, workflowId };
      await requireWorkflow(deps.db, scope, workflowId);
      if (body.definition === undefined) await flushCanvas(deps, scope, workflowId);
      const definition = body.definition ?? (await readDraft(deps.db, of));
      if (definition === null) throw notFound('Workflow');
      return { status: 200, body: await present(deps, of, definition) };
    },
  }),
];
