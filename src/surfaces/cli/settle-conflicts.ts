/** Asks whose value each conflict of a file gets. */
import type { Finding } from './definition-files.ts';
import { showValues } from './differences.ts';
import { CommandError, EXIT } from './exit.ts';
import type { FormConflict, Side } from './file-merge.ts';
import type { Session } from './session.ts';

type Option = { readonly value: string; readonly label: string };

/** @returns the chosen value; null to leave the file as it is @throws CommandError after Ctrl-C */
async function choose(
  { screen }: Session,
  question: string,
  options: readonly Option[],
): Promise<string | null> {
  const later = { value: 'later', label: 'Decide later: the file stays as it is' };
  const chosen = await screen.choose(question, [...options, later]);
  if (chosen === null) throw new CommandError('Cancelled', EXIT.stopped);
  return chosen === 'later' ? null : chosen;
}

/** Whether a person can be asked. */
const canAsk = ({ screen, isJson }: Session): boolean => screen.canAsk && !isJson;

const formatLine = ({ file, line }: Finding): string => `${file}${line === null ? '' : `:${line}`}`;

/**
 * Asks about one conflict after the other, with both values.
 * @returns the sides in the order of the conflicts; null without a terminal, and when the person decides later
 * @throws CommandError after Ctrl-C
 */
export async function askSides(
  session: Session,
  {
    title,
    conflicts,
    findings,
  }: {
    readonly title: string;
    readonly conflicts: readonly FormConflict[];
    /** Of the conflicts, in their order. */
    readonly findings: readonly Finding[];
  },
): Promise<readonly Side[] | null> {
  if (!canAsk(session)) return null;
  const sides: Side[] = [];
  for (const [index, { place, ours, theirs }] of conflicts.entries()) {
    const [mine, other] = showValues(ours, theirs);
    const left = conflicts.length - index - 1;
    const [where = ''] = findings.slice(index, index + 1).map(formatLine);
    session.screen.line(`${where}: ${place} was changed here and in ${title}`);
    const question = `Whose value? ${index + 1} of ${conflicts.length}`;
    const all = (side: string): string => `${side}, also for the other ${left}`;
    const chosen = await choose(session, question, [
      { value: 'ours', label: `Yours: ${mine}` },
      { value: 'theirs', label: `${title}: ${other}` },
      ...(left === 0
        ? []
        : [
            { value: 'all ours', label: all('Yours') },
            { value: 'all theirs', label: all(title) },
          ]),
    ]);
    if (chosen === null) return null;
    const side = chosen.endsWith('ours') ? 'ours' : 'theirs';
    sides.push(side);
    if (chosen.startsWith('all')) return [...sides, ...Array.from({ length: left }, () => side)];
  }
  return sides;
}

/** Asks which of two versions a file gets as a whole. @returns null as `askSides` @throws CommandError after Ctrl-C */
export async function askSide(
  session: Session,
  { title, findings }: { readonly title: string; readonly findings: readonly Finding[] },
): Promise<Side | null> {
  if (!canAsk(session)) return null;
  for (const one of findings) session.screen.line(`${formatLine(one)}: ${one.message}`);
  const chosen = await choose(session, 'Which version?', [
    { value: 'ours', label: 'Yours: the file stays, and the next push overwrites the service' },
    { value: 'theirs', label: `${title}: the file is overwritten` },
  ]);
  return chosen as Side | null;
}
