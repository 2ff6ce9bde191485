/** The sentences of rehearsals. */
import type { Reply } from '../client/operations.ts';

export type Rehearsal = Reply<'listRehearsals'>['rehearsals'][number];
type Group = Reply<'getRehearsal'>['groups'][number];
type Verdict = Group['verdict'];
type DifferenceKind = Group['differences'][number]['kind'];

const countRuns = (runs: number): string => (runs === 1 ? '1 run' : `${runs.toLocaleString()} runs`);

/** Verbs of one run and of several; the usual one first, then the most serious. */
const VERBS: Readonly<Record<Verdict, readonly [string, string]>> = {
  same: ['goes the same way', 'go the same way'],
  fails: ['would fail', 'would fail'],
  sends_other: ['would send something else', 'would send something else'],
  new_effect: ['would send something new', 'would send something new'],
  branches: ['branches elsewhere', 'branch elsewhere'],
  other_output: ['ends with another output', 'end with another output'],
  cannot_tell: ['cannot be told', 'cannot be told'],
};

const verb = (verdict: Verdict, runs: number): string => VERBS[verdict][runs === 1 ? 0 : 1];

/** Joins the parts of a sentence: "a", "a and b", "a, b, and c". */
const join = (parts: readonly string[]): string =>
  parts.length < 3 ? parts.join(' and ') : `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`;

/** Says in one sentence how many runs would go which way. */
export function summarize(counts: Rehearsal['counts']): string {
  const found = (Object.keys(VERBS) as Verdict[]).flatMap((verdict) => {
    const runs = counts[verdict] ?? 0;
    return runs === 0 ? [] : [{ verdict, runs }];
  });
  const all = found.reduce((sum, { runs }) => sum + runs, 0);
  const [only] = found;
  if (only === undefined) return 'No run was rehearsed.';
  if (found.length === 1)
    return `${all === 1 ? 'The run' : `All ${all.toLocaleString()} runs`} ${verb(only.verdict, all)}.`;
  const parts = found.map(({ verdict, runs }) => `${runs.toLocaleString()} ${verb(verdict, runs)}`);
  return `Of ${countRuns(all)}, ${join(parts)}.`;
}

export const rehearsalWords = {
  title: 'Rehearsals',
  of: (workflow: string) => `Rehearsals: ${workflow}`,
  one: (workflow: string) => `Rehearsal: ${workflow}`,
  section: 'Rehearsal',
  why: 'Walks the last 200 runs, or those that you choose, in this draft and compares. Nothing is sent, and nothing is charged.',
  rehearse: 'Rehearse',
  again: 'Rehearse again',
  inDraft: 'Rehearse in the draft',
  oneWhy: 'Tells what the draft would do with this run. Nothing is sent.',
  openPage: 'Open the result',
  all: 'All rehearsals',
  noneTitle: 'No rehearsals yet',
  noneText:
    'A rehearsal walks past runs in the draft and tells which of them would go otherwise, and why. Nothing is sent.',
  started: 'Started',
  by: 'By',
  definition: 'Definition',
  walkedIn: (source: string) =>
    source === 'draft' ? 'Draft' : source === 'live' ? 'Live version' : 'Another version',
  result: 'Result',
  progress: (walked: number, total: number) => `${walked.toLocaleString()} of ${countRuns(total)}`,
  progressLabel: 'Rehearsed runs',
  cancel: 'Cancel',
  cancelled: (walked: number, total: number) =>
    `Cancelled after ${walked.toLocaleString()} of ${countRuns(total)}.`,
  otherDraft: 'The draft has changed since this rehearsal.',
  differences: 'Differences',
  mostGroups: 'Only the 100 largest groups are listed.',
  group: (verdict: Verdict, runs: number) => `${countRuns(runs)} ${verb(verdict, runs)}`,
  at: (node: string) => `at ${node}`,
  because: (node: string) => `because of ${node}`,
  verdicts: {
    fails: 'Fails',
    sends_other: 'Sends otherwise',
    new_effect: 'Sends more',
    branches: 'Branches',
    other_output: 'Output',
    cannot_tell: 'Unknown',
    same: 'Same',
  } satisfies Record<Verdict, string>,
  doubts: {
    not_reproduced: 'These runs depend on more than their record.',
    not_ended: 'The run was cancelled, or a branch of it waits.',
    asks_other:
      'A search, a model or a reading request would be asked something else. Its answer is unknown.',
    reads_other: 'The answer to the same request would be read in another way.',
    answer_not_accepted: 'The recorded answer of a person does not fit any more.',
    values_deleted: 'Their values were deleted.',
    definition_not_kept: 'Their version is no longer stored.',
    too_large: 'Their record is too large.',
    too_long: 'The walk took too long.',
    not_walked: 'An internal error occurred.',
  } as Readonly<Record<string, string>>,
  firstChange: (node: string) => `First change: output of ${node}`,
  kinds: {
    sends: 'sends something else',
    asks: 'asks something else',
    new_effect: 'sends something new',
    reads: 'reads the answer in another way',
    answer: 'does not accept the recorded answer',
    fails: 'fails',
    branches: 'leaves by another branch',
    output: 'Output of the run',
  } satisfies Record<DifferenceKind, string>,
  run: 'The run',
  visit: (visit: number) => `, execution ${visit}`,
  item: (index: number) => `, item ${index + 1}`,
  /** Of a difference. */
  sides: ['Run', 'Rehearsal'],
  follows: (count: number) => `What follows: ${count === 1 ? '1 difference' : `${count} differences`}`,
  notReached: 'Not reached',
  wentOn: 'Goes on',
  failed: 'Failed',
  nothingSent: 'Nothing was sent.',
  notShown: 'Too large to show, or not shown.',
  runs: 'Runs with these differences',
  runAt: (at: string) => `Run of ${at}`,
} as const;

/** The form that chooses the runs. */
export const choiceWords = {
  title: 'Choose the runs',
  last: 'Newest runs',
  status: 'Status',
  any: 'Any',
  statuses: [
    { value: 'succeeded', label: 'Succeeded' },
    { value: 'failed', label: 'Failed' },
  ],
  version: 'Version',
  live: (version: string) => `${version} (live)`,
  from: 'Started from',
  to: 'Started before',
  names: 'Only these runs',
  namesWhy: 'History IDs, or links of runs. Up to 500.',
} as const;
