/** Why a rerun is impossible. */
import type { Plan } from '../../../language/graph/schedule/plan.ts';

/** The rerun is impossible because of these nodes. */
export class NotReusable extends Error {
  override readonly name = 'NotReusable';

  /** @param why the reason; the message is the reason, a colon and the names of the nodes */
  constructor(why: string, nodeNames: readonly string[]) {
    super(nodeNames.length === 0 ? why : `${why}: ${[...new Set(nodeNames)].join(', ')}`);
  }
}

/** Names nodes as people know them. The id follows where two nodes have one name; a node that is gone has its id alone. */
export function nameNodes({ nodes }: Pick<Plan, 'nodes'>, nodeIds: readonly string[]): string[] {
  return nodeIds.map((nodeId) => {
    const name = nodes.find(({ id }) => id === nodeId)?.name ?? nodeId;
    const isAmbiguous = nodes.some((other) => other.id !== nodeId && other.name === name);
    return isAmbiguous ? `${name} (${nodeId})` : name;
  });
}
