/**
 * Nodes whose request people approve before it leaves, because the node says so (`confirm`) or a rule of the organization: the request
 * is prepared, sealed and shown, and after the approval the sealed one is sent. Nothing is rendered again (SPEC REL-approved-effects).
 */
import { UnreadableError } from '../../../../platform/credentials/vault/envelope.ts';
import { REDACTION_WORK, WorkBudget } from '../../../../language/graph/values/work-budget.ts';
import { ownValue, type Json, type JsonObject } from '../../../../language/graph/values/value.ts';
import { readConfirmation, type Confirmation } from '../../../../language/nodes/confirm/confirmation.ts';
import { mayAskPeople, type AskingRule } from '../../../../language/nodes/effect-rules.ts';
import { pinTarget } from '../../../../language/nodes/confirm/pin-target.ts';
import { describeEffect } from '../../../../language/nodes/confirm/question.ts';
import {
  getShown,
  restoreEffect,
  storeParts,
  type StoredEffect,
} from '../../../../language/nodes/confirm/stored-effect.ts';
import { performCounted, type AnyEffect, type AnySender } from '../../../../language/nodes/effect.ts';
import { listRecipients, nameAssignees } from '../../../../language/nodes/interrupt/recipients.ts';
import {
  NodeError,
  type AnswerRecipient,
  type NodeCall,
  type NodeResult,
} from '../../../../language/nodes/kind.ts';
import { getKind } from '../../../../language/nodes/registry.ts';
import { addAnswerLinks } from '../../ledger/questions/answer-links.ts';
import { holdEffect, readApprovedEffect, type EffectVault } from '../../ledger/questions/held-effects.ts';
import type { InterruptRow } from '../../ledger/questions/questions.ts';
import { readCredentialName } from '../../ledger/read/credential-name.ts';
import { readLastSent } from '../../ledger/read/last-sent.ts';
import { preparesAsked } from '../../walk/admit.ts';
import type { RunContext, RunScope } from '../context.ts';
import type { NodeExecution } from '../../walk/context.ts';
import type { ExecuteDeps } from '../deps.ts';
import type { AttemptEnd } from '../host.ts';
import type { NodeOutcome } from '../protocol.ts';
import { concludeFailure, type Conclusion } from '../../walk/conclusion.ts';
import { endWithError, FENCED, endWithQuestion, storageFailure, type Fenced } from './end.ts';
import type { Attempt } from './execution.ts';
import { canPause, type Pause } from './pause.ts';

const ACTIONS = [
  { id: 'approve', label: 'Approve' },
  { id: 'reject', label: 'Reject' },
] as const;

/** A question in place of the request. */
type Asked = NodeResult & { readonly outcome: 'interrupted' };

/** The confirmation of a node without `confirm`. */
const UNCONFIRMED = readConfirmation({});

/**
 * Joins what a node says with the rule that asks: the people of the rule, whatever the node says; those of the node where the rule
 * leaves it open and they are enough for it. The node's own text and its editable values stay.
 */
function joinConfirmations(own: Confirmation, rule: AskingRule | null): Confirmation {
  if (rule === null) return own;
  const { assignees, required_responses: required, timeout_seconds: timeout } = rule.confirm;
  const joined = { ...own, timeout_seconds: timeout ?? own.timeout_seconds };
  const { roles, user_ids: users, emails } = own.assignees;
  const isOpen = assignees.roles.length + assignees.user_ids.length === 0;
  const areEnough = roles.length > 0 || users.length === 0 || users.length + emails.length >= required;
  if (isOpen && areEnough)
    return { ...joined, required_responses: Math.max(required, own.required_responses) };
  return { ...joined, assignees: { ...assignees, emails: [] }, notify: [], required_responses: required };
}

/** The work of a node that people approve: the question about its request or, once that is approved, the request itself. */
class ConfirmedWork {
  readonly #vault: EffectVault;
  readonly #context: RunContext;
  readonly #execution: NodeExecution;
  /** Null: a rule alone may ask. */
  readonly #confirm: JsonObject | null;
  #held: StoredEffect | null = null;
  #recipients: readonly AnswerRecipient[] = [];

  constructor(
    { tools }: Pick<ExecuteDeps, 'tools'>,
    { context, execution }: { readonly context: RunContext; readonly execution: NodeExecution },
    confirm: JsonObject | null,
  ) {
    this.#vault = tools.vault;
    this.#context = context;
    this.#execution = execution;
    this.#confirm = confirm;
  }

  /**
   * Asks about the request, or sends the approved one, or the one that nobody has to approve.
   * @throws NodeError `effect_changed`, `effect_too_large`, `effect_refused`, `encryption_unavailable`, and those of the node
   */
  async run(call: NodeCall<unknown>): Promise<NodeResult> {
    const { node, visit } = this.#execution;
    const { sql, segment } = this.#context;
    const read = this.#confirm === null ? UNCONFIRMED : readConfirmation(this.#confirm);
    const sender = getKind(node.type).sender?.(call.config);
    // A build that cannot read what must be approved sends nothing.
    if ('problems' in read || sender === undefined)
      throw new NodeError(
        'confirm_not_possible',
        'This build cannot ask for the approval that the node needs',
      );
    const { organizationId, rootRunPk } = segment;
    const approved = await unsealed(() =>
      readApprovedEffect(sql, this.#vault, { organizationId, rootRunPk, nodeId: node.id, visit }),
    );
    if (approved !== null) return sendApproved({ call, sender }, approved);
    const asked: AskingRule[] = [];
    const preparing = preparesAsked(call, (rule) => void asked.push(rule));
    const effect = await sender.prepare(preparing);
    if (this.#confirm === null && asked.length === 0) {
      call.keepInput(getShown(effect), effect.hidden);
      return performCounted(call, effect, () => sender.perform(call, effect));
    }
    const pinned = await pinTarget(preparing, sender, effect);
    // The last one has seen the server of the credential.
    const rule = asked.at(-1) ?? null;
    return this.#ask(call, { effect: pinned, rule, confirmation: joinConfirmations(read.config, rule) });
  }

  /** Keeps the request with its question, in the transaction that opens it. */
  async hold({ sql, segment }: RunContext, { id: interruptId }: Pick<InterruptRow, 'id'>): Promise<void> {
    if (this.#held === null) throw new Error('The request was not prepared');
    const { organizationId } = segment;
    const first = { organizationId, interruptId, revision: 1, ...this.#held };
    await holdEffect(sql, this.#vault, first);
    if (this.#recipients.length > 0) await addAnswerLinks(sql, { ...segment, interruptId }, this.#recipients);
  }

  async #ask(
    call: NodeCall<unknown>,
    {
      effect,
      rule,
      confirmation,
    }: {
      readonly effect: AnyEffect;
      readonly rule: AskingRule | null;
      readonly confirmation: Confirmation;
    },
  ): Promise<Asked> {
    if (!this.#vault.canStore) throw createUnsealed();
    const { sql, segment, redaction } = this.#context;
    call.keepInput(getShown(effect), effect.hidden);
    this.#held = await storeParts(segment, effect);
    const { credential_id: id } = effect;
    const work = new WorkBudget(REDACTION_WORK);
    const about = describeEffect(effect, {
      digest: this.#held.digest,
      credential: id === null ? null : { id, name: await readCredentialName(sql, segment, id) },
      last: await readLastSent(sql, { ...segment, nodeId: this.#execution.node.id }),
      changes: [],
      rule: rule?.name ?? null,
      editable: confirmation.editable,
      redact: (value: Json): Json => redaction.json(value, work),
    });
    const { assignees, notify, required_responses: required } = confirmation;
    this.#recipients = await listRecipients(call, {
      assignees,
      notify,
      escalate_to: [],
      escalate_after_seconds: 0,
    });
    return {
      outcome: 'interrupted',
      question: {
        kind: 'effect_approval',
        ...about,
        message: joinTexts(rule?.confirm.message ?? '', call.renderText(confirmation.message)),
        actions: ACTIONS,
        ...(required > 1 ? { requiredResponses: required } : {}),
        assignees: nameAssignees(assignees, this.#recipients),
        timeoutSeconds: confirmation.timeout_seconds ?? null,
        onTimeout: 'default',
        defaultResponse: { action: 'reject', data: {} },
      },
    };
  }
}

const joinTexts = (...texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n\n');

/** Reads a sealed request. @throws NodeError `encryption_unavailable` */
export async function unsealed<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnreadableError) throw createUnsealed();
    throw error;
  }
}

/** Sends the very request that was approved. @throws NodeError `effect_changed`, `effect_refused`, and those of its sender */
export async function sendApproved(
  { call, sender }: { readonly call: NodeCall<unknown>; readonly sender: AnySender },
  approved: StoredEffect & { readonly interruptId: string },
): Promise<NodeResult> {
  const effect = await restoreEffect(preparesAsked(call), sender, approved);
  call.keepInput(getShown(effect), effect.hidden);
  const perform = (): Promise<NodeResult> | NodeResult => sender.perform(onlyApproved(call, effect), effect);
  return performCounted(call, effect, perform, approved.interruptId);
}

const createUnsealed = (): NodeError =>
  new NodeError(
    'encryption_unavailable',
    'The request cannot be kept until it is approved: no encryption key opens it',
  );

/** Lets nothing leave but the approved request: a redirect of a change would go to an address that nobody has seen. */
const onlyApproved = (call: NodeCall<unknown>, { door, target, effect }: AnyEffect): NodeCall<unknown> => ({
  ...call,
  isApproved: true,
  admit: (facts) => {
    if (door === 'http' && effect !== 'pure')
      throw new NodeError(
        'redirect_refused',
        `The server redirected the approved request to another address (${String((target as { host?: string }).host)})`,
      );
    call.admit(facts);
  },
});

/** The pause in which people look at the request. */
export const buildApprovalPause = (work: ConfirmedWork, { question }: Asked): Pause => ({
  question,
  // Asking is all that the attempt was for.
  ended: { status: 'succeeded', error: null },
  keep: (context, row) => work.hold(context, row),
});

/** Ends an attempt with the question about its request. */
export async function pauseForApproval(
  attempt: Attempt,
  work: ConfirmedWork,
  asked: Asked,
): Promise<AttemptEnd<NodeOutcome> | Fenced> {
  try {
    return (await endWithQuestion(attempt, () => Promise.resolve(buildApprovalPause(work, asked)))) ?? FENCED;
  } catch (error) {
    return endWithError(attempt, storageFailure(attempt, { what: 'a question', error }));
  }
}

/** Finds the work of a node that people approve, or may have to; null for any other execution. */
export function findConfirmation(
  deps: Pick<ExecuteDeps, 'tools'>,
  given: { readonly context: RunContext; readonly execution: NodeExecution },
): ConfirmedWork | null {
  const { context, execution } = given;
  const { node, toolCall, attempt } = execution;
  if (toolCall !== undefined) return null;
  if (node.confirm !== null) return new ConfirmedWork(deps, given, node.confirm);
  // An approved request leaves as it was shown, also when its rule is gone by then.
  const mayBeAsked = mayAskPeople(context.effectRules) || attempt > 1;
  const sendsOne = getKind(node.type).sender !== undefined;
  return mayBeAsked && sendsOne && canPause(context, execution) ? new ConfirmedWork(deps, given, null) : null;
}

/**
 * Makes the answer of people the fate of the execution.
 * @returns how it ends; null: the request was approved, and is sent now
 */
export function settleConfirmation(
  scope: RunScope,
  { response }: Pick<InterruptRow, 'response'>,
  timedOut: boolean,
): Conclusion | null {
  if (timedOut)
    return concludeFailure(
      scope,
      new NodeError('approval_expired', 'The request was not approved in time and was not sent'),
      0,
    );
  if (response?.action === 'approve') return null;
  const comment = ownValue(response?.data ?? null, 'comment');
  const said = typeof comment === 'string' && comment !== '' ? `: ${comment}` : '';
  return concludeFailure(scope, new NodeError('rejected', `The request was rejected and not sent${said}`), 0);
}
