/** The command `runs origin`: where a value of an ended run comes from, back to input, answers, models and responses. */
import { InvalidArgumentError, type Command } from 'commander';
import { parsePointer } from '../../language/graph/values/pointer.ts';
import type { Trace, TracedValue, ValuePlace } from '../../engine/runs/rehearse/trace-value.ts';
import { CommandError } from './exit.ts';
import type { Session, Sessions } from './session.ts';

/** Characters of a value, and of a template, in a line. */
const MAX_SHOWN = 120;
/** Levels of the tree; the same value is shown once. */
const MAX_DEPTH = 20;

const KINDS: Readonly<Record<TracedValue['kind'], string>> = {
  result: 'output of the run',
  request: 'request of',
  input: 'input',
  run: 'fact of the run',
  state: 'state field',
  none: 'not there yet:',
  template: 'made by',
  model: 'answer of the model of',
  response: 'response to',
  answer: 'answer of people to',
  code: 'result of the code of',
  decision: 'decision of',
  check: 'checked text of',
  search: 'result of the search of',
  row: 'row of',
  child: 'result of the workflow called by',
  pinned: 'fixed output of',
  error: 'error of',
};

const cut = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text);

/** Says one value in a line. */
function describeTraced({ kind, nodeId, visit, itemIndex, path, template, value }: TracedValue): string {
  const parts = [
    KINDS[kind],
    ...(nodeId === null ? [] : [nodeId]),
    ...(nodeId !== null && visit > 1 ? [`(execution ${visit})`] : []),
    ...(itemIndex < 0 ? [] : [`(item ${itemIndex})`]),
    ...(path.length === 0 ? [] : [`at /${path.join('/')}`]),
    ...(template === null ? [] : [`from ${cut(template)}`]),
    ...(value === undefined ? [] : [`= ${cut(JSON.stringify(value))}`]),
  ];
  return parts.join(' ');
}

/** Writes a trace as a tree: below each value those that it was made of. */
export function listTrace({ values, isComplete }: Trace): string[] {
  const shown = new Set<number>();
  const lines: string[] = [];
  const add = (position: number, depth: number): void => {
    const traced = values[position];
    if (traced === undefined) return;
    const isRepeated = shown.has(position);
    lines.push(`${'  '.repeat(depth)}${describeTraced(traced)}${isRepeated ? ' (above)' : ''}`);
    shown.add(position);
    if (!isRepeated && depth < MAX_DEPTH) for (const next of traced.from) add(next, depth + 1);
  };
  add(0, 0);
  return isComplete ? lines : [...lines, 'There is more: only the first 200 values are followed'];
}

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

function readPath(text: string): readonly (string | number)[] {
  if (text !== '' && !text.startsWith('/'))
    throw new InvalidArgumentError('It must be a JSON pointer, such as /data/name.');
  return parsePointer(text).map((token) => (INDEX.test(token) ? Number(token) : token));
}

function readNumber(text: string): number {
  if (!INDEX.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

interface Flags {
  readonly node?: string;
  readonly visit: number;
  readonly item?: number;
  readonly request?: boolean;
  readonly path: readonly (string | number)[];
}

async function tellOrigin(session: Session, id: string, flags: Flags): Promise<void> {
  const { client, screen, isJson } = session;
  const [{ readCase, toRecord }, { traceValue }] = await Promise.all([
    import('../../engine/runs/rehearse/case.ts'),
    import('../../engine/runs/rehearse/trace-value.ts'),
  ]);
  const read = readCase(await (await client.runs.handle(id)).case());
  if ('problem' in read) throw new CommandError(`The case of the service cannot be read: ${read.problem}`);
  const place: ValuePlace = {
    of: flags.node === undefined ? 'run' : flags.request === true ? 'request' : 'output',
    nodeId: flags.node ?? null,
    visit: flags.visit,
    itemIndex: flags.item ?? -1,
    path: flags.path,
  };
  const trace = traceValue(read.read.definition, toRecord(read.read), place);
  if (trace.values.length === 0) throw new CommandError('The run has no such execution');
  if (isJson) screen.json(trace);
  else for (const line of listTrace(trace)) screen.line(line);
}

/** Adds `origin` to the command `runs`. */
export function addOrigin(runs: Command, sessions: Sessions): void {
  runs
    .command('origin')
    .description('Tell where a value of an ended run comes from')
    .argument('<run>')
    .option('--node <id>', 'the output of this node (default: the output of the run)')
    .option('--request', 'what the node sent, in place of its output')
    .option('--visit <number>', 'the execution of the node', readNumber, 1)
    .option('--item <index>', 'the item of a mapped node', readNumber)
    .option('--path <pointer>', 'JSON pointer of the value, such as /data/name', readPath, [])
    .action(async (id: string, flags: Flags, command: Command) =>
      tellOrigin(await sessions.open(command), id, flags),
    );
}
