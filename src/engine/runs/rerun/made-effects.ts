/** The effects that a run has made, or may have made, and that a rerun must not make again unasked. */
import type { Plan } from '../../../language/graph/schedule/plan.ts';
import type { InnerEffect } from '../ledger/read/inner-effects.ts';
import type { PastStep } from '../ledger/read/past-run.ts';

/** Lists the names of effects, each once. */
export const listNames = (effects: readonly InnerEffect[]): string[] => [
  ...new Set(effects.map(({ name }) => name)),
];

/** Tells whether it is unknown that a step had its effect. */
export const isUnknown = (step: PastStep): boolean =>
  step.errorCode === 'outcome_unknown' ||
  (step.outcome === null && step.wasSent && step.effect === 'at_most_once');

/** The key of an execution: its node and visit. */
export const toVisitKey = ({ nodeId, visit }: Pick<PastStep, 'nodeId' | 'visit'>): string =>
  `${nodeId}:${visit}`;

/** Groups items by a key, in their order. */
export function groupBy<Item, Key>(items: readonly Item[], keyFor: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyFor(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * Lists the effects of a run that were made, or may have been, and must not be made twice: those of steps, and those inside of them.
 * @param steps that run again
 */
export function listMadeEffects(
  plan: Pick<Plan, 'nodes'>,
  steps: readonly PastStep[],
  effects: readonly InnerEffect[],
): string[] {
  // A node with a fixed output sends nothing.
  const sending = plan.nodes.filter(({ mock, disabled }) => mock === undefined && !disabled);
  const names = new Map(sending.map(({ id, name }) => [id, name]));
  const inner = groupBy(
    effects.filter(({ isRepeatable }) => !isRepeatable),
    toVisitKey,
  );
  return steps.flatMap((step) => {
    const name = names.get(step.nodeId);
    if (name === undefined) return [];
    const isDone = step.status === 'succeeded' || step.status === 'reused';
    const isMade = step.effect === 'at_most_once' && (isDone || isUnknown(step));
    const inside = listNames(inner.get(toVisitKey(step)) ?? []).map((each) => `${name} / ${each}`);
    return isMade ? [name, ...inside] : inside;
  });
}
