/** Plans a rerun of everything: nothing is reused but the answers that people have given for requests with an unknown outcome. */
import { toSkeleton } from '../../../language/graph/definition/skeleton.ts';
import { listMadeEffects, listNames } from './made-effects.ts';
import type { PlannedNode, RerunPlan, RerunSource } from './rerun-plan.ts';
import { listOutputsOfAll, listRequestsToSend } from './settled-outputs.ts';

/**
 * Plans a rerun of everything.
 * @param hasOtherInput its requests are others than those about which people have decided: none of their answers is taken. The requests
 *   that were to be sent are claimed all the same, so that no later rerun sends them beside those of this one
 */
export function planWholeRerun(
  of: Omit<RerunSource, 'before' | 'isComplete'>,
  hasOtherInput: boolean,
): RerunPlan {
  const { after, recursionLimit, steps, effects } = of;
  const mocks = hasOtherInput ? {} : listOutputsOfAll(of, toSkeleton(after, recursionLimit));
  const sentSteps = listRequestsToSend(of);
  const decided = new Set(hasOtherInput ? [] : sentSteps);
  const again = steps.filter(({ stepId, nodeId }) => !decided.has(stepId) && !Object.hasOwn(mocks, nodeId));
  const nodes = after.nodes.map(({ id, name, type, policy }): PlannedNode => {
    const about = { nodeId: id, name, type, effect: policy.effect, visits: 0 };
    if (Object.hasOwn(mocks, id)) return { ...about, action: 'reuse', reason: 'override', repeats: [] };
    const repeats = listNames(effects.filter(({ nodeId }) => nodeId === id));
    return { ...about, action: 'run', reason: 'chosen', repeats };
  });
  return {
    nodes,
    start: null,
    sentSteps,
    reusedStepIds: [],
    failedMaps: [],
    unconfirmed: listMadeEffects(after, again, effects),
    mocks,
  };
}
