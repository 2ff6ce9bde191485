/** Finds where each page of the run history starts. */
import type { RunListItem } from '../../surfaces/client/openapi.ts';

/** The start of a page. An offset alone would repeat rows whenever new runs move the others down. */
export interface PageStart {
  /** Only runs created before this time. */
  readonly to: string;
  /** Runs of the millisecond before `to` that earlier pages hold. */
  readonly offset: number;
}

/** Finds the start of the page after `runs`; null without a run. */
export function findNextPage(runs: readonly Pick<RunListItem, 'created_at'>[]): PageStart | null {
  const last = runs.at(-1);
  if (last === undefined) return null;
  return {
    to: new Date(Date.parse(last.created_at) + 1).toISOString(),
    offset: runs.filter(({ created_at: at }) => at === last.created_at).length,
  };
}
