/** The sheet of a definition: all that it may do outside of its runs, known before any. */
import type { Sql } from '../../../base/db/client.ts';
import { MILLICREDITS } from '../../../platform/billing/plans.ts';
import { compile } from '../../../language/graph/schedule/plan.ts';
import type { TrustedValue } from '../../../language/graph/definition/read-node.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { EffectPattern } from '../../../language/nodes/effect.ts';
import { kindRules } from '../../../language/nodes/registry.ts';
import { computeWorstCase, countInput } from '../accept/worst-case.ts';
import { readDecisions } from './refused-effects.ts';
import { findEffects, nameNode, type ModelCallLimits, type Unasked } from './sent-effects.ts';

type JudgedEffect = EffectPattern & {
  /** The rule of the organization that refuses it; a target that some workflows may reach and others may not is two rows. */
  readonly refused_by: string | null;
  /** The rule by which people approve it before it leaves. */
  readonly asked_by: string | null;
  /** Why that rule refuses it when it is to leave: nobody can be asked. Null: people are, or no rule asks. */
  readonly unasked: Unasked | null;
};

/** The most that a run may have of a model; null: no limit is known. */
interface ModelLimits {
  /** The largest of its nodes. */
  readonly max_output_tokens_per_call: number | null;
  readonly max_calls_per_run: number | null;
  readonly max_output_tokens_per_run: number | null;
  /** The largest of its nodes; null: a run decides the input of one. */
  readonly max_input_tokens_per_call: number | null;
  /** The reservation of a budget for the dearest call; null: a run decides the input of one. 0: the account of the organization pays. */
  readonly max_credits_per_call: number | null;
}

/** A target, with all nodes that may send to it. */
type SheetRow = JudgedEffect & {
  readonly nodes: readonly string[];
  /** Of a model alone. */
  readonly model_limits?: ModelLimits;
};

/** The service's own limit of output tokens. */
interface ServiceLimits {
  readonly maxOutputTokens: number;
}

const findLargest = (numbers: readonly (number | null)[]): number | null =>
  numbers.includes(null) ? null : Math.max(...numbers.map(Number));

/** Computes the most that a call may be charged, in millicredits; null: only a run knows. */
function computeMost(
  { nodeType, maxOutputTokens }: ModelCallLimits,
  {
    credentialId,
    inputTokens,
  }: { readonly credentialId: string | null; readonly inputTokens: number | null },
  service: ServiceLimits,
): number | null {
  if (credentialId === null && inputTokens === null) return null;
  const call = { credentialId, inputTokens: inputTokens ?? 0, maxOutputTokens };
  return computeWorstCase(nodeType, call, service);
}

function buildModelLimits(
  {
    models,
    credentialId,
  }: { readonly models: readonly ModelCallLimits[]; readonly credentialId: string | null },
  calls: number | null,
  service: ServiceLimits,
): ModelLimits {
  const perCall = findLargest(models.map(({ maxOutputTokens }) => maxOutputTokens));
  const inputs = models.map(({ input }) => (input === null ? null : countInput(input)));
  const costs = models.map((model, at) =>
    computeMost(model, { credentialId, inputTokens: inputs[at] ?? null }, service),
  );
  const most = findLargest(costs);
  return {
    max_output_tokens_per_call: perCall,
    max_calls_per_run: calls,
    max_output_tokens_per_run: perCall === null || calls === null ? null : perCall * calls,
    max_input_tokens_per_call: findLargest(inputs),
    max_credits_per_call: most === null ? null : most / MILLICREDITS,
  };
}

/** A text of others that the author of the definition vouches for. */
interface SheetTrust extends TrustedValue {
  readonly node: string;
}

interface SheetDeps extends ServiceLimits {
  readonly db: Sql;
}

interface Sheet {
  readonly rows: readonly SheetRow[];
  /** Of its own nodes; sub-workflows have sheets of their own. */
  readonly trusted_values: readonly SheetTrust[];
  /** False: it has more sub-workflows than were looked at. */
  readonly is_complete: boolean;
}

/**
 * Lists what a definition may send, merged by target. Sub-workflows are those of the deployment that each call names now.
 * @param of the workflow of the definition, which rules may name
 * @param definition without errors
 */
export async function listSheet(
  { db: sql, ...service }: SheetDeps,
  of: { readonly organizationId: string; readonly workflowId: string },
  definition: JsonObject,
): Promise<Sheet> {
  const { nodes, limits } = compile(definition, kindRules);
  const found = await findEffects(sql, of, nodes);
  const findRule = await readDecisions(sql, of.organizationId);
  const rows = new Map<
    string,
    { readonly effect: JudgedEffect; readonly nodes: Set<string>; readonly models: ModelCallLimits[] }
  >();
  for (const one of found) {
    if (one.effect === null) continue;
    const rule = findRule(one);
    const effect = {
      ...one.effect,
      refused_by: rule?.decision === 'refuse' ? rule.name : null,
      asked_by: rule?.decision === 'ask' ? rule.name : null,
      unasked: rule?.decision === 'ask' ? one.unasked : null,
    };
    const key = JSON.stringify(effect);
    const row = rows.get(key) ?? { effect, nodes: new Set(), models: [] };
    rows.set(key, row);
    row.nodes.add(nameNode(one));
    if (one.model !== undefined) row.models.push(one.model);
  }
  return {
    rows: Array.from(rows.values(), (row) => ({
      ...row.effect,
      nodes: [...row.nodes],
      ...(row.effect.door === 'model'
        ? {
            model_limits: buildModelLimits(
              { models: row.models, credentialId: row.effect.credential_id },
              limits?.max_model_calls ?? null,
              service,
            ),
          }
        : {}),
    })),
    trusted_values: nodes.flatMap(({ name, trustedValues }) =>
      trustedValues.map((trusted) => ({ node: name, ...trusted })),
    ),
    is_complete: found.every(({ effect }) => effect !== null),
  };
}
