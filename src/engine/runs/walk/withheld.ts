/** Runs that change nothing outside: those of evaluations, and the sub-workflows below them. */
import { isChange } from '../../../language/nodes/effect.ts';
import type { EffectFacts } from '../../../language/nodes/effect-rules.ts';
import { NodeError } from '../../../language/nodes/kind.ts';
import type { WalkSegment } from './context.ts';

/** The trigger of a run of an evaluation. */
export const EVALUATION_TRIGGER = 'evaluation';

/** Tells what starts a sub-workflow: below an evaluation, still the evaluation. */
export const chooseChildTrigger = (parent: string): string =>
  parent === EVALUATION_TRIGGER ? EVALUATION_TRIGGER : 'workflow';

/** @throws NodeError `effect_refused` for a change outside by a run of an evaluation */
export function requireNotWithheld(
  { triggerType }: Pick<WalkSegment, 'triggerType'>,
  effect: EffectFacts,
): void {
  if (triggerType === EVALUATION_TRIGGER && isChange(effect))
    throw new NodeError('effect_refused', 'An evaluation changes nothing outside: this is not sent');
}
