/** The filters of the list of runs as they stand in its address. */
import { isUuid } from '../../../base/uuid.ts';

export const RUN_STATUSES = ['running', 'interrupted', 'succeeded', 'failed', 'cancelled'] as const;
export const RUN_TRIGGERS = ['api', 'schedule', 'webhook', 'chat', 'error', 'workflow'] as const;
/** Hours of each period that can be chosen. */
export const PERIODS = { hour: 1, day: 24, week: 168, month: 720 } as const;

export interface RunSearch {
  readonly workflow?: string | undefined;
  readonly status?: (typeof RUN_STATUSES)[number] | undefined;
  readonly trigger?: (typeof RUN_TRIGGERS)[number] | undefined;
  /** The user_id of a person. */
  readonly by?: string | undefined;
  /** Counted back from now. */
  readonly period?: keyof typeof PERIODS | undefined;
  /** Local date and time, as `datetime-local` writes it; excludes `period`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly q?: string | undefined;
}

const isLocalTime = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) && !Number.isNaN(Date.parse(text));

/** Reads the filters of an address and leaves out those that the API would refuse. */
export function parseRunSearch(search: Readonly<Record<string, unknown>>): RunSearch {
  const readText = (name: string, isValid: (text: string) => boolean): string | undefined => {
    // The router reads a text of digits as a number.
    const value = typeof search[name] === 'number' ? String(search[name]) : search[name];
    return typeof value === 'string' && isValid(value) ? value : undefined;
  };
  const readChoice = <Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined =>
    choices.find((choice) => choice === search[name]);
  const period = readChoice('period', Object.keys(PERIODS) as (keyof typeof PERIODS)[]);
  const found = {
    workflow: readText('workflow', isUuid),
    status: readChoice('status', RUN_STATUSES),
    trigger: readChoice('trigger', RUN_TRIGGERS),
    by: readText('by', isUuid),
    period,
    from: period === undefined ? readText('from', isLocalTime) : undefined,
    to: period === undefined ? readText('to', isLocalTime) : undefined,
    q: readText('q', (text) => text.trim() !== '')?.slice(0, 200),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

const toInstant = (local: string): string => new Date(local).toISOString();

/** Writes the filters as the query of `GET /workflow-runs`. */
export function toRunQuery({ workflow, status, trigger, by, period, from, to, q }: RunSearch, nowMs: number) {
  const since =
    period === undefined ? undefined : new Date(nowMs - PERIODS[period] * 3_600_000).toISOString();
  return {
    ...(workflow === undefined ? {} : { workflow_id: workflow }),
    ...(status === undefined ? {} : { status }),
    ...(trigger === undefined ? {} : { trigger_type: trigger }),
    ...(by === undefined ? {} : { created_by: by }),
    ...(since === undefined ? {} : { from: since }),
    ...(from === undefined ? {} : { from: toInstant(from) }),
    ...(to === undefined ? {} : { to: toInstant(to) }),
    ...(q === undefined ? {} : { q }),
  };
}
