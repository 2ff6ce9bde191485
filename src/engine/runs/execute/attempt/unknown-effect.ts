/**
 * Requests that were sent, and of which nobody knows whether they had their effect: a node with `on_unknown: ask` asks people
 * instead of failing, with the request as it was recorded. One person's answer settles it (SPEC REL-effect-classes).
 */
import { cutText } from '../../../../language/graph/values/cut-text.ts';
import { countJsonChars } from '../../../../language/graph/template/render-budget.ts';
import { ownValue, type Json, type JsonObject } from '../../../../language/graph/values/value.ts';
import type { EffectPattern } from '../../../../language/nodes/effect.ts';
import { NodeError, type Question } from '../../../../language/nodes/kind.ts';
import { getKind } from '../../../../language/nodes/registry.ts';
import { readCredentialName } from '../../ledger/read/credential-name.ts';
import type { InterruptRow } from '../../ledger/questions/questions.ts';
import { spentAttempts, type StepRow } from '../../ledger/write/steps.ts';
import type { RunContext, RunScope } from '../context.ts';
import type { NodeExecution } from '../../walk/context.ts';
import { buildErrorFields, concludeFailure, concludeSuccess, toSuccess } from '../../walk/conclusion.ts';
import type { Conclusion } from '../../walk/conclusion.ts';
import { canPause, type Pause } from './pause.ts';

/** The largest request that a question shows, in characters of JSON. */
const MAX_SHOWN_REQUEST = 32_768;
const MAX_NAME = 200;

const ACTIONS = [
  { id: 'happened', label: 'It happened' },
  { id: 'send', label: 'It did not: send it' },
  { id: 'give_up', label: 'Give up' },
] as const;

/** The data of an answer: with `happened`, the output that the node would have had. */
const FORM: JsonObject = {
  type: 'object',
  properties: {
    output: {
      type: 'object',
      title: 'Output of the node, when it happened',
      description: 'What later nodes read: `data` is the answer of the service, or null',
      properties: { data: {} },
      required: ['data'],
      default: { data: null },
    },
  },
};

/** Tells whether a question shows a request. */
export const isSmallRequest = (request: Json): boolean =>
  countJsonChars(request, MAX_SHOWN_REQUEST) <= MAX_SHOWN_REQUEST;

/** Tells whether an execution asks people when the outcome of its request is unknown. */
export const asksWhenUnknown = (context: Pick<RunContext, 'segment'>, execution: NodeExecution): boolean => {
  const { onUnknown, policy } = execution.node;
  return onUnknown === 'ask' && policy.effect === 'at_most_once' && canPause(context, execution);
};

/**
 * Builds the pause of an execution whose request was sent; null when it was not, or the node does not ask.
 * @param step its input is the request as it was recorded
 */
export async function buildUnknownPause(
  scope: RunScope,
  step: StepRow,
  { error, status = 'failed' }: { readonly error: NodeError; readonly status?: 'failed' | 'lost' },
): Promise<Pause | null> {
  const { context, execution } = scope;
  if (step.sent_at === null || !asksWhenUnknown(context, execution)) return null;
  const ended = { status, error: buildErrorFields(error, spentAttempts(step) + 1) };
  return { question: await buildQuestion(scope, step, error), ended };
}

async function buildQuestion(
  { context, execution }: RunScope,
  step: StepRow,
  { code, message }: NodeError,
): Promise<Question> {
  const { node } = execution;
  const [pattern] = getKind(node.type).describe?.(context.ready.configs[node.index]) ?? [];
  const credentialId = pattern?.credential_id ?? null;
  const name =
    credentialId === null ? null : await readCredentialName(context.sql, context.segment, credentialId);
  const credential = credentialId === null ? null : { id: credentialId, name };
  return {
    kind: 'unknown_effect',
    title: `Did "${cutText(node.name, MAX_NAME)}" happen?`,
    message: `${message}. Check with ${describeTarget(pattern)} before you answer: only one answer counts.`,
    payload: {
      door: pattern?.door ?? null,
      target: (pattern?.target ?? null) as Json,
      credential,
      request: isSmallRequest(step.input) ? step.input : null,
      sent_at: step.sent_at,
      reason: code,
    },
    form: FORM,
    actions: ACTIONS,
    assignees: { roles: [], user_ids: [] },
    timeoutSeconds: null,
    onTimeout: 'fail',
    defaultResponse: null,
  };
}

/** Names what was called, for people. */
function describeTarget(pattern: EffectPattern | undefined): string {
  if (pattern?.door === 'http' && typeof pattern.target.host === 'string') return pattern.target.host;
  if (pattern?.door === 'mcp') return `the server of the tool ${pattern.target.tool}`;
  return 'the service';
}

/**
 * Makes the answer of a person the fate of the execution.
 * @returns how it ends; null: the request was not made, and is sent now
 */
export function settleUnknownEffect(
  scope: RunScope,
  { response }: Pick<InterruptRow, 'response'>,
): Conclusion | null {
  if (response?.action === 'send') return null;
  if (response?.action === 'happened') {
    const output = ownValue(response.data, 'output') ?? null;
    return concludeSuccess(scope, toSuccess({ outcome: 'completed', output }), 0);
  }
  const message = 'The request was sent, and its outcome stays unknown: a person gave it up';
  return concludeFailure(scope, new NodeError('outcome_unknown', message), 1);
}
