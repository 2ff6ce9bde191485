/** The differences of a walked case, in words. */
import type { RehearsedRun } from '../../engine/runs/rehearse/compare-walks.ts';
import { ownValue, isObject, type Json } from '../../language/graph/values/value.ts';
import type { WalkedCase } from './case-walk.ts';

type Difference = RehearsedRun['differences'][number];

const VERDICTS: Readonly<Record<RehearsedRun['verdict'], string>> = {
  same: 'the same',
  other_output: 'ends with another output',
  branches: 'branches elsewhere',
  new_effect: 'sends something new',
  sends_other: 'sends something else',
  fails: 'fails',
  cannot_tell: 'cannot tell',
};

const DOUBTS: Readonly<Record<NonNullable<RehearsedRun['doubt']>, string>> = {
  values_deleted: 'the values of the run were deleted',
  definition_not_kept: 'the definition of the run is not kept',
  too_large: 'the record is too large',
  too_long: 'the walk took too long',
  not_walked: 'the walk failed',
  not_reproduced: 'the record does not say all that the run depended on, such as redacted values',
  not_ended: 'the run had not ended, or a branch waits',
  asks_other: 'something else is asked, and nobody knows the answer',
  reads_other: 'an answer is read in another way',
  answer_not_accepted: 'the answer of a person does not fit any more',
};

/** @returns the verdict, and its reason if there is one */
export const describeVerdict = ({ verdict, doubt }: RehearsedRun): string =>
  doubt === null ? VERDICTS[verdict] : `${VERDICTS[verdict]}: ${DOUBTS[doubt]}`;

/** Characters of a value that are shown. */
const SHOWN = 60;
/** Places of a difference that are shown with their values. */
const PLACES = 3;

const cut = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
const read = (value: Json, pointer: string): Json | undefined =>
  pointer
    .split('/')
    .slice(1)
    .reduce<Json | undefined>(
      (at, key) =>
        at === undefined ? undefined : ownValue(at, key.replaceAll('~1', '/').replaceAll('~0', '~')),
      value,
    );
const show = (value: Json | undefined): string =>
  value === undefined ? 'nothing' : cut(JSON.stringify(value));
const field = (value: Json, name: string): string | null => {
  const found = isObject(value) ? value[name] : null;
  return typeof found === 'string' ? found : null;
};

/** The target of a request, in one line: `POST crm.example`. */
function nameRequest(shown: Json): string {
  const door = field(shown, 'door');
  const target = isObject(shown) ? shown['target'] : null;
  if (!isObject(target)) return 'something';
  const words = Object.values(target).flatMap((value) =>
    typeof value === 'string' && value !== '' ? [value] : [],
  );
  return [...(door === null || door === 'http' ? [] : [door]), ...words].join(' ');
}

function showPlaces({ before, after, places }: Pick<Difference, 'before' | 'after' | 'places'>): string {
  const shown = places.slice(0, PLACES).map((place) => {
    const [was, is] = [read(before, place), read(after, place)];
    return was === undefined && is === undefined
      ? place
      : `${place} is ${show(is)} where it was ${show(was)}`;
  });
  const more = places.length > PLACES ? [`${places.length - PLACES} more`] : [];
  return [...shown, ...more].join('; ');
}

function describeBranch({ before, after, visit }: Difference, node: string, walked: WalkedCase): string {
  const nodeId = node.slice(1, -1);
  const [was, is] = [field(before, 'handle'), field(after, 'handle')];
  if (after === null) return `${node} did not run`;
  if (before === null) return `${node} ran, and did not before`;
  if (was === null || is === null)
    return `${node} ${field(after, 'status') ?? ''} where it ${field(before, 'status') ?? ''}`;
  const { rules } = walked;
  const reason = rules.explain(nodeId, visit, was) ?? rules.explain(nodeId, visit, is);
  return `${node} took \`${is}\` where it took \`${was}\`${reason === null ? '' : ` (${reason})`}`;
}

function describe(difference: Difference, walked: WalkedCase): string {
  const { kind, nodeId, visit, itemIndex, before, after } = difference;
  const node = `\`${nodeId ?? ''}\``;
  const place = `${node}${visit > 1 ? ` (visit ${visit})` : ''}${itemIndex >= 0 ? ` (item ${itemIndex})` : ''}`;
  const places = showPlaces(difference);
  const rest = places === '' ? '' : `: ${places}`;
  switch (kind) {
    case 'branches':
      return describeBranch(difference, node, walked);
    case 'sends':
      return `${place} sends something else to ${nameRequest(after)}${rest}`;
    case 'new_effect':
      return `${place} sends to ${nameRequest(after)}, of which nothing is recorded`;
    case 'asks':
      return `${place} asks something else${rest}`;
    case 'reads':
      return `${place} reads the answer in another way${rest}`;
    case 'answer':
      return `${place} does not accept the answer ${show(before)} any more; it has ${show(after)}`;
    case 'fails': {
      const was = before === null ? '' : `, where it failed as ${field(before, 'code') ?? ''}`;
      const words = `${field(after, 'code') ?? ''}: ${field(after, 'message') ?? ''}${was}`;
      return nodeId === null ? `the run fails as ${words}` : `${place} fails as ${words}`;
    }
    case 'output':
      return `the output differs at ${difference.places.map((one) => one || '/').join(', ')}`;
  }
}

/** Describes the differences of a case, and the first node that made another value. */
export function describeDifferences(walked: WalkedCase): string[] {
  const { differences, firstChange } = walked.found;
  // The output follows from what is said before it.
  const shown = differences.filter(({ kind }) => kind !== 'output' || differences.length === 1);
  const lines = shown.map((difference) => describe(difference, walked));
  const isNamed = differences.some(({ nodeId }) => nodeId === firstChange?.nodeId);
  if (firstChange !== null && !isNamed) {
    const places = firstChange.places.slice(0, PLACES).map((one) => one || '/');
    lines.push(`\`${firstChange.nodeId}\` is the first with another output, at ${places.join(', ')}`);
  }
  return lines.map(walked.restore);
}
