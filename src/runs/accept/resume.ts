/** Answering the questions of a run (SPEC RUN-4.1). PostgreSQL decides who was first; the signal only wakes the execution. */
import type { Scope } from '../../access/caller.ts';
import { admissionOf, admit } from '../../billing/admission.ts';
import { ApiError, conflict, forbidden, gone, invalid, notFound, type Issue } from '../../errors.ts';
import type { Db, Tx } from '../../db/client.ts';
import { checkSchema, type SchemaIssue } from '../../graph/json-schema.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import { lockCurrentSegment } from '../ledger/current-segment.ts';
import {
  claimInterrupts,
  openSegment,
  readInterrupts,
  type Answer,
  type InterruptStatus,
  type OpenedSegment,
  type StoredInterrupt,
} from '../ledger/interrupts.ts';
import { findRun, readerOf, type FoundRun } from '../ledger/run-reads.ts';
import { NodeError } from '../../nodes/kind.ts';
import type { Question } from '../../nodes/kind.ts';
import { matches } from '../../nodes/pattern.ts';
import { presentStart } from './start-response.ts';
import type { ResumeBody } from '../api/schema.ts';
import type { Dispatcher } from '../outbox/dispatcher.ts';

export interface AnswerDeps {
  readonly db: Db;
  readonly dispatcher: Pick<Dispatcher, 'kick'>;
}

/** An answer and where in the body it stands. */
interface GivenAnswer extends Answer {
  readonly loc: readonly (string | number)[];
}

const WHY_CLOSED: Readonly<Record<Exclude<InterruptStatus, 'pending'>, string>> = {
  claimed: 'was already resolved',
  consumed: 'was already resolved',
  expired: 'has timed out',
  cancelled: 'was cancelled with its run',
  superseded: 'was superseded by a newer run on the thread',
};

function answersOf(body: ResumeBody): GivenAnswer[] {
  const several = body.responses;
  if (several !== undefined && body.interrupt_id !== undefined) {
    throw invalid([
      { loc: ['body'], msg: 'Either interrupt_id or responses is allowed', type: 'value_error' },
    ]);
  }
  if (several === undefined) {
    if (body.interrupt_id === undefined) {
      throw invalid([{ loc: ['body', 'interrupt_id'], msg: 'Field required', type: 'missing' }]);
    }
    const { interrupt_id: interruptId, action, data } = body;
    return [{ interruptId, action: action ?? null, data: data ?? {}, loc: ['body'] }];
  }
  if (new Set(several.map((given) => given.interrupt_id)).size < several.length) {
    throw invalid([
      { loc: ['body', 'responses'], msg: 'An interrupt may be answered once', type: 'value_error' },
    ]);
  }
  return several.map(({ interrupt_id: interruptId, action, data }, index) => ({
    interruptId,
    action: action ?? null,
    data: data ?? {},
    loc: ['body', 'responses', index],
  }));
}

/** Nobody named: anybody of the organization may answer. */
function mayAnswer(scope: Scope, { roles, user_ids: userIds }: Question['assignees']): boolean {
  if (roles.length === 0 && userIds.length === 0) return true;
  return roles.includes(scope.role) || userIds.includes(scope.caller.userId);
}

/** A pattern that cannot be searched, or not in a text of this length, is no fault of the service. */
function formIssues(form: JsonObject, data: Json): SchemaIssue[] {
  try {
    return checkSchema(form, data, matches);
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return [{ path: [], message: error.message, type: error.code }];
  }
}

function issuesWith(answer: GivenAnswer, question: Question): Issue[] {
  const issues: Issue[] = [];
  const ids = question.actions.map((action) => action.id);
  if (question.kind !== 'input' && (answer.action === null || !ids.includes(answer.action))) {
    const loc = [...answer.loc, 'action'];
    issues.push(
      answer.action === null
        ? { loc, msg: 'Field required', type: 'missing' }
        : { loc, msg: `Input should be one of: ${ids.join(', ')}`, type: 'enum' },
    );
  }
  if (question.kind === 'input' && answer.action !== null) {
    issues.push({
      loc: [...answer.loc, 'action'],
      msg: 'This interrupt has no actions',
      type: 'value_error',
    });
  }
  if (question.kind === 'tool_approval' && answer.action === 'edit') {
    const loc = [...answer.loc, 'data', 'arguments'];
    if (!isObject(ownValue(answer.data, 'arguments')))
      issues.push({ loc, msg: 'Field required', type: 'missing' });
  }
  if (question.form !== null) {
    for (const found of formIssues(question.form, answer.data)) {
      issues.push({ loc: [...answer.loc, 'data', ...found.path], msg: found.message, type: found.type });
    }
  }
  return issues;
}

/** In this order: unknown 404, no longer open 410, not asked 403, wrong answer 422. */
function judge(
  scope: Scope,
  answers: readonly GivenAnswer[],
  stored: ReadonlyMap<string, StoredInterrupt>,
): void {
  const pairs = answers.map((answer) => {
    const interrupt = stored.get(answer.interruptId);
    if (interrupt === undefined) throw notFound('Interrupt');
    return { answer, interrupt };
  });
  for (const { interrupt } of pairs) {
    const { status, interruptId, isOverdue } = interrupt;
    if (status !== 'pending') throw gone(`Interrupt ${interruptId} ${WHY_CLOSED[status]}`);
    if (isOverdue) throw gone(`Interrupt ${interruptId} ${WHY_CLOSED.expired}`);
  }
  for (const { interrupt } of pairs) {
    if (!mayAnswer(scope, interrupt.question.assignees)) {
      throw forbidden(`You are not asked to answer interrupt ${interrupt.interruptId}`);
    }
  }
  const issues = pairs.flatMap(({ answer, interrupt }) => issuesWith(answer, interrupt.question));
  if (issues.length > 0) throw invalid(issues);
}

interface Resumption {
  readonly run: FoundRun;
  readonly answers: readonly GivenAnswer[];
  readonly stream: boolean | null;
}

interface Resumed {
  readonly segment: OpenedSegment;
  readonly fromRunId: string;
}

async function resumeIn(tx: Tx, scope: Scope, { run, answers, stream }: Resumption): Promise<Resumed> {
  const { organizationId, rootRunPk } = run;
  const current = await lockCurrentSegment(tx, rootRunPk);
  if (current === null) throw notFound('Workflow run');
  // The questions first: who comes second to an answered one hears 410, although its answer's run is active already.
  const ids = answers.map((answer) => answer.interruptId);
  judge(scope, answers, await readInterrupts(tx, rootRunPk, ids));
  if (current.status === 'running') throw conflict('A run is already active on this thread');
  if (current.status !== 'interrupted') throw gone(`The run is ${current.status}; its interrupts are closed`);
  const segment = await openSegment(tx, current.runPk, stream);
  const claimed = await claimInterrupts(tx, {
    organizationId,
    rootRunPk,
    segmentRunPk: segment.runPk,
    respondedBy: scope.caller.userId,
    answers,
  });
  // Its timer fired between the look and the claim.
  if (!claimed)
    throw new ApiError({ shape: 'A', status: 410, detail: `Interrupt ${ids[0] ?? ''} was already resolved` });
  await admit(tx, admissionOf(scope), { subjectId: segment.runPk, leaseSeconds: null });
  return { segment, fromRunId: current.runId };
}

/**
 * Answers one or several questions of a run, matched by interrupt_id within the execution: a second approver may hold
 * the run_id of an earlier segment.
 * @returns the start response of the new run, with resumed_from_run_id and interrupt_ids
 * @throws ApiError 404, 410, 403, 422 (see judge); 409 while another run of the thread is active; shape D from the
 *   gate, and the questions stay open
 */
export async function resumeRun(
  deps: AnswerDeps,
  scope: Scope,
  { runId, body }: { readonly runId: string; readonly body: ResumeBody },
): Promise<JsonObject> {
  const begun = performance.now();
  const answers = answersOf(body);
  const run = await findRun(deps.db, readerOf(scope), runId);
  if (run === null) throw notFound('Workflow run');
  const stream = body.stream ?? null;
  const { segment, fromRunId } = await deps.db.transaction((tx) =>
    resumeIn(tx, scope, { run, answers, stream }),
  );
  deps.dispatcher.kick();
  const messagePreview = answers.length === 1 ? (answers[0]?.action ?? '') : '';
  const response = presentStart({
    ...run,
    ...segment,
    stream: stream ?? run.stream,
    messagePreview,
    elapsedMs: Math.round(performance.now() - begun),
  });
  return {
    ...response,
    resumed_from_run_id: fromRunId,
    interrupt_ids: answers.map((answer) => answer.interruptId),
  };
}
