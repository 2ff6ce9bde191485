/** The effect rules of organizations and what has a budget in them, kept per worker: no node reads them for itself. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../base/clock.ts';
import type { Sql } from '../../../base/db/client.ts';
import { parseEffectRules, type EffectRule } from '../../../language/nodes/effect-rules.ts';
import { readOrganizationRules, type BudgetScopes } from '../ledger/read/organization-rules.ts';

/** The longest time in which a changed rule or a first budget does not hold yet for an effect of a run. */
const MAX_AGE_MS = 5_000;
/** Organizations with runs in this process; those of a dropped one are read again. */
const KEPT = 5_000;

interface Rules {
  readonly effectRules: readonly EffectRule[];
  readonly budgetScopes: BudgetScopes;
}

export class KeptRules {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #kept = new LRUCache<string, { readonly rules: Rules; readonly readAtMs: number }>({ max: KEPT });

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /**
   * Returns the rules as they were at most MAX_AGE_MS ago.
   * @param sql the caller's transaction, if it has one: whoever waits for a second connection of the pool may wait for himself
   */
  async get(sql: Sql, organizationId: string): Promise<Rules> {
    const nowMs = this.#clock.monotonic();
    const known = this.#kept.get(organizationId);
    if (known !== undefined && nowMs - known.readAtMs < MAX_AGE_MS) return known.rules;
    const { effectRules, ...budgetScopes } = await readOrganizationRules(sql, organizationId);
    const rules = { effectRules: parseEffectRules(effectRules), budgetScopes };
    this.#kept.set(organizationId, { rules, readAtMs: nowMs });
    return rules;
  }
}
