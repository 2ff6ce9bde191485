/** The decisions of a rule, in the order of the form. */
import type { EffectRule } from '../../client/openapi.ts';

type Decision = EffectRule['decision'];

interface DecisionFace {
  readonly value: Decision;
  readonly label: string;
  readonly color: string;
}

export const DECISIONS: readonly DecisionFace[] = [
  { value: 'refuse', label: 'Refuse', color: 'red' },
  { value: 'ask', label: 'Ask', color: 'orange' },
  { value: 'allow', label: 'Allow', color: 'green' },
];

/** The face of a decision; one that this page does not know shows its name. */
export const findDecision = (decision: string): Omit<DecisionFace, 'value'> =>
  DECISIONS.find(({ value }) => value === decision) ?? { label: decision, color: 'gray' };
