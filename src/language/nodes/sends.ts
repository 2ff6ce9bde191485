/** The changes that an execution of a node makes outside of its run: the classes of its requests and messages, and the workflows it calls. */
import type { EffectClass } from '../graph/schedule/plan.ts';

export interface Sends {
  /** Classes of what the node itself, or a tool of it, sends; without `pure`. */
  readonly effects: readonly Exclude<EffectClass, 'pure'>[];
  /** Sub-workflows, whose nodes may send. */
  readonly children: readonly { readonly workflowId: string; readonly deployment: string }[];
}

export const SENDS_NOTHING: Sends = { effects: [], children: [] };

/** @returns what a request of one class sends */
export const toSends = (effect: EffectClass): Sends =>
  effect === 'pure' ? SENDS_NOTHING : { effects: [effect], children: [] };

/** Adds up what the tools of a node send. */
export const sumSends = (all: readonly Sends[]): Sends => ({
  effects: all.flatMap(({ effects }) => effects),
  children: all.flatMap(({ children }) => children),
});
