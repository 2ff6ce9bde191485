/** The filters of the list of runs as they stand in its address. */
import { isUuid } from '../../../base/uuid.ts';
import {
  PERIODS,
  omitUndefined,
  readChoice,
  readValidText,
  readTime,
  toTimeQuery,
  type TimeSearch,
} from '../kit/list-search.ts';

export const RUN_STATUSES = ['running', 'interrupted', 'succeeded', 'failed', 'cancelled'] as const;
export const RUN_TRIGGERS = ['api', 'schedule', 'webhook', 'chat', 'error', 'workflow'] as const;

export interface RunSearch extends TimeSearch {
  readonly workflow?: string | undefined;
  readonly status?: (typeof RUN_STATUSES)[number] | undefined;
  readonly trigger?: (typeof RUN_TRIGGERS)[number] | undefined;
  /** The user_id of a person. */
  readonly by?: string | undefined;
  readonly q?: string | undefined;
}

/** Reads the filters of an address and leaves out those that the API would refuse. */
export const parseRunSearch = (search: Readonly<Record<string, unknown>>): RunSearch =>
  omitUndefined({
    workflow: readValidText(search, 'workflow', isUuid),
    status: readChoice(search, 'status', RUN_STATUSES),
    trigger: readChoice(search, 'trigger', RUN_TRIGGERS),
    by: readValidText(search, 'by', isUuid),
    ...readTime(search, PERIODS),
    q: readValidText(search, 'q', (text) => text.trim() !== '')?.slice(0, 200),
  });

/** Writes the filters as the query of `GET /workflow-runs`. */
export function toRunQuery({ workflow, status, trigger, by, q, ...time }: RunSearch, nowMs: number) {
  return {
    ...(workflow === undefined ? {} : { workflow_id: workflow }),
    ...(status === undefined ? {} : { status }),
    ...(trigger === undefined ? {} : { trigger_type: trigger }),
    ...(by === undefined ? {} : { created_by: by }),
    ...toTimeQuery(time, nowMs),
    ...(q === undefined ? {} : { q }),
  };
}
