/** Compares the walk of a run in its own definition with that in another one: what would have gone otherwise. */
import { findDifferingPointers } from '../../../language/graph/definition/diff.ts';
import { sameJson, type Json } from '../../../language/graph/values/value.ts';
import type { Plan } from '../../../language/graph/schedule/plan.ts';
import { toPlaceKey, type RecordedRun } from './record.ts';
import type { Finding, Walk, WalkedStep } from './walked.ts';

/** The verdicts on one run; the first that holds is given. */
export const VERDICTS = [
  /** The record does not tell. */
  'cannot_tell',
  /** It would fail, where it did not. */
  'fails',
  /** It would send another request that changes something. */
  'sends_other',
  /** It would send something of which nothing is recorded. */
  'new_effect',
  /** It would take another edge. */
  'branches',
  /** It would end with another output. */
  'other_output',
  /** The same edges, effects and output. */
  'same',
] as const;
type Verdict = (typeof VERDICTS)[number];

/** Why the record does not tell. */
type Doubt =
  /** The inputs and outputs of the run were deleted. */
  | 'values_deleted'
  /** The definition of the run is no longer stored. */
  | 'definition_not_kept'
  /** The record is larger than what is walked in memory. */
  | 'too_large'
  /** The walk took longer than it may. */
  | 'too_long'
  /** The walk failed; the log has the cause. */
  | 'not_walked'
  /** The walk of the run's own definition is not the run: work of it depends on more than its record. */
  | 'not_reproduced'
  /** The run was cancelled, or a branch waits. */
  | 'not_ended'
  /** A search, a model or an agent would be asked something else. */
  | 'asks_other'
  /** An answer would be read in another way. */
  | 'reads_other'
  /** The recorded answer of a person does not fit. */
  | 'answer_not_accepted';

/** One difference, in the order of the walk. */
interface Difference {
  readonly kind: Finding['kind'] | 'fails' | 'branches' | 'output';
  readonly nodeId: string | null;
  readonly visit: number;
  readonly itemIndex: number;
  readonly before: Json;
  readonly after: Json;
  /** JSON pointers into both. */
  readonly places: readonly string[];
}

export interface RehearsedRun {
  readonly verdict: Verdict;
  readonly doubt: Doubt | null;
  readonly differences: readonly Difference[];
  /** The first node, in the order of the walk, whose output is another one; what follows may follow from it. */
  readonly firstChange: {
    readonly nodeId: string;
    readonly visit: number;
    /** Its outputs. */
    readonly before: Json;
    readonly after: Json;
    readonly places: readonly string[];
  } | null;
}

/** Pointers of one difference. */
const MAX_PLACES = 20;
/** Differences that are kept of one run. */
const MAX_DIFFERENCES = 50;

/** The executions of a walk by place. */
const byPlace = ({ steps }: Walk): ReadonlyMap<string, WalkedStep> =>
  new Map(steps.map((step) => [toPlaceKey(step.nodeId, { ...step, itemIndex: -1 }), step]));

/** Tells whether a walk of the run's own definition took the edges that the record has. */
function isReproduced(before: ReadonlyMap<string, WalkedStep>, record: RecordedRun): boolean {
  return record.steps.every(
    (step) =>
      step.itemIndex >= 0 ||
      step.taken === null ||
      step.status === 'skipped' ||
      sameJson(before.get(toPlaceKey(step.nodeId, step))?.taken as Json, step.taken as Json),
  );
}

/** Compares two walks of one record. @param plans of the two definitions */
export function compareWalks(
  record: RecordedRun,
  [before, after]: readonly [Walk, Walk],
  plans: readonly [Plan, Plan],
): RehearsedRun {
  if (before.end === 'open') return doubtful('not_ended');
  const left = byPlace(before);
  if (!isReproduced(left, record)) return doubtful('not_reproduced');
  const firstChange = findFirstChange(left, after);
  const found = after.findings.map((finding): Difference => ({
    ...finding,
    before: quote(finding.before),
    after: quote(finding.after),
    places: listPlaces(finding),
  }));
  const branches = listBranches(left, after, plans);
  const failure = listFailure(before, after);
  const isOutputSame =
    after.end !== 'completed' || before.end !== 'completed' || sameJson(before.output, after.output);
  const output = isOutputSame ? [] : [describeOutput(before.output, after.output)];
  const differences = [...found, ...branches, ...failure, ...output].slice(0, MAX_DIFFERENCES);
  const all = { differences, firstChange };
  const has = (kind: Difference['kind']): boolean => found.some((one) => one.kind === kind);
  // Another request is sure, also where the walk could not go on behind it.
  if (failure.length > 0) return { verdict: 'fails', doubt: null, ...all };
  if (has('sends')) return { verdict: 'sends_other', doubt: null, ...all };
  if (has('new_effect')) return { verdict: 'new_effect', doubt: null, ...all };
  if (has('asks')) return { ...doubtful('asks_other', differences), firstChange };
  if (has('answer')) return { ...doubtful('answer_not_accepted', differences), firstChange };
  if (has('reads')) return { ...doubtful('reads_other', differences), firstChange };
  if (branches.length > 0) return { verdict: 'branches', doubt: null, ...all };
  if (after.end === 'open') return { ...doubtful('not_ended', differences), firstChange };
  return { verdict: output.length > 0 ? 'other_output' : 'same', doubt: null, ...all };
}

/** The verdict on a run whose record does not tell. */
export const doubtful = (doubt: Doubt, differences: readonly Difference[] = []): RehearsedRun => ({
  verdict: 'cannot_tell',
  doubt,
  differences,
  firstChange: null,
});

/** Bytes of a request or an output beyond which a difference has its places alone. */
const MAX_SHOWN = 8_192;

/** Cuts what a difference quotes. */
const quote = (value: Json): Json => (JSON.stringify(value).length > MAX_SHOWN ? null : value);

const listPlaces = ({ before, after }: { readonly before: Json; readonly after: Json }): string[] =>
  findDifferingPointers(before, after, MAX_PLACES);

const describeOutput = (before: Json, after: Json): Difference => ({
  kind: 'output',
  nodeId: null,
  visit: 0,
  itemIndex: -1,
  before: quote(before),
  after: quote(after),
  places: listPlaces({ before, after }),
});

function listFailure(before: Walk, after: Walk): Difference[] {
  if (after.end !== 'failed' || sameFailure(before, after)) return [];
  const { code = '', message = '', nodeId = null } = after.error ?? {};
  const was = before.error === null ? null : { code: before.error.code, message: before.error.message };
  const kind = 'fails' as const;
  return [{ kind, nodeId, visit: 0, itemIndex: -1, before: was, after: { code, message }, places: [] }];
}

const sameFailure = (before: Walk, after: Walk): boolean =>
  before.end === 'failed' &&
  before.error?.code === after.error?.code &&
  before.error?.nodeId === after.error?.nodeId;

/** Lists the executions of nodes of both definitions that left otherwise, came to be, or are gone. */
function listBranches(
  left: ReadonlyMap<string, WalkedStep>,
  after: Walk,
  plans: readonly [Plan, Plan],
): Difference[] {
  const [own, other] = plans.map(({ nodes }) => new Set(nodes.map(({ id }) => id)));
  const right = byPlace(after);
  const differences: Difference[] = [];
  for (const place of new Set([...left.keys(), ...right.keys()])) {
    const [was, is] = [left.get(place), right.get(place)];
    const step = is ?? was;
    if (step === undefined || !own?.has(step.nodeId) || !other?.has(step.nodeId)) continue;
    // Behind a branch that ended unknown, nothing is said.
    if (is === undefined && after.end === 'open') continue;
    const [from, to] = [describeWay(was), describeWay(is)];
    if (sameJson(from, to)) continue;
    const { nodeId, visit } = step;
    differences.push({ kind: 'branches', nodeId, visit, itemIndex: -1, before: from, after: to, places: [] });
  }
  return differences;
}

/** The handle by which an execution left; null: there was none. */
const describeWay = (step: WalkedStep | undefined): Json =>
  step === undefined ? null : { status: step.status, handle: step.handle };

function findFirstChange(left: ReadonlyMap<string, WalkedStep>, after: Walk): RehearsedRun['firstChange'] {
  for (const { nodeId, visit, output } of after.steps) {
    const was = left.get(toPlaceKey(nodeId, { visit, itemIndex: -1 }))?.output;
    if (was === undefined || sameJson(was, output)) continue;
    const places = listPlaces({ before: was, after: output });
    return { nodeId, visit, before: quote(was), after: quote(output), places };
  }
  return null;
}
