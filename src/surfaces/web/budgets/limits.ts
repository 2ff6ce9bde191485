/** The limits of a budget as rows: each with its name, what is used of it, and its most. */
import type { Reply } from '../../client/operations.ts';
import { budgetWords } from '../words-budgets.ts';

export type Budget = Reply<'listBudgets'>['budgets'][number];
export type LimitName = keyof typeof budgetWords.limits;

export const LIMIT_NAMES = Object.keys(budgetWords.limits) as LimitName[];
const isDoor = (name: LimitName): name is Exclude<LimitName, 'credits' | 'model_calls'> =>
  name !== 'credits' && name !== 'model_calls';

export interface LimitRow {
  readonly name: LimitName;
  readonly used: number;
  readonly reserved: number;
  /** Null: no limit. */
  readonly limit: number | null;
}

/** Reads one limit of a budget. */
export function readLimit(budget: Budget, name: LimitName): number | null {
  if (isDoor(name)) return budget.max_effects?.[name] ?? null;
  return (name === 'credits' ? budget.max_credits : budget.max_model_calls) ?? null;
}

/** Lists the limits that are set; credits and calls of a budget without any, which only counts. */
export function listLimits(budget: Budget): LimitRow[] {
  const { used } = budget;
  const rows = LIMIT_NAMES.map((name): LimitRow => {
    if (isDoor(name))
      return { name, used: used.effects[name] ?? 0, reserved: 0, limit: readLimit(budget, name) };
    const isCredits = name === 'credits';
    return {
      name,
      used: isCredits ? used.credits : used.model_calls,
      reserved: isCredits ? used.reserved_credits : 0,
      limit: readLimit(budget, name),
    };
  });
  const limited = rows.filter(({ limit }) => limit !== null);
  return limited.length > 0 ? limited : rows.slice(0, 2);
}

/** The body of a change: a limit that is missing in `limits` is taken away. */
export const toBody = (limits: Readonly<Partial<Record<LimitName, number>>>) => ({
  max_credits: limits.credits ?? null,
  max_model_calls: limits.model_calls ?? null,
  max_effects: Object.fromEntries(LIMIT_NAMES.filter(isDoor).map((door) => [door, limits[door] ?? null])),
});
