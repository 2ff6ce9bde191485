/**
 * The rate of the work that operations take, of each organization in this process. The limits of connections count operations, of
 * which one may take a thousand times the work of another, and a rejected one as much as an accepted one.
 */
import { BoundedMap } from '../../../language/graph/values/bounded-map.ts';
import { OPERATION_WORK, type WorkBudget } from '../../../language/graph/values/work-budget.ts';
import type { Clock } from './ports.ts';
import type { Reduction } from './reduction.ts';
import type { Rejection } from './rejection.ts';
import { RATE_LIMIT_PAUSE_MS } from './room-rate.ts';
import { TokenBucket } from './token-bucket.ts';

/**
 * Steps: at most half of a process, and the largest operation at once. A thousand drags a second in a definition of 2,000 nodes, as
 * fifty people make, take less than half of it.
 */
export const WORK_RATE = { perSecond: 10_000_000, burst: OPERATION_WORK.total } as const;
/** Organizations remembered; one that is forgotten has its whole burst again. */
const MAX_REMEMBERED = 10_000;

/** Counts work that is done already, and never refuses it. */
type Meter = Pick<WorkBudget, 'spend'>;

export class WorkRates {
  readonly #buckets = new BoundedMap<string, TokenBucket>(MAX_REMEMBERED);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns a rejection while the organization has taken more work than its rate allows */
  check(organizationId: string): Rejection | null {
    return this.#buckets.get(organizationId)?.isEmpty === true
      ? { code: 'RATE_LIMITED', details: { retryAfterMs: RATE_LIMIT_PAUSE_MS } }
      : null;
  }

  /**
   * Counts the work of an operation that was reduced; one that was rejected for its work has taken all that it may.
   * @returns the meter of the organization, for what else the operation takes
   */
  charge(organizationId: string, work: WorkBudget, reduction: Reduction): Meter {
    const meter = this.#findMeter(organizationId);
    const isOverWork = reduction.outcome === 'rejected' && reduction.code === 'PAYLOAD_TOO_LARGE';
    meter.spend(isOverWork ? OPERATION_WORK.total : work.spent);
    return meter;
  }

  #findMeter(organizationId: string): Meter {
    const { perSecond, burst } = WORK_RATE;
    const bucket =
      this.#buckets.get(organizationId) ?? new TokenBucket(perSecond, burst, () => this.#clock.monotonic());
    this.#buckets.set(organizationId, bucket);
    return bucket;
  }
}
