/** Routes of effect rules: every member reads them, owners write them. */
import type { EffectRule } from '../../../base/db/generated/client.ts';
import { forbidden } from '../../../base/errors.ts';
import type { RuleHit, RulePreview } from '../../../engine/runs/rerun/rule-preview.ts';
import type { Scope } from '../../../platform/access/caller.ts';
import { routesFor, type Route } from '../../../platform/http/route.ts';
import { refusal, success, uuidParams } from '../../../platform/http/wire.ts';
import {
  effectRule,
  effectRuleChange,
  effectRuleList,
  effectRuleOrder,
  newEffectRule,
  rulePreview,
  ruleToPreview,
} from './schema.ts';
import {
  createEffectRule,
  deleteEffectRule,
  getEffectRule,
  listEffectRules,
  orderEffectRules,
  previewEffectRule,
  updateEffectRule,
  type EffectRuleDeps,
} from './service.ts';

const route = routesFor<EffectRuleDeps>();
const common = { tag: 'organizations', access: 'organization', isAdministrative: true } as const;
const all = '/effect-rules';
const one = `${all}/:effect_rule_id`;
const ofRule = uuidParams('effect_rule_id');

function requireOwner({ role }: Scope): void {
  if (role !== 'owner') throw forbidden('owner_role_required', 'The owner role is required');
}

const present = (row: EffectRule): object => ({
  id: row.id,
  organization_id: row.organizationId,
  name: row.name,
  decision: row.decision,
  confirm: row.decision === 'ask' ? { timeout_seconds: null, ...(row.confirmation as object) } : null,
  when: row.condition,
  created_by: row.createdBy,
  created_at: row.createdAt.toISOString(),
});

const presentHit = (hit: RuleHit): object => ({
  workflow_id: hit.workflowId,
  workflow_name: hit.workflowName,
  deployment_id: hit.deploymentId,
  deployment_version: hit.deploymentVersion,
  nodes: hit.nodes,
  door: hit.effect.door,
  target: hit.effect.target,
  effect: hit.effect.effect,
  credential_id: hit.effect.credential_id,
  decision: hit.decision,
  decision_before: hit.decisionBefore,
  unasked: hit.unasked,
  is_hit: hit.isHit,
  is_exact: hit.isExact,
});

const presentPreview = ({ hits, versionsRead, isComplete }: RulePreview): object => ({
  hits: hits.map(presentHit),
  versions_read: versionsRead,
  is_complete: isComplete,
});

export const effectRuleRoutes: readonly Route<EffectRuleDeps>[] = [
  route({
    ...common,
    method: 'POST',
    path: all,
    operationId: 'createEffectRule',
    summary: 'Add a rule over what workflows may do outside, after all others',
    guard: requireOwner,
    body: newEffectRule,
    replies: { 201: effectRule, 409: refusal },
    handle: async ({ deps, scope, body }) => ({
      status: 201,
      body: present(await createEffectRule(deps, scope, body)),
    }),
  }),
  route({
    ...common,
    method: 'POST',
    path: `${all}/preview`,
    operationId: 'previewEffectRule',
    summary: 'List what live versions may do about which a rule would decide; nothing is stored',
    body: ruleToPreview,
    replies: { 200: rulePreview, 404: refusal },
    handle: async ({ deps, scope, body }) => ({
      status: 200,
      body: presentPreview(await previewEffectRule(deps, scope, body)),
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: all,
    operationId: 'listEffectRules',
    summary: 'List the rules over what workflows may do outside, in their order',
    replies: { 200: effectRuleList },
    handle: async ({ deps, scope }) => ({
      status: 200,
      body: { rules: (await listEffectRules(deps, scope)).map(present) },
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: one,
    operationId: 'getEffectRule',
    summary: 'Read an effect rule',
    params: ofRule,
    replies: { 200: effectRule },
    handle: async ({ deps, scope, params }) => ({
      status: 200,
      body: present(await getEffectRule(deps, scope, params.effect_rule_id)),
    }),
  }),
  route({
    ...common,
    method: 'PUT',
    path: `${all}/order`,
    operationId: 'orderEffectRules',
    summary: 'Replace the order of the effect rules',
    guard: requireOwner,
    body: effectRuleOrder,
    replies: { 200: effectRuleList },
    handle: async ({ deps, scope, body }) => ({
      status: 200,
      body: { rules: (await orderEffectRules(deps, scope, body.rule_ids)).map(present) },
    }),
  }),
  route({
    ...common,
    method: 'PATCH',
    path: one,
    operationId: 'updateEffectRule',
    summary: 'Change the supplied fields of an effect rule; its place in the order stays',
    guard: requireOwner,
    params: ofRule,
    body: effectRuleChange,
    find: ({ deps, scope, params }) => getEffectRule(deps, scope, params.effect_rule_id),
    replies: { 200: effectRule },
    handle: async ({ deps, scope, params: { effect_rule_id: id }, body: change }) => ({
      status: 200,
      body: present(await updateEffectRule(deps, scope, { id, change })),
    }),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: one,
    operationId: 'deleteEffectRule',
    summary: 'Delete an effect rule',
    guard: requireOwner,
    params: ofRule,
    replies: { 200: success },
    handle: async ({ deps, scope, params }) => {
      await deleteEffectRule(deps, scope, params.effect_rule_id);
      return { status: 200, body: { success: true, message: 'Effect rule deleted' } };
    },
  }),
];
