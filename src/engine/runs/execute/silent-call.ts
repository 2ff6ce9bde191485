/** The parts of a call of a node that streams, sends or keeps nothing. */
import type { NodeEmit } from '../../../language/nodes/kind.ts';

/** For folded nodes, which stream nothing. */
export const SILENT: NodeEmit = {
  token: () => undefined,
  tokenReset: () => undefined,
  progress: () => undefined,
  sending: () => Promise.resolve(),
  notSent: () => Promise.resolve(),
};

/** For nodes whose step has no input of its own. */
export const KEEPS_NOTHING = (): void => undefined;

/** For work that makes no changes outside. */
export const SPENDS_NOTHING = (): Promise<void> => Promise.resolve();

/** For folded nodes, which send nothing. */
export const HOLDS_NOTHING = (): Promise<void> => Promise.resolve();
