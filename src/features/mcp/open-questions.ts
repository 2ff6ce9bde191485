/** The open questions of a run: asked by forms of the client, answered by their content. */
import { inputRequired, inputResponse } from '@modelcontextprotocol/server';
import type { InputRequests, ServerContext } from '@modelcontextprotocol/server';
import type { Scope } from '../../platform/access/caller.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import { resumeRun, type AnswerDeps } from '../../engine/runs/accept/resume.ts';
import { readPending } from '../../engine/runs/ledger/read/event-reader.ts';
import { readInterrupts } from '../../engine/runs/ledger/questions/interrupts.ts';
import type { InterruptRow } from '../../engine/runs/ledger/questions/questions.ts';
import type { FoundRun } from '../../engine/runs/ledger/read/run-reads.ts';
import { buildForm, readContent, type QuestionForm } from './questions.ts';

interface OpenQuestion {
  readonly id: string;
  readonly question: InterruptRow['question'];
  /** Null when clients cannot show it. */
  readonly form: QuestionForm | null;
}

/** Reads the questions of a run that wait for an answer. */
export async function readQuestions(
  { db }: AnswerDeps,
  { rootRunPk }: Pick<FoundRun, 'rootRunPk'>,
): Promise<OpenQuestion[]> {
  const ids = (await readPending(db, rootRunPk)).map(({ interrupt_id: id }) => id);
  const stored = await readInterrupts(db, rootRunPk, ids);
  return [...stored.values()]
    .filter(({ status, is_overdue: isOverdue }) => status === 'pending' && !isOverdue)
    .map(({ id, question }) => ({ id, question, form: buildForm(question) }));
}

/** Builds the requests of the questions that have a form, under their ids. */
export const buildInputRequests = (questions: readonly OpenQuestion[]): InputRequests =>
  Object.fromEntries(
    questions.flatMap(({ id, form }) => (form === null ? [] : [[id, inputRequired.elicit(form as never)]])),
  );

/**
 * Gives the answers of the request to the questions of a run. Declined questions stay open; answers to closed questions are ignored.
 * @param joinsRunning the answers may be given while other branches run
 * @returns the run_id of the run that goes on; null when nothing was answered
 * @throws ApiError as resumeRun
 */
export async function answerQuestions(
  deps: AnswerDeps,
  scope: Scope,
  { run, context, joinsRunning }: { run: FoundRun; context: ServerContext; joinsRunning: boolean },
): Promise<string | null> {
  const responses = (await readQuestions(deps, run)).flatMap(({ id, question }) => {
    const given = inputResponse(context.mcpReq.inputResponses, id);
    const isAnswered = given.kind === 'elicit' && given.action === 'accept';
    return isAnswered
      ? [{ interrupt_id: id, ...readContent(question, (given.content ?? {}) as JsonObject) }]
      : [];
  });
  if (responses.length === 0) return null;
  const resumed = await resumeRun(deps, scope, { runId: run.runId, body: { responses }, joinsRunning });
  return resumed['run_id'] as string;
}
