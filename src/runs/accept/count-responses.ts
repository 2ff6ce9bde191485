/** Questions that need the answers of several people: each answer is recorded, and the last one that is needed decides. */
import { conflict } from '../../errors.ts';
import type { Sql } from '../../db/client.ts';
import type { Question } from '../../nodes/kind.ts';
import type { Answer } from '../ledger/interrupts.ts';
import { recordResponse, type CountedResponse, type Respondent } from '../ledger/interrupt-responses.ts';

/** An answer and its question. */
export interface QuestionAnswer {
  readonly answer: Answer;
  readonly question: Question;
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
      throw conflict('already_responded', `You have answered interrupt ${interruptId} already`);
    const same = countSame(responses, action);
    const required = countRequired(question, action);
    if (same >= required) decided.push({ ...answer, responses });
    else open.push({ interrupt_id: interruptId, responses: same, required_responses: required });
  }
  return { decided, open };
}

const countSame = (responses: readonly CountedResponse[], action: string | null): number =>
  responses.filter((response) => response.action === action).length;
