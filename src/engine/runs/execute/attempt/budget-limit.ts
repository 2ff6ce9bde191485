/**
 * Runs that reach a budget with `on_limit: ask`: the execution pauses before its call, and people raise the budget for this run or
 * stop it (SPEC API-budgets). Nothing is reserved and nothing has left by then.
 */
import {
  describeRefusal,
  raiseBudget,
  type BudgetRaise,
  type BudgetRefusal,
  type BudgetUse,
} from '../../../../platform/billing/budgets.ts';
import { MILLICREDITS } from '../../../../platform/billing/plans.ts';
import type { Sql } from '../../../../base/db/client.ts';
import { MAX_LIMIT } from '../../../../language/graph/definition/limits.ts';
import { ownValue, type JsonObject } from '../../../../language/graph/values/value.ts';
import { NodeError, type Question } from '../../../../language/nodes/kind.ts';
import type { InterruptRow } from '../../ledger/questions/questions.ts';
import type { RunContext, RunScope } from '../context.ts';
import type { NodeExecution } from '../../walk/context.ts';
import { concludeFailure, type Conclusion } from '../../walk/conclusion.ts';
import { canPause, type Pause } from './pause.ts';

/** A budget that has no place for a use. */
export interface ReachedLimit {
  readonly refusal: BudgetRefusal;
  readonly use: BudgetUse;
}

const ACTIONS = [
  { id: 'raise', label: 'Raise it for this run' },
  { id: 'stop', label: 'Stop' },
] as const;

/** Those who may change a budget. */
const ADMINISTRATORS = { roles: ['owner', 'admin'], user_ids: [] };

/** Tells why an execution cannot ask; null when it can. */
export function explainSilence(
  context: Pick<RunContext, 'segment'>,
  execution: NodeExecution,
): string | null {
  if (canPause(context, execution)) return null;
  if (execution.toolCall !== undefined) return 'a tool call of an agent cannot wait for people';
  return execution.item === null
    ? 'an ephemeral run cannot wait for people'
    : 'an item of a list cannot wait for people';
}

/** Builds the failure of a use beyond a budget. @param silence why nobody is asked, where the budget says so */
export function buildExceeded({ refusal, use }: ReachedLimit, silence: string | null): NodeError {
  const said = refusal.on_limit === 'ask' && silence !== null ? `. Nobody is asked: ${silence}` : '';
  return new NodeError('budget_exceeded', `${describeRefusal(refusal, use)}${said}`);
}

const toUnit = ({ kind }: Pick<BudgetRefusal, 'kind'>): number => (kind === 'credits' ? MILLICREDITS : 1);

/** The field with the amount: at least as much as the call needs, and as much again as the limit when nothing is said. */
function buildForm({ refusal, use }: ReachedLimit): JsonObject {
  const { kind, used, most } = refusal;
  const unit = toUnit(refusal);
  const needed = kind === 'credits' ? Math.max(1, used + use.creditsMc - most) / unit : 1;
  return {
    type: 'object',
    properties: {
      raise_by: {
        type: kind === 'credits' ? 'number' : 'integer',
        title: 'Raise by',
        description: `Added to the limit of ${most / unit} for this run and its sub-workflows`,
        minimum: needed,
        maximum: MAX_LIMIT,
        default: Math.min(MAX_LIMIT, Math.max(most / unit, Math.ceil(needed))),
      },
    },
  };
}

/** Builds the pause of an execution before the use that a budget has no place for. */
export function buildBudgetPause(limit: ReachedLimit): Pause {
  const { refusal, use } = limit;
  const { scope, subject, period, starts, kind, used, reserved, most, assignees } = refusal;
  const unit = toUnit(refusal);
  const reason = describeRefusal(refusal, use);
  const question: Question = {
    kind: 'budget_limit',
    title: `Raise the budget of the ${scope}?`,
    message: `${reason}. Raise it for this run, or stop: the limit of others stays`,
    payload: {
      scope,
      subject,
      period,
      starts,
      kind,
      door: use.door,
      used: used / unit,
      reserved: reserved / unit,
      limit: most / unit,
      reason,
      next: kind === 'credits' ? use.creditsMc / unit : 1,
    },
    form: buildForm(limit),
    actions: ACTIONS,
    assignees: assignees ?? ADMINISTRATORS,
    timeoutSeconds: null,
    onTimeout: 'fail',
    defaultResponse: null,
  };
  // Asking is all that the attempt was for.
  return { question, ended: { status: 'succeeded', error: null } };
}

/** @returns how the execution ends; null: the budget is raised, and the call is made now */
export function settleBudgetLimit(scope: RunScope, { response, question }: InterruptRow): Conclusion | null {
  if (response?.action === 'raise') return null;
  const { reason } = question.payload as { readonly reason: string };
  return concludeFailure(
    scope,
    new NodeError('budget_exceeded', `${reason}. A person has stopped the run here`),
    0,
  );
}

/** Raises the budget by what the answer says, or else by what its form proposes, in the transaction that takes the answer. */
export async function raiseAsAnswered(sql: Sql, row: InterruptRow): Promise<void> {
  const about = row.question.payload as Omit<BudgetRaise, 'amount'>;
  const proposed = (row.question.form as { properties: { raise_by: { default: number } } }).properties
    .raise_by;
  const given = ownValue(row.response?.data ?? null, 'raise_by');
  const amount = Math.round((typeof given === 'number' ? given : proposed.default) * toUnit(about));
  await raiseBudget(sql, { interruptId: row.id, runPk: row.run_pk }, { ...about, amount });
}
