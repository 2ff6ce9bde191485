/** A run with all its segments: to a person, a run that was answered is the same run. */
import type { WorkflowClient } from '../../client/client.ts';
import type { Run, RunStep } from '../../client/openapi.ts';
import { listSteps, MAX_WHOLE_STEPS, type ListedStep } from './listed-step.ts';
import type { Period } from './time-scale.ts';

/** A step, and the segment that it is read from. */
export interface JoinedStep extends ListedStep {
  readonly run_pk: string;
  /** All of it; null in a run of many steps: it is read when it is opened. */
  readonly whole: RunStep | null;
}

export interface JoinedRun {
  /** In order; the last one is the run as it is now. */
  readonly segments: readonly Run[];
  readonly first: Run;
  readonly newest: Run;
  readonly steps: readonly JoinedStep[];
  readonly credits: number;
}

/** A worker begins a run within a second; after this time without a step, none is there. */
export const NO_WORKER_MS = 5_000;

/** Whether no worker has begun the newest segment although it was accepted a while ago, or its worker has stopped. */
export function isUnattended({ newest }: Pick<JoinedRun, 'newest'>, nowMs: number): boolean {
  const { status, started_at: startedAt, outline, steps, waits_for_worker: isWaiting } = newest;
  if (status !== 'running') return false;
  const hasBegun = (outline ?? steps).length > 0;
  return isWaiting || (!hasBegun && nowMs - Date.parse(startedAt) >= NO_WORKER_MS);
}

const OPEN_STEPS: readonly string[] = ['interrupted', 'running'];

const makeKey = ({ node_id: node, visit, item_index: item, iteration, parent_step_id: parent }: ListedStep) =>
  JSON.stringify([node, visit, item, iteration, parent === null]);

/** Joins segments. A step that waited in one segment and ended in a later one is one step, from its first start. */
export function joinSegments(segments: readonly [Run, ...Run[]]): JoinedRun {
  const steps: JoinedStep[] = [];
  const waiting = new Map<string, number>();
  /** The step that took the place of an earlier one, by the earlier one's id. */
  const successors = new Map<string, string>();
  for (const segment of segments) {
    const { id: run_pk } = segment;
    for (const { listed: step, whole } of listSteps(segment)) {
      // Without a step that waits no key is made: for 10,000 steps they would take as long as the rest.
      const place = waiting.size === 0 ? undefined : waiting.get(makeKey(step));
      const before = place === undefined ? undefined : steps[place];
      const index = place ?? steps.length;
      if (before === undefined) steps.push({ ...step, run_pk, whole });
      else {
        successors.set(before.step_id, step.step_id);
        steps[index] = { ...step, run_pk, whole, ...measureFrom(before, step) };
      }
      if (OPEN_STEPS.includes(step.status)) waiting.set(makeKey(step), index);
      else if (place !== undefined) waiting.delete(makeKey(step));
    }
  }
  const [first] = segments;
  return {
    segments,
    first,
    newest: segments.at(-1) ?? first,
    steps: steps.map((step) => {
      const parent = step.parent_step_id === null ? undefined : successors.get(step.parent_step_id);
      return parent === undefined ? step : { ...step, parent_step_id: parent };
    }),
    credits: segments.reduce((sum, { credits }) => sum + Math.round(credits.charged * 1_000), 0) / 1_000,
  };
}

/** The times of a step that began in an earlier segment. */
function measureFrom(before: ListedStep, step: ListedStep): Pick<ListedStep, 'started_at' | 'duration_ms'> {
  const { started_at: start } = before;
  const { completed_at: end } = step;
  return {
    started_at: start ?? step.started_at,
    duration_ms: start === null || end === null ? step.duration_ms : Date.parse(end) - Date.parse(start),
  };
}

/** A segment that was answered stays interrupted: the run goes on in the next one. */
export const isWaiting = ({ status, resumed_by_run_ids: next }: Run): boolean =>
  status === 'interrupted' && next.length === 0;
export const isOpen = (run: Run): boolean => run.status === 'running' || isWaiting(run);

/** Lists the periods in which the run waited for an answer: from the end of a segment to the start of the next, or to now. */
export function listWaits({ segments }: Pick<JoinedRun, 'segments'>, nowMs: number): Period[] {
  return segments.flatMap((segment, index): Period[] => {
    const next = segments[index + 1];
    if (segment.completed_at === null || (next === undefined && !isWaiting(segment))) return [];
    const to = next === undefined ? nowMs : Date.parse(next.started_at);
    return [{ from: Date.parse(segment.completed_at), to }];
  });
}

async function findRow(client: WorkflowClient, runId: string) {
  const { runs } = await client.runs.list({ run_id: runId }).page();
  const [row] = runs;
  if (row === undefined) throw new Error(`run ${runId} is not in the history`);
  return row;
}

/** Reads one segment; a run of many steps without their values. */
export const readRecord = (client: WorkflowClient, runPk: string): Promise<Run> =>
  client.request('GET', '/workflow-runs/{run_pk}', {
    path: { run_pk: runPk },
    query: { max_steps: MAX_WHOLE_STEPS },
  });

async function readLater(client: WorkflowClient, { resumed_by_run_ids: ids }: Run): Promise<readonly Run[]> {
  const next = ids.at(-1);
  if (next === undefined) return [];
  const run = await readRecord(client, (await findRow(client, next)).id);
  return [run, ...(await readLater(client, run))];
}

async function readEarlier(client: WorkflowClient, run: Run): Promise<readonly Run[]> {
  if (run.resumed_from_run_id === null) return [];
  const { earlier_segments: earlier } = await findRow(client, run.run_id);
  return Promise.all(earlier.map(({ id }) => readRecord(client, id)));
}

/**
 * Reads all segments of the run that `runPk` is a segment of.
 * @param known segments of an earlier read: only the last of these may have changed
 */
export async function readSegments(
  client: WorkflowClient,
  runPk: string,
  known: readonly Run[],
): Promise<[Run, ...Run[]]> {
  const run = await readRecord(client, known.at(-1)?.id ?? runPk);
  const earlier = known.length > 0 ? known.slice(0, -1) : await readEarlier(client, run);
  const [first = run, ...others] = [...earlier, run, ...(await readLater(client, run))];
  return [first, ...others];
}
