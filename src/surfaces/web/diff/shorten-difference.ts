/** Two long texts, shortened to the part in which they differ. */
import { cutTextStart, shortenText } from '../../../language/graph/values/cut-text.ts';

const MAX_TEXT = 2_000;
/** Characters that stay before the first difference. */
const CONTEXT = 200;

function findFirstDifference(from: string, to: string): number {
  let at = 0;
  while (at < from.length && from[at] === to[at]) at += 1;
  return at;
}

/** Leaves out what two texts have in common at their beginning where one of them is too long to show. */
export function shortenDifference(from: string | null, to: string | null): [string | null, string | null] {
  const isLong = Math.max(from?.length ?? 0, to?.length ?? 0) > MAX_TEXT;
  const at = isLong ? Math.max(0, findFirstDifference(from ?? '', to ?? '') - CONTEXT) : 0;
  const shorten = (text: string | null): string | null =>
    text === null ? null : (at > 0 ? '…' : '') + shortenText(cutTextStart(text, text.length - at), MAX_TEXT);
  return [shorten(from), shorten(to)];
}
