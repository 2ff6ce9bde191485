/**
 * Answers to questions about a request before it leaves: an approval is one of the very request that its author has seen, and a changed
 * value makes another request, for which people are counted anew.
 */
import type { Tx } from '../../../base/db/client.ts';
import { conflict, invalid } from '../../../base/errors.ts';
import type { Redaction } from '../../../language/graph/redaction/redaction.ts';
import { REQUEST_WORK, WorkBudget } from '../../../language/graph/values/work-budget.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { editEffect, type EditedEffect } from '../../../language/nodes/confirm/effect-view.ts';
import {
  describeEffect,
  listOffered,
  pickChanges,
  readAbout,
} from '../../../language/nodes/confirm/question.ts';
import { readParts, storeParts, type StoredEffect } from '../../../language/nodes/confirm/stored-effect.ts';
import { NodeError, type Question } from '../../../language/nodes/kind.ts';
import {
  holdEffect,
  markApproved,
  readHeldEffect,
  type EffectVault,
} from '../ledger/questions/held-effects.ts';
import type { Answer } from '../ledger/questions/interrupts.ts';
import { forgetResponses, type Respondent } from '../ledger/questions/interrupt-responses.ts';
import { changeQuestion, type InterruptRow } from '../ledger/questions/questions.ts';
import { readLastSent } from '../ledger/read/last-sent.ts';
import type { Segment } from '../ledger/write/segments.ts';
import type { QuestionAnswer } from './count-responses.ts';

interface HeldDeps {
  readonly tx: Tx;
  readonly vault: EffectVault;
  readonly segment: Segment;
  readonly redaction: Redaction;
  readonly respondent: Respondent;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Tells whether an answer allows the request of its question. */
const isApproval = (question: Pick<Question, 'kind'>, { action }: Pick<Answer, 'action'>): boolean =>
  question.kind === 'effect_approval' && action === 'approve';

/** @throws ApiError 409 when the request was changed since its author has read it */
export function requireSeen({ id, question }: InterruptRow, answer: QuestionAnswer['answer']): void {
  if (!isApproval(question, answer)) return;
  const digest = ownValue(answer.data, 'digest');
  if (digest !== undefined && digest !== ownValue(question.payload, 'digest'))
    throw conflict(
      'effect_changed',
      `The request of interrupt ${id} was changed. Read it again before you approve it`,
    );
}

/**
 * Applies the changed values of approvals, in the caller's transaction, which has locked the run.
 * @returns the answers, each with the digest of the request that it approves
 * @throws ApiError 422 for values that the request cannot have; 409 when the request is no longer kept
 */
export async function applyChanges(
  deps: HeldDeps,
  given: readonly QuestionAnswer[],
): Promise<readonly QuestionAnswer[]> {
  const applied: QuestionAnswer[] = [];
  for (const one of given)
    applied.push(isApproval(one.question, one.answer) ? await applyOne(deps, one) : one);
  return applied;
}

/** Marks the requests whose approvals decide. @param decided the answers that decide their questions */
export async function keepApprovals(
  { tx, segment: { organizationId } }: Pick<HeldDeps, 'tx' | 'segment'>,
  given: readonly QuestionAnswer[],
  decided: readonly Answer[],
): Promise<void> {
  for (const { answer, question } of given) {
    const { interruptId } = answer;
    const isDecided = decided.some((one) => one.interruptId === interruptId && one.action === 'approve');
    if (!isDecided || !isApproval(question, answer)) continue;
    await markApproved(tx, { organizationId, interruptId, digest: readAbout(question.payload).digest });
  }
}

async function applyOne(deps: HeldDeps, given: QuestionAnswer): Promise<QuestionAnswer> {
  const { tx, vault, segment } = deps;
  const { interruptId, data } = given.answer;
  const by = { organizationId: segment.organizationId, interruptId };
  const held = await readHeldEffect(tx, vault, by);
  if (held === null || held.digest !== ownValue(data, 'digest'))
    throw conflict('effect_changed', `The request of interrupt ${interruptId} is not the one that was shown`);
  const edited = editEffect(readParts(held.text), pickChanges(data));
  if (edited === null) return given;
  try {
    const next = { ...(await storeParts(segment, edited.parts)), revision: held.revision + 1 };
    const question = await describeChanged(deps, given, { next, edited });
    await holdEffect(tx, vault, { ...by, ...next });
    await changeQuestion(tx, { ...by, question });
    await forgetResponses(tx, by);
    const approved: JsonObject = { ...(isObject(data) ? data : {}), digest: next.digest };
    return { ...given, answer: { ...given.answer, data: approved }, question };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    throw invalid([{ loc: ['body', 'data'], msg: error.message, type: error.code }]);
  }
}

async function describeChanged(
  { tx, segment, redaction, respondent, now }: HeldDeps,
  { question, nodeId }: QuestionAnswer,
  { next, edited }: { readonly next: StoredEffect; readonly edited: EditedEffect },
): Promise<Question> {
  const work = new WorkBudget(REQUEST_WORK);
  const redact = (value: Json): Json => redaction.json(value, work);
  const { digest, credential, changes, rule } = readAbout(question.payload);
  const change = {
    responded_by: respondent.userId,
    responded_email: respondent.userId === null ? respondent.email : null,
    changed_at: new Date(now).toISOString(),
    before_digest: digest,
    changes: edited.changes.map((one) => redact({ ...one })),
  };
  const about = describeEffect(edited.parts, {
    digest: next.digest,
    credential,
    last: await readLastSent(tx, { ...segment, nodeId }),
    changes: [...changes, change],
    rule,
    editable: listOffered(question.form),
    redact,
  });
  return { ...question, ...about };
}
