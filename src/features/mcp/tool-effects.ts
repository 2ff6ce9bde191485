/** The effects of a tool in the words of the protocol: hints of its annotations, and the sheet itself. */
import type { JsonObject } from '../../language/graph/values/value.ts';
import { readLiveDefinition } from '../../engine/runs/ledger/read/workflows.ts';
import { listSheet } from '../../engine/runs/rerun/sheet.ts';
import type { McpDeps } from './call-tool.ts';

/** Rows of a sheet in a list of tools, which has up to 200 of them. */
const MAX_ROWS = 20;
/** By these it reaches others than the service and its models; a search or a sub-workflow is no change by itself. */
const OUTSIDE: ReadonlySet<string> = new Set(['http', 'mcp', 'message']);

export interface ToolEffects {
  readonly annotations?: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly openWorldHint: boolean;
  };
  readonly _meta: JsonObject;
}

/**
 * Describes the effects of the live version of a workflow. A hint is never milder than the sheet: a sheet that is not complete says nothing
 * mild. Without hints, a client assumes the worst.
 */
export async function describeEffects(
  { db, log, config }: McpDeps,
  of: { readonly organizationId: string; readonly workflowId: string },
): Promise<ToolEffects> {
  const _meta = { workflow_id: of.workflowId };
  const definition = await readLiveDefinition(db, of);
  if (definition === null) return { _meta };
  try {
    const { rows, is_complete: isComplete } = await listSheet(
      { db, maxOutputTokens: config.managedMaxOutputTokens },
      of,
      definition,
    );
    // A refused effect does not leave.
    const sent = rows.filter(({ refused_by: rule }) => rule === null);
    const changes = sent.filter(({ door, effect }) => OUTSIDE.has(door) && effect !== 'pure');
    const shown = sent.slice(0, MAX_ROWS).map(({ door, target, effect, nodes }) => ({
      door,
      target: target as JsonObject,
      effect,
      nodes: [...nodes],
    }));
    return {
      annotations: {
        readOnlyHint: isComplete && changes.length === 0,
        // A message to a person adds something; of another change nobody knows whether it replaces something.
        destructiveHint: !isComplete || changes.some(({ door }) => door !== 'message'),
        openWorldHint: !isComplete || sent.some(({ door }) => OUTSIDE.has(door)),
      },
      _meta: { ..._meta, sheet: { rows: shown, is_complete: isComplete && shown.length === sent.length } },
    };
  } catch (error) {
    // One definition must not take the other tools away.
    log.warn({ err: error, workflowId: of.workflowId }, 'a tool has no sheet');
    return { _meta };
  }
}
