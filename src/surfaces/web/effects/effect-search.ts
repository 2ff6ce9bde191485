/** The filters of the ledger of effects as they stand in its address. */
import { isUuid } from '../../../base/uuid.ts';
import {
  PERIODS,
  omitUndefined,
  readChoice,
  readValidText,
  readTime,
  toTimeQuery,
  type RecentPeriod,
  type TimeSearch,
} from '../kit/list-search.ts';

export const DOORS = ['http', 'mcp', 'table', 'message'] as const;
export const CLASSES = ['at_most_once', 'idempotent', 'at_least_once'] as const;
export const OUTCOMES = ['done', 'refused', 'not_sent', 'unknown', 'settled', 'given_up'] as const;
type EffectPeriod = RecentPeriod | 'all';
export const EFFECT_PERIODS: readonly EffectPeriod[] = [...PERIODS, 'all'];

export interface EffectSearch extends TimeSearch<EffectPeriod> {
  readonly host?: string | undefined;
  readonly door?: (typeof DOORS)[number] | undefined;
  readonly credential?: string | undefined;
  readonly workflow?: string | undefined;
  /** The run_pk of a run. */
  readonly run?: string | undefined;
  /** The user_id of the person who started the run. */
  readonly by?: string | undefined;
  readonly class?: (typeof CLASSES)[number] | undefined;
  readonly outcome?: (typeof OUTCOMES)[number] | undefined;
}

/** Reads the filters of an address and leaves out those that the API would refuse. */
export function parseEffectSearch(search: Readonly<Record<string, unknown>>): EffectSearch {
  const { period, from, to } = readTime(search, EFFECT_PERIODS);
  return omitUndefined({
    host: readValidText(search, 'host', (text) => text.trim() !== '')
      ?.trim()
      .slice(0, 300),
    door: readChoice(search, 'door', DOORS),
    credential: readValidText(search, 'credential', isUuid),
    workflow: readValidText(search, 'workflow', isUuid),
    run: readValidText(search, 'run', isUuid),
    by: readValidText(search, 'by', isUuid),
    class: readChoice(search, 'class', CLASSES),
    outcome: readChoice(search, 'outcome', OUTCOMES),
    period: period === findUsual({}) ? undefined : period,
    from,
    to,
  });
}

/** The period without one in the address: of one run, all that it did. */
export const findUsual = ({ run }: Pick<EffectSearch, 'run'>): EffectPeriod =>
  run === undefined ? 'week' : 'all';

/** Writes the filters as the query of `GET /effects`. */
export function toEffectQuery(search: EffectSearch, nowMs: number) {
  const { host, door, credential, workflow, run, by, class: effect, outcome, from, to } = search;
  const hasRange = from !== undefined || to !== undefined;
  const period = search.period ?? (hasRange ? 'all' : findUsual(search));
  return {
    ...(host === undefined ? {} : { host: host.toLowerCase() }),
    ...(door === undefined ? {} : { door }),
    ...(credential === undefined ? {} : { credential_id: credential }),
    ...(workflow === undefined ? {} : { workflow_id: workflow }),
    ...(run === undefined ? {} : { run_pk: run }),
    ...(by === undefined ? {} : { created_by: by }),
    ...(effect === undefined ? {} : { effect }),
    ...(outcome === undefined ? {} : { outcome }),
    ...toTimeQuery({ period: period === 'all' ? undefined : period, from, to }, nowMs),
  };
}
