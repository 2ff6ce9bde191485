/** Prepares all that an execution asks of the world, and sends nothing. Equal keys ask for the same. */
import { canonicalJson } from '../../../language/graph/values/canonical-json.ts';
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import { isChange, type AnyEffect } from '../../../language/nodes/effect.ts';
import type { NodeCall, NodeError, NodeKind } from '../../../language/nodes/kind.ts';
import type { NodeTools } from '../../../language/nodes/tools.ts';
import { getKind } from '../../../language/nodes/registry.ts';
import type { ExecutionScope } from '../walk/context.ts';
import { toNodeError } from '../walk/conclusion.ts';

export interface Ask {
  /** Of all that leaves; of an execution that sends nothing, or several things: of its rendered settings. */
  readonly key: string;
  /** The rendered settings: of equal requests, another text here reads the answer in another way. */
  readonly settings: string;
  /** `write` changes something outside; `none` sends nothing. */
  readonly kind: 'write' | 'read' | 'none';
  /** As people see it; null: nothing is shown of it. */
  readonly shown: JsonObject | null;
}

/** The execution cannot be prepared: it would fail. */
export interface Unprepared {
  readonly failure: NodeError;
}

/** This program cannot do the work, so nobody knows how it would end. */
export class CannotWork extends Error {
  override readonly name = 'CannotWork';
}

/** The tools that a rehearsal keeps: they send nothing. */
export type KeptTools = Pick<NodeTools, 'credentials' | 'sandbox' | 'parser' | 'patterns'>;

/** The tools with which a rehearsal works: all that sends refuses. */
export function withholdTools(tools: KeptTools): NodeTools {
  const refuse = (): Promise<never> => Promise.reject(new Error('A rehearsal sends nothing'));
  return {
    http: { send: refuse },
    models: { complete: refuse },
    mcp: { call: refuse, describe: refuse },
    knowledge: { search: refuse },
    tables: { get: refuse, query: refuse },
    files: { find: refuse, keeper: refuse },
    compositions: { save: refuse },
    // The memory of the thread at the time of the run is not kept: both walks read nothing.
    memory: { read: () => Promise.resolve([]), append: refuse },
    credentials: tools.credentials,
    sandbox: tools.sandbox,
    parser: tools.parser,
    patterns: tools.patterns,
  };
}

/** Prepares what an execution asks. @returns the failure with which it would end before it sends */
export async function prepareAsk(scope: ExecutionScope, call: NodeCall<unknown>): Promise<Ask | Unprepared> {
  const { type, confirm } = scope.execution.node;
  const kind = getKind(type);
  try {
    const settings = canonicalJson({ type, confirm, config: renderSettings(scope, call, kind) });
    const effect = await kind.sender?.(call.config).prepare(call);
    if (effect !== undefined)
      return {
        key: await effect.digest(),
        settings,
        kind: isChange(effect) || effect.door === 'run' ? 'write' : 'read',
        shown: showEffect(scope, effect),
      };
    const sendsNothing = (kind.describe?.(call.config) ?? []).length === 0;
    return { key: settings, settings, kind: sendsNothing ? 'none' : 'read', shown: null };
  } catch (error) {
    return { failure: toNodeError(error) };
  }
}

/** Renders a config but for the parts that are no templates, or are rendered later. */
function renderSettings(scope: ExecutionScope, call: NodeCall<unknown>, kind: NodeKind): JsonObject {
  const { config } = scope.execution.node;
  const asWritten = new Set([...kind.literalKeys, ...(kind.itemKeys ?? []), ...(kind.responseKeys ?? [])]);
  return Object.fromEntries(
    Object.entries(config).map(([name, value]): [string, Json] => [
      name,
      // A path that is missing is what the preparation says, not this.
      asWritten.has(name) ? value : call.render(value, {}, true),
    ]),
  );
}

function showEffect({ context, redactionWork }: ExecutionScope, effect: AnyEffect): JsonObject {
  const { door, target, credential_id, shown } = effect;
  const all = { door, target: target as Json, credential_id, request: shown as Json };
  return context.redaction.json(all, redactionWork);
}
