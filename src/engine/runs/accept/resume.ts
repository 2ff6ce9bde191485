/** Answers the questions of a run (SPEC RUN-4.1). PostgreSQL decides which answer was first; the signal only wakes the execution. */
import type { Scope } from '../../../platform/access/caller.ts';
import { buildAdmission, admit } from '../../../platform/billing/admission.ts';
import { conflict, forbidden, gone, invalid, type Issue, notFound } from '../../../base/errors.ts';
import type { Db, Tx } from '../../../base/db/client.ts';
import { Redaction } from '../../../language/graph/redaction/redaction.ts';
import { REQUEST_WORK, WorkBudget } from '../../../language/graph/values/work-budget.ts';
import { isObject, ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import {
  claimInterrupts,
  openSegment,
  readInterrupts,
  type Answer,
  type OpenedSegment,
} from '../ledger/questions/interrupts.ts';
import type { Config } from '../../../base/config/config.ts';
import type { Logger } from '../../../base/log.ts';
import { Vault } from '../../../platform/credentials/vault/vault.ts';
import type { Clock } from '../../../base/clock.ts';
import type { RunRef } from '../engine.ts';
import { readCurrentSegment, type Segment } from '../ledger/write/segments.ts';
import type { InterruptRow, InterruptStatus } from '../ledger/questions/questions.ts';
import type { Respondent } from '../ledger/questions/interrupt-responses.ts';
import type { Question } from '../../../language/nodes/kind.ts';
import { RequestChecks } from '../../../language/nodes/schema-issues.ts';
import type { RunAcceptor } from './accept.ts';
import { applyChanges, keepApprovals, requireSeen } from './held-answers.ts';
import { countResponses, type OpenCount, type QuestionAnswer } from './count-responses.ts';
import { requireRun } from '../ledger/read/require-objects.ts';
import { presentStart } from './start-response.ts';
import type { ResumeBody } from '../api/schema.ts';
import type { Dispatcher } from '../../../platform/outbox/dispatcher.ts';

export interface AnswerDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly dispatcher: Pick<Dispatcher, 'kick'>;
  readonly acceptor: Pick<RunAcceptor, 'inTurn'>;
  readonly config: Pick<Config, 'encryptionKeys'>;
  readonly log: Logger;
}

/** An answer and its place in the body. */
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

/** Tells why a question can no longer be answered. @returns the predicate of a sentence about it */
export const explainClosed = ({ status }: Pick<InterruptRow, 'status'>): string =>
  WHY_CLOSED[status === 'pending' ? 'expired' : status];

/** Reads the answers of a body. @throws ApiError 422 for both of its forms, for neither, and for an interrupt answered twice */
function parseAnswers({ responses, ...single }: ResumeBody): GivenAnswer[] {
  const refusal = (loc: string[], msg: string, type = 'value_error') => invalid([{ loc, msg, type }]);
  if (responses === undefined) {
    const { interrupt_id: interruptId } = single;
    if (interruptId === undefined) throw refusal(['body', 'interrupt_id'], 'Field required', 'missing');
    return [{ interruptId, action: single.action ?? null, data: single.data ?? {}, loc: ['body'] }];
  }
  if (single.interrupt_id !== undefined)
    throw refusal(['body'], 'Either interrupt_id or responses is allowed');
  if (new Set(responses.map((given) => given.interrupt_id)).size < responses.length)
    throw refusal(['body', 'responses'], 'An interrupt may be answered once');
  return responses.map(({ interrupt_id: interruptId, action, data }, index) => ({
    interruptId,
    action: action ?? null,
    data: data ?? {},
    loc: ['body', 'responses', index],
  }));
}

/** A person who answers, and the organization that the answer counts for. */
interface Answerer extends Pick<Scope, 'organizationId' | 'subscription'> {
  readonly respondent: Respondent;
  /** The answer may be given while other branches run: nobody waits for the run of a new segment. */
  readonly joinsRunning: boolean;
  mayAnswer(question: Question): boolean;
}

/** A member of the organization. Without assignees, every member may answer. */
function toAnswerer({ organizationId, subscription, caller, role }: Scope, joinsRunning: boolean): Answerer {
  return {
    organizationId,
    subscription,
    respondent: { userId: caller.userId, email: caller.email.toLowerCase() },
    joinsRunning,
    mayAnswer: ({ assignees: { roles, user_ids: userIds } }) =>
      (roles.length === 0 && userIds.length === 0) || roles.includes(role) || userIds.includes(caller.userId),
  };
}

function findIssues(
  { loc, action, data }: GivenAnswer,
  { kind, actions, form }: Question,
  checks: RequestChecks,
): Issue[] {
  const issues: Issue[] = [];
  const add = (path: Issue['loc'], msg: string, type: string): void =>
    void issues.push({ loc: [...loc, ...path], msg, type });
  const ids = actions.map(({ id }) => id);
  if (kind === 'input' || kind === 'callback') {
    if (action !== null) add(['action'], 'This interrupt has no actions', 'value_error');
  } else if (action === null) add(['action'], 'Field required', 'missing');
  else if (!ids.includes(action)) add(['action'], `Must be one of: ${ids.join(', ')}`, 'enum');
  if (kind === 'tool_approval' && action === 'edit' && !isObject(ownValue(data, 'arguments')))
    add(['data', 'arguments'], 'Field required', 'missing');
  if (kind === 'effect_approval' && action === 'approve' && ownValue(data, 'digest') === undefined)
    add(['data', 'digest'], 'Field required', 'missing');
  if (kind === 'unknown_effect' && action === 'happened' && !isObject(ownValue(data, 'output')))
    add(['data', 'output'], 'Field required', 'missing');
  for (const found of form === null ? [] : checks.findIssues(form, data))
    add(['data', ...found.path], found.message, found.type);
  return issues;
}

/**
 * @returns the answers with their questions
 * @throws ApiError in this order: 404 unknown, 410 no longer open, 403 not an assignee, 409 about a changed request, 422 invalid answer
 */
function requireAnswerable(
  answerer: Answerer,
  answers: readonly GivenAnswer[],
  stored: ReadonlyMap<string, InterruptRow>,
): QuestionAnswer[] {
  const pairs = answers.map((answer) => {
    const interrupt = stored.get(answer.interruptId);
    if (interrupt === undefined) throw notFound('Interrupt');
    return { answer, interrupt };
  });
  for (const { interrupt } of pairs) {
    const { id, status, is_overdue: isOverdue } = interrupt;
    if (status !== 'pending' || isOverdue)
      throw gone('interrupt_closed', `Interrupt ${id} ${explainClosed(interrupt)}`);
  }
  for (const { interrupt } of pairs) {
    if (!answerer.mayAnswer(interrupt.question)) {
      throw forbidden('not_the_assignee', `You are not an assignee of interrupt ${interrupt.id}`);
    }
  }
  for (const { answer, interrupt } of pairs) requireSeen(interrupt, answer);
  const checks = new RequestChecks();
  const issues = pairs.flatMap(({ answer, interrupt }) => findIssues(answer, interrupt.question, checks));
  if (issues.length > 0) throw invalid(issues);
  return pairs.map(({ answer, interrupt: { question, node_id: nodeId } }) => ({ answer, question, nodeId }));
}

interface Resumption {
  readonly run: RunRef;
  readonly answers: readonly GivenAnswer[];
  readonly stream: boolean | null;
}

/** Redacts answers after their check: a form may describe a value that is not stored. */
function redactAnswers(
  given: readonly QuestionAnswer[],
  { redactedPaths }: Pick<Segment, 'redactedPaths'>,
): readonly QuestionAnswer[] {
  if (redactedPaths === null) return given;
  const redaction = new Redaction(redactedPaths);
  const work = new WorkBudget(REQUEST_WORK);
  return given.map((one) => ({
    ...one,
    answer: { ...one.answer, data: redaction.json(one.answer.data, work) },
  }));
}

/** The run that goes on; or the counts of questions that still need answers of other people. */
type Resumed =
  | { readonly segment: OpenedSegment & { readonly fromRunId: string } }
  | { readonly segment: null; readonly runId: string; readonly open: readonly OpenCount[] };

async function openResumedSegment(
  tx: Tx,
  { answerer, deps }: { readonly answerer: Answerer; readonly deps: AnswerDeps },
  { run, answers, stream }: Resumption,
): Promise<Resumed> {
  const current = await readCurrentSegment(tx, run, true);
  if (current === null) throw notFound('Workflow run', 'run');
  // Questions are checked before the run: a second answer is 410 even while the run of the first answer is active.
  const ids = answers.map((answer) => answer.interruptId);
  const given = requireAnswerable(answerer, answers, await readInterrupts(tx, run.rootRunPk, ids));
  const isRunning = current.status === 'running';
  if (isRunning && !answerer.joinsRunning)
    throw conflict('thread_busy', 'A run is already active on this thread');
  if (!isRunning && current.status !== 'interrupted')
    throw gone('run_ended', `The run has ended with status ${current.status}. Its questions are closed`);
  const { respondent } = answerer;
  const vault = new Vault(deps);
  const redaction = new Redaction(current.redactedPaths ?? []);
  const seen = { tx, vault, segment: current, redaction, respondent, now: deps.clock.now() };
  const changed = await applyChanges(seen, given);
  const { decided, open } = await countResponses(tx, answerer, redactAnswers(changed, current));
  await keepApprovals(seen, changed, decided);
  if (decided.length === 0) return { segment: null, runId: current.runId, open };
  const segment = isRunning ? current : await openSegment(tx, current.runPk, stream);
  const respondedBy = answerer.respondent.userId;
  const respondedEmail = respondedBy === null ? answerer.respondent.email : null;
  const claim = { ...run, segmentRunPk: segment.runPk, respondedBy, respondedEmail, answers: decided };
  // A timeout may expire the question after it was read.
  if (!(await claimInterrupts(tx, claim)))
    throw gone('interrupt_closed', `Interrupt ${ids[0] ?? ''} was already resolved`);
  if (!isRunning) await admit(tx, buildAdmission(answerer), { subjectId: segment.runPk, leaseSeconds: null });
  const { runPk, runId, createdAt } = segment;
  return { segment: { runPk, runId, createdAt, fromRunId: current.runId } };
}

/**
 * Answers one or several questions of a run. Questions are matched by interrupt_id within the execution, because a second
 * approver may have the run_id of an earlier segment.
 * @returns the start response of the new run, with resumed_from_run_id and interrupt_ids; with status `interrupted`, the run that
 *   waits for answers of other people
 * @throws ApiError 404, 410, 403, 422 (see requireAnswerable); 409 while another run of the thread is active, and for a second
 *   answer of one person; shape D from the gate, which leaves the questions open
 */
export async function resumeRun(
  deps: AnswerDeps,
  scope: Scope,
  {
    runId,
    body,
    joinsRunning = false,
  }: { readonly runId: string; readonly body: ResumeBody; readonly joinsRunning?: boolean },
): Promise<JsonObject> {
  const beganMs = deps.clock.monotonic();
  const answers = parseAnswers(body);
  const run = await requireRun(deps.db, scope, runId);
  const stream = body.stream ?? null;
  const answerer = toAnswerer(scope, joinsRunning);
  const resumed = await deps.acceptor.inTurn(run.organizationId, () =>
    deps.db.transaction((tx) => openResumedSegment(tx, { answerer, deps }, { run, answers, stream })),
  );
  const interruptIds = answers.map((answer) => answer.interruptId);
  if (resumed.segment === null) {
    return {
      status: 'interrupted',
      run_id: resumed.runId,
      thread_id: run.threadId,
      interrupt_ids: interruptIds,
      interrupts: resumed.open.map((count) => ({ ...count })),
    };
  }
  deps.dispatcher.kick();
  const { fromRunId, ...segment } = resumed.segment;
  return {
    ...presentStart({
      ...run,
      ...segment,
      stream: stream ?? run.stream,
      messagePreview: answers.length === 1 ? (answers[0]?.action ?? '') : '',
      elapsedMs: Math.round(deps.clock.monotonic() - beganMs),
    }),
    resumed_from_run_id: fromRunId,
    interrupt_ids: interruptIds,
  };
}

/** A link that was found under its organization, and the person at it. */
interface UsedLink extends RunRef, Pick<Scope, 'subscription'> {
  readonly interruptId: string;
  readonly address: string;
}

/**
 * Answers the question of a link, as the person at its address.
 * @returns whether the run goes on, or waits for answers of other people
 * @throws ApiError as resumeRun, but not while other branches run: the run takes the answer with its next advance. Its text does not
 *   name the question, which the page shows
 */
export async function answerByLink(
  deps: AnswerDeps,
  { organizationId, rootRunPk, interruptId, address, subscription }: UsedLink,
  { action, data }: Pick<Answer, 'action' | 'data'>,
): Promise<'resumed' | 'recorded'> {
  const answerer: Answerer = {
    organizationId,
    subscription,
    respondent: { userId: null, email: address },
    joinsRunning: true,
    // The link is the right to answer.
    mayAnswer: () => true,
  };
  const answers = [{ interruptId, action, data, loc: ['body'] }];
  const run = { organizationId, rootRunPk };
  const resumed = await deps.acceptor.inTurn(organizationId, () =>
    deps.db.transaction((tx) => openResumedSegment(tx, { answerer, deps }, { run, answers, stream: null })),
  );
  if (resumed.segment === null) return 'recorded';
  deps.dispatcher.kick();
  return 'resumed';
}
