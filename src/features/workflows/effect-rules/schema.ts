/** Wire shapes of effect rules. */
import { z } from 'zod';
import { createdAt, createdBy, owningOrganizationId, uniqueId } from '../../../platform/http/fields.ts';
import { bodyWarnings } from '../../../platform/http/unknown-fields.ts';
import { json, uuid } from '../../../platform/http/wire.ts';
import { findTemplateProblem } from '../../../language/graph/template/given-values.ts';
import type { Json } from '../../../language/graph/values/value.ts';
import { ruleConfirmation } from '../../../language/nodes/confirm/confirmation.ts';
import { EFFECT_ROOTS } from '../../../language/nodes/effect-rules.ts';
import { ruleGroup } from '../../../language/nodes/read-config.ts';
import { sheetRow } from '../deployments/sheet.ts';

/** Each rule is read for each effect. A guess. */
export const MAX_RULES = 50;
/** Characters of a condition as JSON. */
const MAX_CONDITION = 8_192;

const ABOUT_WHEN = `Rules of the definition language over ${EFFECT_ROOTS.map((root) => `\`${root}\``).join(', ')}; what an effect does not have is null`;
const ABOUT_DECISION =
  '`allow`, `refuse`, or `ask`: what happens to an effect that matches; `ask` sends it when people have approved it';
const ABOUT_CONFIRM =
  'Whom a rule with `ask` asks, and how long; without it any member of the organization. Null: the rule does not ask';
const ABOUT_NAME = 'Name of the rule, which a refusal names';

/** Returns the first problem of a condition, in words; null without one. */
function findConditionProblem(value: unknown): string | null {
  const problem = ruleGroup.safeParse(value).error?.issues[0];
  if (problem !== undefined) return problem.message;
  if (JSON.stringify(value).length > MAX_CONDITION)
    return `A condition has at most ${MAX_CONDITION} characters`;
  return findTemplateProblem(value as Json, EFFECT_ROOTS);
}

const condition = z
  .unknown()
  .superRefine((value, ctx) => {
    const message = findConditionProblem(value);
    if (message !== null) ctx.addIssue({ code: 'custom', message, params: { type: 'rule_invalid' } });
  })
  .meta({
    override: { $ref: '#/components/schemas/Json' },
    description: ABOUT_WHEN,
  }) as unknown as z.ZodType<Json>;

const name = z.string().min(1).max(255).meta({ description: ABOUT_NAME });
const decision = z.enum(['allow', 'refuse', 'ask']).meta({ description: ABOUT_DECISION });
const confirm = ruleConfirmation.nullish().meta({ description: ABOUT_CONFIRM });

export const newEffectRule = z
  .object({ name, decision, confirm, when: condition })
  .meta({ id: 'CreateEffectRule' });
export type NewEffectRule = z.output<typeof newEffectRule>;

/** A rule is at its place in the list whatever is changed of it. */
export const effectRuleChange = z
  .object({ name: name.optional(), decision: decision.optional(), confirm, when: condition.optional() })
  .meta({ id: 'EffectRuleChange' });
export type EffectRuleChange = z.output<typeof effectRuleChange>;

const knownConfirm = z
  .looseObject({
    assignees: z
      .looseObject({
        roles: z
          .array(z.string())
          .meta({ description: 'Roles in the organization, any of which is sufficient' }),
        user_ids: z.array(z.string()).meta({ description: 'Ids of users, any of whom is sufficient' }),
      })
      .meta({ description: 'Who may approve; without roles and users any member' }),
    required_responses: z.int().meta({ description: 'How many people must approve the same request' }),
    timeout_seconds: z
      .int()
      .nullable()
      .meta({ description: 'The node fails as `approval_expired` after this long; null: never' }),
    message: z.string().meta({ description: 'Text of the question' }),
  })
  .nullable()
  .meta({ description: ABOUT_CONFIRM });

export const effectRule = z
  .looseObject({
    id: uniqueId,
    organization_id: owningOrganizationId,
    name: z.string().meta({ description: ABOUT_NAME }),
    decision,
    confirm: knownConfirm,
    when: json.meta({ description: ABOUT_WHEN }),
    created_by: createdBy,
    created_at: createdAt,
    warnings: bodyWarnings,
  })
  .meta({ id: 'EffectRule' });

export const effectRuleList = z
  .looseObject({
    rules: z.array(effectRule).meta({ description: 'All rules; the first that matches decides' }),
  })
  .meta({ id: 'EffectRuleList' });

export const effectRuleOrder = z
  .object({
    rule_ids: z.array(uuid).max(MAX_RULES).meta({ description: 'The ids of all rules, in their new order' }),
  })
  .meta({ id: 'EffectRuleOrder' });

export const ruleToPreview = z
  .object({
    effect_rule_id: uuid.optional().meta({
      description:
        'Id of the rule that it changes, in whose place it stands; without one it is after all others',
    }),
    decision,
    confirm,
    when: condition,
  })
  .meta({ id: 'PreviewEffectRule' });
export type RuleToPreview = z.output<typeof ruleToPreview>;

const ruleHit = sheetRow
  .pick({ door: true, target: true, effect: true, credential_id: true, nodes: true, unasked: true })
  .extend({
    workflow_id: uuid.meta({ description: 'Id of the workflow' }),
    workflow_name: z.string().meta({ description: 'Name of the workflow' }),
    deployment_id: uuid.meta({
      description: 'Id of its live deployment, or of one that a live version calls',
    }),
    deployment_version: z.string().meta({ description: 'Version of the deployment' }),
    decision: decision.meta({ description: 'The decision with the rule: `allow` also when no rule matches' }),
    decision_before: decision
      .nullable()
      .meta({ description: 'The decision of today; null: only a run knows the target' }),
    is_hit: z.boolean().meta({
      description:
        'Whether the rule decides about it; false: the rule decides about it today, and would not any more',
    }),
    is_exact: z.boolean().meta({
      description:
        'Whether it is known before a run; false: the rule may match, by the target that a run makes',
    }),
  })
  .meta({ id: 'EffectRuleHit' });

export const rulePreview = z
  .looseObject({
    hits: z.array(ruleHit).meta({ description: 'Effects of live versions, merged by target' }),
    versions_read: z.int().meta({ description: 'Number of versions that were looked at' }),
    is_complete: z.boolean().meta({
      description:
        'Whether all live versions and all hits are here; at most 200 versions are looked at, those last edited first, and at most 200 hits are listed',
    }),
  })
  .meta({ id: 'EffectRulePreview' });
