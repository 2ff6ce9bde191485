/** The places in which two forms of a workflow differ, and how two values are shown. */
import { formatPointer } from '../../language/graph/values/pointer.ts';
import { ownValue, sameJson, type Json } from '../../language/graph/values/value.ts';
import type { FileForm } from './file-form.ts';
import { jsonText } from './screen.ts';

/** A place with its value on both sides; undefined where there is none. */
export interface Difference {
  /** JSON pointer; elements of lists are matched and named by id. */
  readonly place: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** Lists the places in which two forms differ, by place. */
export function listDifferences(before: FileForm, after: FileForm): Difference[] {
  const found: Difference[] = [];
  const visit = (path: readonly string[], was: Json | undefined, is: Json | undefined): void => {
    if (sameJson(was, is)) return;
    const keys = listKeys(was, is);
    if (keys === null) found.push({ place: formatPointer(path), before: was, after: is });
    else for (const key of keys) visit([...path, key], readKey(was, key), readKey(is, key));
  };
  visit([], before, after);
  return found.toSorted((one, other) => (one.place < other.place ? -1 : 1));
}

/** The names under which two containers are compared; null when they cannot be. */
function listKeys(was: Json | undefined, is: Json | undefined): ReadonlySet<string> | null {
  if (typeof was !== 'object' || typeof is !== 'object' || was === null || is === null) return null;
  if (Array.isArray(was) !== Array.isArray(is)) return null;
  const keys = [was, is].flatMap((value) =>
    Array.isArray(value) ? value.map((item, index) => readId(item) ?? String(index)) : Object.keys(value),
  );
  return new Set(keys);
}

const readId = (item: Json): string | null => {
  const id = ownValue(item, 'id');
  return typeof id === 'string' ? id : null;
};

function readKey(value: Json | undefined, key: string): Json | undefined {
  if (!Array.isArray(value)) return ownValue(value, key);
  return value.find((item, index) => (readId(item) ?? String(index)) === key);
}

/** Characters of a value on one line, and of them before the first that differs. */
const SHOWN = 72;
const BEFORE = 24;

const toText = (value: Json | undefined): string => (value === undefined ? '(none)' : jsonText(value));

/** @returns both values in one line each; long ones are cut around the first character that differs */
export function showValues(one: Json | undefined, other: Json | undefined): readonly [string, string] {
  const texts = [toText(one), toText(other)] as const;
  let same = 0;
  while (same < texts[0].length && texts[0][same] === texts[1][same]) same += 1;
  const from = texts.some(({ length }) => length > SHOWN) ? Math.max(0, same - BEFORE) : 0;
  const cut = (text: string): string => {
    const end = text.length > from + SHOWN ? '…' : '';
    return `${from > 0 ? '…' : ''}${text.slice(from, from + SHOWN)}${end}`;
  };
  return [cut(texts[0]), cut(texts[1])];
}

/** @returns the first differences with their values: `/name "A" → "B", … 2 more` */
export function summarizeDifferences(before: FileForm, after: FileForm): string {
  const isChanged = (one: Difference): boolean => one.before !== undefined && one.after !== undefined;
  const all = listDifferences(before, after);
  // Changed fields say more than nodes and edges that came or went.
  const [changed, other] = [all.filter(isChanged), all.filter((one) => !isChanged(one))];
  const shown = [...changed, ...other].slice(0, 3).map(showDifference);
  return [...shown, ...(all.length > 3 ? [`… ${all.length - 3} more`] : [])].join(', ');
}

/** @returns a difference in one line: `/name "A" → "B"` */
export function showDifference({ place, before, after }: Difference): string {
  return `${place} ${showValues(before, after).join(' → ')}`;
}
