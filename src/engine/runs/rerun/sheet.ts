/** The sheet of a definition: all that it may do outside of its runs, known before any. */
import type { Sql } from '../../../base/db/client.ts';
import { compile } from '../../../language/graph/schedule/plan.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { EffectPattern } from '../../../language/nodes/effect.ts';
import { kindRules } from '../../../language/nodes/registry.ts';
import { findEffects, nameNode } from './sent-effects.ts';

/** A target, with all nodes that may send to it. */
type SheetRow = EffectPattern & { readonly nodes: readonly string[] };

interface Sheet {
  readonly rows: readonly SheetRow[];
  /** False: it has more sub-workflows than were looked at. */
  readonly is_complete: boolean;
}

/**
 * Lists what a definition may send, merged by target. Sub-workflows are those of the deployment that each call names now.
 * @param definition without errors
 */
export async function listSheet(sql: Sql, organizationId: string, definition: JsonObject): Promise<Sheet> {
  const found = await findEffects(
    sql,
    { organizationId, workflowId: null },
    compile(definition, kindRules).nodes,
  );
  const rows = new Map<string, { readonly effect: EffectPattern; readonly nodes: Set<string> }>();
  for (const one of found) {
    if (one.effect === null) continue;
    const key = JSON.stringify(one.effect);
    const row = rows.get(key) ?? { effect: one.effect, nodes: new Set() };
    rows.set(key, row);
    row.nodes.add(nameNode(one));
  }
  const is_complete = found.every(({ effect }) => effect !== null);
  return {
    rows: Array.from(rows.values(), ({ effect, nodes }) => ({ ...effect, nodes: [...nodes] })),
    is_complete,
  };
}
