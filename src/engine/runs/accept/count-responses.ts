/**
 * Questions that need the answers of several people: each answer is recorded, and the last one that is needed decides. A question
 * whose other actions can no longer reach their numbers is rejected.
 */
import { conflict } from '../../../base/errors.ts';
import type { Sql } from '../../../base/db/client.ts';
import type { Question } from '../../../language/nodes/kind.ts';
import type { Answer } from '../ledger/questions/interrupts.ts';
import {
  countRemainingPeople,
  recordResponse,
  type CountedResponse,
  type Respondent,
} from '../ledger/questions/interrupt-responses.ts';

/** An answer and its question. */
export interface QuestionAnswer {
  readonly answer: Answer;
  readonly question: Question;
  readonly nodeId: string;
}

/** An answer that does not decide yet. */
export interface OpenCount {
  readonly interrupt_id: string;
  /** Answers with the same action. */
  readonly responses: number;
  readonly required_responses: number;
}

/** The number of equal answers that decide: that of their action, else that of the question. */
function countRequired({ actions, requiredResponses = 1 }: Question, action: string | null): number {
  return actions.find(({ id }) => id === action)?.requiredResponses ?? requiredResponses;
}

const needsSeveral = ({ requiredResponses = 1, actions }: Question): boolean =>
  requiredResponses > 1 || actions.some((action) => (action.requiredResponses ?? 1) > 1);

/** The action of a question that nobody can decide any more: `reject`, or its last action without one of this name. */
const findRejection = ({ actions }: Question): string | null =>
  (actions.find(({ id }) => id === 'reject') ?? actions.at(-1))?.id ?? null;

/**
 * Finds the action that a question ends with, whatever the remaining people answer: its rejection, once no other action can reach
 * its number. Two answers that block each other would otherwise leave the run waiting until its timeout, or for ever.
 * @returns null while another action may still be reached
 */
function findForegone(
  question: Question,
  responses: readonly CountedResponse[],
  remaining: number,
): string | null {
  const rejection = findRejection(question);
  const isReachable = (action: string): boolean => {
    const same = countSame(responses, action);
    // While nobody disagrees, people who join the organization may still answer.
    return same === responses.length || same + remaining >= countRequired(question, action);
  };
  const others = question.actions.filter(({ id }) => id !== rejection);
  return others.length === 0 || others.some(({ id }) => isReachable(id)) ? null : rejection;
}

/**
 * Records the answers of a person to questions that need several.
 * @returns the answers that decide their questions, among them those to all other questions; and the counts of the rest
 * @throws ApiError 409 when the person has answered one of the questions before
 */
export async function countResponses(
  tx: Sql,
  { organizationId, respondent }: { readonly organizationId: string; readonly respondent: Respondent },
  given: readonly QuestionAnswer[],
): Promise<{ readonly decided: readonly Answer[]; readonly open: readonly OpenCount[] }> {
  const decided: Answer[] = [];
  const open: OpenCount[] = [];
  for (const { answer, question } of given) {
    if (!needsSeveral(question)) {
      decided.push(answer);
      continue;
    }
    const { interruptId, action, data } = answer;
    const recorded = { organizationId, interruptId, action, data };
    const responses = await recordResponse(tx, respondent, recorded);
    if (responses === null)
      throw conflict('already_responded', `You have already answered interrupt ${interruptId}`);
    const same = countSame(responses, action);
    const required = countRequired(question, action);
    if (same >= required) {
      decided.push({ ...answer, responses });
      continue;
    }
    const remaining = await countRemainingPeople(tx, { organizationId, interruptId, question });
    const fallback = findForegone(question, responses, remaining);
    if (fallback !== null)
      decided.push({ ...answer, action: fallback, data: fallback === action ? data : {}, responses });
    else open.push({ interrupt_id: interruptId, responses: same, required_responses: required });
  }
  return { decided, open };
}

const countSame = (responses: readonly CountedResponse[], action: string | null): number =>
  responses.filter((response) => response.action === action).length;
