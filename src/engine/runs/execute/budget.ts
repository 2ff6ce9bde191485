/**
 * The budgets of a run, as an attempt uses them: its own with those of its callers, those of its workflow and of its organization. A run
 * that none of them binds sends no statement.
 */
import { randomUUID } from 'node:crypto';
import {
  releaseEarlierAttempts,
  reserveBudget,
  settleBudget,
  type BudgetUse,
  type BudgetUser,
  type RunBudget,
} from '../../../platform/billing/budgets.ts';
import { SEARCH_MC } from '../../../platform/billing/prices.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Sql } from '../../../base/db/client.ts';
import type { NodeCall, NodeError } from '../../../language/nodes/kind.ts';
import type { KnowledgeRequest, ModelRequest } from '../../../language/nodes/tools.ts';
import { deriveUuid } from '../accept/derive-uuid.ts';
import type { RunContext } from './context.ts';
import type { NodeExecution } from '../walk/context.ts';
import { buildExceeded, explainSilence, type ReachedLimit } from './attempt/budget-limit.ts';
import { outlastOutage, sleep } from './attempt/outlast-outage.ts';
import { computeWorstCase, countInput } from '../accept/worst-case.ts';

/** The longest wait for calls under way, which may take less than is reserved for them; a guess. */
const MAX_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/** Lists the budgets of a run and of its callers, from the top. */
export function listRunBudgets({ segment, ready }: Pick<RunContext, 'segment' | 'ready'>): RunBudget[] {
  const { limits } = ready.plan;
  const own = limits === null ? [] : [{ root_run_pk: segment.rootRunPk, ...limits }];
  return [...(segment.callerBudgets ?? []), ...own];
}

/** True when a budget may bind the run. A sub-workflow counts for the workflows that have called it, which the database knows. */
function isBound({ segment, budgetScopes }: RunContext, budgets: readonly RunBudget[]): boolean {
  const { hasOrganization, workflowIds } = budgetScopes;
  if (budgets.length > 0 || hasOrganization) return true;
  if (workflowIds.length === 0) return false;
  return segment.childDepth > 0 || (segment.workflowId !== null && workflowIds.includes(segment.workflowId));
}

interface BudgetDeps {
  readonly db: Sql;
  readonly clock: Clock;
  readonly worker: { readonly workerId: string };
  readonly tools: { readonly maxOutputTokens: number };
}

/** The part of an attempt's work that a wait belongs to. */
interface BudgetWork {
  readonly signal: AbortSignal;
  pauseTimeout(): () => void;
  /** Notes the budget before which the execution may ask people. */
  noteLimit(limit: ReachedLimit): void;
}

interface Work {
  readonly work: BudgetWork;
  readonly kind: string;
  /** Why the execution cannot ask people; null when it can. */
  readonly silence: string | null;
}

/** The budgets that bind one attempt. */
export class AttemptBudget {
  readonly #deps: BudgetDeps;
  readonly #user: BudgetUser;
  readonly #work: BudgetWork;
  readonly #kind: string;
  readonly #silence: string | null;
  #isReleased: boolean;

  constructor(deps: BudgetDeps, user: BudgetUser, { work, kind, silence }: Work) {
    this.#deps = deps;
    this.#user = user;
    this.#work = work;
    this.#kind = kind;
    this.#silence = silence;
    this.#isReleased = user.attempt === 1;
  }

  /**
   * Reserves the most that a call of a model may take.
   * @returns ends the reservation with the credits that were used, in millicredits
   * @throws NodeError `budget_exceeded`
   */
  reserveCall(request: ModelRequest): Promise<(usedMc: number) => Promise<void>> {
    const { credentialId, maxOutputTokens } = request;
    const call = {
      credentialId,
      maxOutputTokens,
      inputTokens: credentialId === null ? countInput(request) : 0,
    };
    return this.#reserve('model', computeWorstCase(this.#kind, call, this.#deps.tools));
  }

  /** As `reserveCall`, for searches of knowledge bases. */
  reserveSearch({ knowledgeBaseIds }: Pick<KnowledgeRequest, 'knowledgeBaseIds'>) {
    return this.#reserve('search', SEARCH_MC * knowledgeBaseIds.length);
  }

  /** Counts a change, as NodeCall.spend. */
  async countChange(door: string): Promise<void> {
    await this.#reserve(door, 0);
  }

  async #reserve(door: string, creditsMc: number): Promise<(usedMc: number) => Promise<void>> {
    const use = { reservationId: randomUUID(), door, creditsMc };
    const resume = this.#work.pauseTimeout();
    try {
      await this.#releaseEarlier();
      await this.#take(use);
    } finally {
      resume();
    }
    if (creditsMc === 0) return () => Promise.resolve();
    return (usedMc) => this.#outlast(() => settleBudget(this.#deps.db, use.reservationId, usedMc));
  }

  /** Takes a use, and waits while only calls under way stand in its way. */
  async #take(use: BudgetUse): Promise<void> {
    const { db, clock } = this.#deps;
    const untilMs = clock.monotonic() + MAX_WAIT_MS;
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
      this.#work.signal.throwIfAborted();
      const refusal = await this.#outlast(() => reserveBudget(db, this.#user, use));
      if (refusal === null) return;
      const fitsLater = refusal.reserved > 0 && refusal.used + use.creditsMc <= refusal.most;
      if (!fitsLater || clock.monotonic() > untilMs) throw this.#refuse({ refusal, use });
      await sleep(clock, waitMs);
    }
  }

  #refuse(limit: ReachedLimit): NodeError {
    if (limit.refusal.on_limit === 'ask' && this.#silence === null) this.#work.noteLimit(limit);
    return buildExceeded(limit, this.#silence);
  }

  async #releaseEarlier(): Promise<void> {
    if (this.#isReleased) return;
    await this.#outlast(() => releaseEarlierAttempts(this.#deps.db, this.#user));
    this.#isReleased = true;
  }

  #outlast<Result>(work: () => Promise<Result>): Promise<Result> {
    return outlastOutage({ clock: this.#deps.clock, signal: this.#work.signal }, work);
  }
}

/** Finds the budgets that bind an attempt; null: none. */
export function findBudget(
  deps: BudgetDeps,
  { context, execution }: { readonly context: RunContext; readonly execution: NodeExecution },
  work: BudgetWork,
): AttemptBudget | null {
  const budgets = listRunBudgets(context);
  if (!isBound(context, budgets)) return null;
  const { stepId, attempt, node } = execution;
  const { runPk } = context.segment;
  const user = { runPk, stepId, attempt, workerId: deps.worker.workerId, budgets };
  return new AttemptBudget(deps, user, {
    work,
    kind: node.type,
    silence: explainSilence(context, execution),
  });
}

/**
 * Counts changes that a folded node makes, in the transaction of its advance if it has one. An advance that is repeated counts each once
 * more only when its key differs.
 */
export function createFoldedSpend(
  context: RunContext,
  { node, visit, item }: NodeExecution,
): NodeCall<unknown>['spend'] {
  const budgets = listRunBudgets(context);
  const { segment, sql } = context;
  return async (door, key = '') => {
    if (!isBound(context, budgets)) return;
    const name = `budget:${segment.rootRunPk}:${node.id}:${visit}:${item?.index ?? -1}:${door}:${key}`;
    const use = { reservationId: deriveUuid(name), door, creditsMc: 0 };
    const user = { runPk: segment.runPk, stepId: null, attempt: 1, workerId: null, budgets };
    const refusal = await reserveBudget(sql, user, use);
    if (refusal !== null)
      throw buildExceeded({ refusal, use }, 'a node that asks people cannot wait for another question');
  };
}
