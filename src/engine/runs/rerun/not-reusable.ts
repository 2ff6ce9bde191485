/** Why a rerun is impossible. */

/** The rerun is impossible because of `nodeIds`. */
export class NotReusable extends Error {
  override readonly name = 'NotReusable';
  readonly nodeIds: readonly string[];

  /** @param why the reason; the message is the reason, a colon and the node ids */
  constructor(why: string, nodeIds: readonly string[]) {
    super(nodeIds.length === 0 ? why : `${why}: ${[...new Set(nodeIds)].join(', ')}`);
    this.nodeIds = nodeIds;
  }
}
