/**
 * Answers callbacks: requests of other services to the signed address of a node that waits for them. The first request wins, in
 * the database; the signal to Temporal only wakes the execution, as for an answer of a person (resume.ts).
 */
import { admit, buildAdmission, readSubscription } from '../../../platform/billing/admission.ts';
import type { Subscription } from '../../../platform/access/caller.ts';
import type { Tx } from '../../../base/db/client.ts';
import { ApiError, gone, notFound } from '../../../base/errors.ts';
import { Redaction } from '../../../language/graph/redaction/redaction.ts';
import type { Json } from '../../../language/graph/values/value.ts';
import {
  findCallbackQuestion,
  hasRun,
  keepCallbackAnswer,
  noteLateCall,
  type CallbackPlace,
} from '../ledger/questions/callback-answers.ts';
import { claimInterrupts, openSegment } from '../ledger/questions/interrupts.ts';
import { readCurrentSegment, type Segment } from '../ledger/write/segments.ts';
import { explainClosed, type AnswerDeps } from './resume.ts';

/** `delivered`: the run goes on; `kept`: the run gets the answer when its node waits for it. */
export type CallbackOutcome = 'delivered' | 'kept';

/** A callback whose run exists. */
interface FoundCallback extends CallbackPlace {
  readonly subscription: Subscription;
}

const isOpen = ({ status }: Segment): boolean => status === 'running' || status === 'interrupted';

/** Finds the run of a callback. @throws ApiError 404 */
export async function findCallback(
  { db }: Pick<AnswerDeps, 'db'>,
  place: CallbackPlace | null,
): Promise<FoundCallback> {
  if (place === null || !(await hasRun(db, place))) throw notFound('Callback');
  return { ...place, subscription: await readSubscription(db, place.organizationId) };
}

/**
 * Answers a callback, once.
 * @param given the output of its node, before redaction
 * @throws ApiError 404 without a run; 410, counted on its question, when it was answered before, has timed out, or its run has
 *   ended; shape D from the gate, which leaves it open
 */
export async function answerCallback(
  deps: AnswerDeps,
  callback: FoundCallback,
  given: Json,
): Promise<CallbackOutcome> {
  try {
    const outcome = await claimCallback(deps, callback, given);
    if (outcome === 'delivered') deps.dispatcher.kick();
    return outcome;
  } catch (error) {
    if (isClosed(error)) await noteLateCall(deps.db, callback);
    throw error;
  }
}

const isClosed = (error: unknown): boolean =>
  error instanceof ApiError && error.failure.shape === 'A' && error.failure.code === 'callback_closed';

/** Claims the question for the first request, or keeps its answer. */
function claimCallback(
  { db, acceptor }: Pick<AnswerDeps, 'db' | 'acceptor'>,
  callback: FoundCallback,
  given: Json,
): Promise<CallbackOutcome> {
  const claim = async (tx: Tx): Promise<CallbackOutcome> => {
    const current = await readCurrentSegment(tx, callback, true);
    if (current === null) throw notFound('Callback');
    const question = await findCallbackQuestion(tx, callback);
    if (question !== null && (question.status !== 'pending' || question.is_overdue))
      throw gone('callback_closed', `The callback ${explainClosed(question)}`);
    const data = new Redaction(current.redactedPaths ?? []).json(given);
    if (!isOpen(current))
      throw gone('callback_closed', `The run of the callback has ended with status ${current.status}`);
    if (question !== null) {
      await deliver(tx, { callback, current }, { interruptId: question.id, action: null, data });
      return 'delivered';
    }
    if (!(await keepCallbackAnswer(tx, callback, data)))
      throw gone('callback_closed', 'The callback was already answered');
    return 'kept';
  };
  return acceptor.inTurn(callback.organizationId, () => db.transaction(claim));
}

/** A run that waits goes on in a new segment; one whose other branches are running takes the answer with its next advance. */
async function deliver(
  tx: Tx,
  { callback, current }: { readonly callback: FoundCallback; readonly current: Segment },
  answer: { readonly interruptId: string; readonly action: null; readonly data: Json },
): Promise<void> {
  const isPaused = current.status === 'interrupted';
  const { runPk } = isPaused ? await openSegment(tx, current.runPk, null) : current;
  const claim = { ...callback, segmentRunPk: runPk, respondedBy: null, answers: [answer] };
  // A timeout may expire the question after it was read.
  if (!(await claimInterrupts(tx, claim))) throw gone('callback_closed', 'The callback was already answered');
  if (isPaused) await admit(tx, buildAdmission(callback), { subjectId: runPk, leaseSeconds: null });
}
