/** The parts of a call for nodes that are folded or start a child run: they stream, send and keep nothing. */
import type { EffectFacts } from '../../../language/nodes/effect-rules.ts';
import type { NodeCall, NodeEmit } from '../../../language/nodes/kind.ts';

/** Follows the effects of an execution for the ledger of effects. */
export interface EffectFollower extends Pick<NodeCall<unknown>, 'follow'> {
  /** Gets an effect that a rule refuses. */
  refuse(effect: EffectFacts): void;
}

/** For folded nodes, which stream nothing. */
export const SILENT: NodeEmit = {
  token: () => undefined,
  tokenReset: () => undefined,
  progress: () => undefined,
  sending: () => Promise.resolve(),
  notSent: () => Promise.resolve(),
};

/** For nodes whose effects are not followed: those of a sub-workflow are of its own runs. */
export const FOLLOWS_NOTHING: EffectFollower = {
  follow: (_, perform) => perform(),
  refuse: () => undefined,
};

/** For folded nodes, which send nothing. */
export const HOLDS_NOTHING = (): Promise<void> => Promise.resolve();

/** All of these, for a call that only prepares: it has no input of its own, and makes no changes outside. */
export const PREPARES_ALONE = {
  emit: SILENT,
  hold: HOLDS_NOTHING,
  keepInput: (): void => undefined,
  spend: (): Promise<void> => Promise.resolve(),
  effects: FOLLOWS_NOTHING,
} as const;
