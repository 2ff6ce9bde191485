/** Writes the record of a run, or one of its steps, as JSON while reading it from the database. */
import type { Scope } from '../../../platform/access/caller.ts';
import { readUsage } from '../../../platform/billing/usage.ts';
import type { Config } from '../../../base/config/config.ts';
import { findPublicOrigin } from '../../../base/config/public-origin.ts';
import type { Sql } from '../../../base/db/client.ts';
import { notFound } from '../../../base/errors.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { FairSemaphore } from '../../../base/shares/fair-semaphore.ts';
import { buildCallbackUrl } from '../accept/callback-address.ts';
import type { CallbackPlace } from '../ledger/questions/callback-answers.ts';
import { readChildWaits } from '../ledger/write/child-runs.ts';
import { requireRun } from '../ledger/read/require-objects.ts';
import { toReader } from '../ledger/read/run-reads.ts';
import {
  chooseValues,
  MAX_RECORD_VALUES_BYTES,
  readQuestions,
  readQuestionSizes,
  readRecord,
  readRunValue,
  readStateSizes,
  readStateValues,
  readSteps,
  readStepSizes,
  type StateSize,
  type StepSize,
} from '../ledger/read/run-record.ts';
import { countSteps, readOutlines, type StepOutlineRow } from '../ledger/read/run-outline.ts';
import { bindShares, writeList, writeShared, type TakeShare } from '../ledger/questions/answer-pages.ts';
import {
  presentOutline,
  presentQuestion,
  presentRecordHead,
  presentRecordSums,
  presentRecordTail,
  presentStep,
} from './present.ts';

export interface RecordDeps {
  readonly db: Sql;
  /** Bytes of answers in progress, by organization. */
  readonly answers: FairSemaphore;
  readonly config: Pick<Config, 'appUrl' | 'auth' | 'host' | 'port'>;
}

/** Binds the addresses of callbacks to the organization of a reader. */
export function bindCallbackUrl(
  { config }: Pick<RecordDeps, 'config'>,
  { organizationId }: Pick<Scope, 'organizationId'>,
): (place: Omit<CallbackPlace, 'organizationId'>) => string {
  const key = { secret: config.auth.apiKeySecret, origin: findPublicOrigin(config) };
  return (place) => buildCallbackUrl(key, { ...place, organizationId });
}

/** Bytes of an outline as JSON, about, and the most outlines that are read at once. */
const OUTLINE_BYTES = 300;
const OUTLINE_PAGE = 5_000;

/** Returns the fields of an object as JSON, without the braces. */
const innerJson = (object: JsonObject): string => JSON.stringify(object).slice(1, -1);

interface RecordRequest {
  readonly runPk: string;
  /** Steps of a run with more are written as outlines. */
  readonly maxSteps?: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Writes the record of a run. Values are read page by page within the organization's share, and without a transaction, which
 * would hold a connection while a client reads. Pages of a running run may be of different moments.
 * @throws ApiError 404 for a run that the caller may not see
 */
export async function* writeRecord(
  deps: RecordDeps,
  scope: Scope,
  { runPk, maxSteps, signal }: RecordRequest,
): AsyncGenerator<string> {
  const { db, answers } = deps;
  const run = await readRecord(db, toReader(scope), runPk);
  if (run === null) throw notFound('Workflow run', 'run');
  const count = maxSteps === undefined ? 0 : await countSteps(db, run.id);
  const isOutlined = maxSteps !== undefined && count > maxSteps;
  const take = bindShares(answers, scope.organizationId, signal);
  yield `{${innerJson(presentRecordHead(run))},"input":`;
  yield* writeShared(run.input_bytes, take, () => readRunValue(db, runPk, 'input'));
  yield ',"output":';
  yield* writeShared(run.output_bytes, take, () => readRunValue(db, runPk, 'output'));
  yield ',"state":{';
  const state = isOutlined ? [] : await readStateSizes(db, run.root_run_pk);
  const shown = chooseState(state);
  yield* writeList(shown, take, async (page) => {
    const values = await readStateValues(db, run.root_run_pk, page);
    const found = new Map(values.map(({ name, value }) => [name, value]));
    return page.map(({ name }) => `${JSON.stringify(name)}:${found.get(name) ?? 'null'}`);
  });
  yield `},${innerJson(presentRecordSums(run, await readUsage(db, run.id)))},"steps":[`;
  let isTruncated = shown.length < state.length;
  const steps = isOutlined ? [] : chooseValues(await readStepSizes(db, run.id));
  yield* writeList(steps, take, async (page) => {
    const rows = await readSteps(db, run.id, { page });
    isTruncated ||= rows.some((row) => row.input_truncated || row.output_truncated);
    return rows.map((row) => JSON.stringify(presentStep(row)));
  });
  if (isOutlined) {
    yield '],"outline":[';
    yield* writeOutlines(db, { runPk: run.id, count }, take);
  }
  yield '],"interrupts":[';
  yield* writeList(await readQuestionSizes(db, run.root_run_pk), take, async (page) => {
    const ids = page.map(({ id }) => id);
    const rows = await readQuestions(db, run.root_run_pk, ids);
    return rows.map((row) => JSON.stringify(presentQuestion(row, bindCallbackUrl(deps, scope))));
  });
  const { organizationId } = scope;
  const ref = { organizationId, rootRunPk: run.root_run_pk };
  const waits = run.status === 'running' ? await readChildWaits(db, ref) : [];
  yield `],${innerJson(presentRecordTail(run, { waits, truncated: isTruncated }))}}`;
}

/** @param count of the steps when the record was begun: those that a running run adds meanwhile are not in it */
async function* writeOutlines(
  db: Sql,
  { runPk, count }: { readonly runPk: string; readonly count: number },
  take: TakeShare,
): AsyncGenerator<string> {
  let after: StepOutlineRow | null = null;
  for (let written = 0; written < count; written += OUTLINE_PAGE) {
    const limit = Math.min(OUTLINE_PAGE, count - written);
    yield* writeShared(limit * OUTLINE_BYTES, take, async () => {
      const rows: StepOutlineRow[] = await readOutlines(db, runPk, { after, limit });
      const comma = after === null || rows.length === 0 ? '' : ',';
      after = rows.at(-1) ?? after;
      return comma + rows.map((row) => JSON.stringify(presentOutline(row))).join(',');
    });
  }
}

/** Leaves out the largest values of a state that is too large for a record, so that most values are shown. */
function chooseState(state: readonly StateSize[]): StateSize[] {
  let total = 0;
  const shown = new Set(
    state
      .toSorted((a, b) => a.bytes - b.bytes)
      .filter(({ bytes }) => {
        total += bytes;
        return total <= MAX_RECORD_VALUES_BYTES;
      }),
  );
  return state.filter((value) => shown.has(value));
}

/** As `writeRecord`, by the run_id that a start or resume has answered. @throws ApiError 404 */
export async function* writeRecordByRunId(
  deps: RecordDeps,
  scope: Scope,
  { runId, signal }: { readonly runId: string; readonly signal: AbortSignal },
): AsyncGenerator<string> {
  const run = await requireRun(deps.db, scope, runId);
  yield* writeRecord(deps, scope, { runPk: run.runPk, signal });
}

/** Writes one step with its full values. @throws ApiError 404 */
export async function* writeStepRecord(
  { db, answers }: RecordDeps,
  scope: Scope,
  {
    runPk,
    stepId,
    signal,
  }: { readonly runPk: string; readonly stepId: string; readonly signal: AbortSignal },
): AsyncGenerator<string> {
  const run = await readRecord(db, toReader(scope), runPk);
  const [size] = run === null ? [] : await readStepSizes(db, run.id, stepId);
  if (size === undefined) throw notFound('Step');
  const bytes = sumBytes(size);
  const take = bindShares(answers, scope.organizationId, signal);
  yield* writeShared(bytes, take, async () => {
    const page = [{ stepId, withInput: true, withOutput: true, bytes }];
    const [row] = await readSteps(db, runPk, { page, maxValueBytes: MAX_VALUE_BYTES });
    if (row === undefined) throw notFound('Step');
    return JSON.stringify(presentStep(row));
  });
}

/** The largest int4: no limit. */
const MAX_VALUE_BYTES = 2_147_483_647;
const sumBytes = ({ inputBytes, outputBytes, otherBytes }: StepSize): number =>
  inputBytes + outputBytes + otherBytes;
