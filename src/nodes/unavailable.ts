/** A kind that is known by name but cannot run yet: every config of it is refused with one clear problem. */
import type { NodeType } from '../graph/definition.ts';
import type { NodeKind } from './kind.ts';
import { NodeError, defineNode } from './kind.ts';

/** A kind of the given type whose parse reports `node_type_unavailable`. */
export function unavailable(type: NodeType): NodeKind {
  const message = `Node type ${type} is not available in this version`;
  return defineNode({
    type,
    literalKeys: [],
    parse: () => ({ problems: [{ code: 'node_type_unavailable', message, path: [] }] }),
    policy: () => ({
      placement: 'activity',
      effect: 'at_most_once',
      timeoutMs: 5_000,
      maxAttempts: 1,
      handles: [],
    }),
    run: () => {
      throw new NodeError('node_type_unavailable', message);
    },
  });
}
