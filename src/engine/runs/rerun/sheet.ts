/** The sheet of a definition: all that it may do outside of its runs, known before any. */
import type { Sql } from '../../../base/db/client.ts';
import { compile } from '../../../language/graph/schedule/plan.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { EffectPattern } from '../../../language/nodes/effect.ts';
import { kindRules } from '../../../language/nodes/registry.ts';
import { readRefusals } from './refused-effects.ts';
import { findEffects, nameNode } from './sent-effects.ts';

type JudgedEffect = EffectPattern & {
  /** The rule of the organization that refuses it; a target that some workflows may reach and others may not is two rows. */
  readonly refused_by: string | null;
};

/** A target, with all nodes that may send to it. */
type SheetRow = JudgedEffect & { readonly nodes: readonly string[] };

interface Sheet {
  readonly rows: readonly SheetRow[];
  /** False: it has more sub-workflows than were looked at. */
  readonly is_complete: boolean;
}

/**
 * Lists what a definition may send, merged by target. Sub-workflows are those of the deployment that each call names now.
 * @param of the workflow of the definition, which rules may name
 * @param definition without errors
 */
export async function listSheet(
  sql: Sql,
  of: { readonly organizationId: string; readonly workflowId: string },
  definition: JsonObject,
): Promise<Sheet> {
  const found = await findEffects(sql, of, compile(definition, kindRules).nodes);
  const findRefusal = await readRefusals(sql, of.organizationId);
  const rows = new Map<string, { readonly effect: JudgedEffect; readonly nodes: Set<string> }>();
  for (const one of found) {
    if (one.effect === null) continue;
    const effect = { ...one.effect, refused_by: findRefusal(one) };
    const key = JSON.stringify(effect);
    const row = rows.get(key) ?? { effect, nodes: new Set() };
    rows.set(key, row);
    row.nodes.add(nameNode(one));
  }
  return {
    rows: Array.from(rows.values(), ({ effect, nodes }) => ({ ...effect, nodes: [...nodes] })),
    is_complete: found.every(({ effect }) => effect !== null),
  };
}
