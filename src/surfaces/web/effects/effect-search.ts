/** The filters of the ledger of effects as they stand in its address. */
import { isUuid } from '../../../base/uuid.ts';

export const DOORS = ['http', 'mcp', 'message'] as const;
export const CLASSES = ['at_most_once', 'idempotent', 'at_least_once'] as const;
export const OUTCOMES = ['done', 'refused', 'not_sent', 'unknown', 'settled', 'given_up'] as const;
/** Hours of each period that can be chosen; null: all. */
const HOURS = { hour: 1, day: 24, week: 168, month: 720, all: null } as const;
type EffectPeriod = keyof typeof HOURS;
export const EFFECT_PERIODS = Object.keys(HOURS) as EffectPeriod[];
const USUAL_PERIOD: EffectPeriod = 'week';

export interface EffectSearch {
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
  /** Counted back from now; undefined: the usual one. */
  readonly period?: EffectPeriod | undefined;
}

/** Reads the filters of an address and leaves out those that the API would refuse. */
export function parseEffectSearch(search: Readonly<Record<string, unknown>>): EffectSearch {
  const readId = (name: string): string | undefined => {
    const value = search[name];
    return typeof value === 'string' && isUuid(value) ? value : undefined;
  };
  const readChoice = <Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined =>
    choices.find((choice) => choice === search[name]);
  const host = typeof search['host'] === 'string' ? search['host'].trim().slice(0, 300) : '';
  const period = readChoice('period', EFFECT_PERIODS);
  const found = {
    host: host === '' ? undefined : host,
    door: readChoice('door', DOORS),
    credential: readId('credential'),
    workflow: readId('workflow'),
    run: readId('run'),
    by: readId('by'),
    class: readChoice('class', CLASSES),
    outcome: readChoice('outcome', OUTCOMES),
    period: period === USUAL_PERIOD ? undefined : period,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** The period that is shown: of one run, all that it did. */
export const choosePeriod = ({ period, run }: EffectSearch): EffectPeriod =>
  period ?? (run === undefined ? USUAL_PERIOD : 'all');

/** Writes the filters as the query of `GET /effects`. */
export function toEffectQuery(search: EffectSearch, nowMs: number) {
  const { host, door, credential, workflow, run, by, class: effect, outcome } = search;
  const hours = HOURS[choosePeriod(search)];
  return {
    ...(host === undefined ? {} : { host: host.toLowerCase() }),
    ...(door === undefined ? {} : { door }),
    ...(credential === undefined ? {} : { credential_id: credential }),
    ...(workflow === undefined ? {} : { workflow_id: workflow }),
    ...(run === undefined ? {} : { run_pk: run }),
    ...(by === undefined ? {} : { created_by: by }),
    ...(effect === undefined ? {} : { effect }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(hours === null ? {} : { from: new Date(nowMs - hours * 3_600_000).toISOString() }),
  };
}
