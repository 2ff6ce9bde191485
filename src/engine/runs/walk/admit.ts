/** Asks the rules of an organization whether an effect of an execution may leave. */
import { requireAllowed, type AskingRule, type EffectFacts } from '../../../language/nodes/effect-rules.ts';
import { NodeError, type NodeCall } from '../../../language/nodes/kind.ts';
import type { NodeExecution, WalkContext } from './context.ts';
import { requireNotWithheld } from './withheld.ts';
import type { EffectFollower } from './folded-call.ts';

/** A run; a walk in memory is none that is ephemeral. */
interface Asker {
  readonly segment: WalkContext['segment'] & { readonly ephemeral?: boolean };
}

/** Tells why nobody is asked about an effect that a rule wants approved. */
function explainUnasked(
  { segment }: Asker,
  { item, toolCall }: Pick<NodeExecution, 'item' | 'toolCall'>,
): string {
  if (segment.ephemeral === true) return 'an ephemeral run cannot wait for people';
  if (item !== null) return 'an item of a list cannot wait for people';
  return toolCall === undefined
    ? 'this cannot be shown to people before it leaves'
    : 'this call was not shown to people before';
}

/** Builds NodeCall.admit of an execution. @param effects gets what is refused */
export const buildAdmit =
  (
    context: Asker & Pick<WalkContext, 'effectRules'>,
    execution: Pick<NodeExecution, 'item' | 'toolCall'>,
    { tools, effects }: Pick<NodeCall<unknown>, 'tools'> & { readonly effects: EffectFollower },
  ): NodeCall<unknown>['admit'] =>
  (effect: EffectFacts, onAsk) => {
    requireNotWithheld(context.segment, effect);
    const { workflowId } = context.segment;
    const refuse = ({ name }: AskingRule): never => {
      const why = explainUnasked(context, execution);
      throw new NodeError(
        'effect_refused',
        `The rule "${name}" of the organization asks people first. Nobody is asked: ${why}`,
      );
    };
    try {
      requireAllowed([context.effectRules, { ...effect, workflowId }, tools.patterns], onAsk ?? refuse);
    } catch (error) {
      if (error instanceof NodeError) effects.refuse(effect);
      throw error;
    }
  };

/** Lets a call prepare what a rule asks people about. @param onAsk gets the rule */
export const preparesAsked = <Call extends Pick<NodeCall<unknown>, 'admit'>>(
  call: Call,
  onAsk: (rule: AskingRule) => void = () => undefined,
): Call => ({ ...call, admit: (facts: EffectFacts) => call.admit(facts, onAsk) });
