/** The command `workflows rehearse`, and `deploy --rehearse`: what the draft would have done with recorded runs. Nothing is sent. */
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { WorkflowApiError, type Reply } from '../client/client.ts';
import { CommandError } from './exit.ts';
import type { Session, Sessions } from './session.ts';

/** Between two looks at the progress. */
const LOOK_MS = 500;

/** Each verdict in words, the most serious first. */
const WORDS: Readonly<Record<string, string>> = {
  fails: 'would fail',
  sends_other: 'would send something else',
  new_effect: 'would send something new',
  branches: 'would take another branch',
  other_output: 'would end with another output',
  cannot_tell: 'cannot be told',
  same: 'go the same way',
};

/** Verdicts with which a required rehearsal passes. */
const PASSES: Readonly<Record<string, readonly string[]>> = {
  same: ['same'],
  'no-failures': Object.keys(WORDS).filter((verdict) => verdict !== 'fails'),
};

type Rehearsal = Reply<'getRehearsal'>;
type Group = Rehearsal['groups'][number];

function readLast(text: string): number {
  const last = Number(text);
  if (!Number.isInteger(last) || last < 1 || last > 500)
    throw new InvalidArgumentError('It must be 1 to 500.');
  return last;
}

async function awaitEnd({ client, screen, isJson }: Session, rehearsalId: string): Promise<Rehearsal> {
  for (;;) {
    const rehearsal = await client.rehearsals.get(rehearsalId);
    const { status, walked, total } = rehearsal;
    if (!isJson) screen.progress(`${walked} of ${total} runs `);
    if (status === 'completed' || status === 'cancelled') return rehearsal;
    await sleep(LOOK_MS);
  }
}

/** Says where a group differs first. */
function describeGroup({
  verdict,
  doubt,
  runs,
  run_pk: runPk,
  differences,
  first_change: change,
}: Group): string {
  const [difference] = differences;
  const node = difference?.node_id ?? change?.node_id ?? null;
  const places = (difference?.places.length ?? 0) > 0 ? difference?.places : change?.places;
  const parts = [
    `${runs} ${WORDS[verdict] ?? verdict}`,
    ...(doubt === null ? [] : [`(${doubt})`]),
    ...(node === null ? [] : [`at ${node}`]),
    ...(change === null || change.node_id === node ? [] : [`because of ${change.node_id}`]),
    ...(places === undefined || places.length === 0 ? [] : [`in ${places.slice(0, 3).join(', ')}`]),
    `, such as run ${runPk}`,
  ];
  return parts.join(' ').replace(' ,', ',');
}

interface Options {
  readonly last: number;
  readonly live?: boolean;
  readonly deployment?: string;
  readonly require?: string;
  readonly status?: 'succeeded' | 'failed';
  readonly since?: string;
  readonly until?: string;
  readonly of?: string;
  readonly runs?: readonly string[];
}

/** Walks runs again, with progress, and tells what would go otherwise. @throws CommandError when it was cancelled; WorkflowApiError */
async function walkRuns(session: Session, workflowId: string, options: Options): Promise<Rehearsal> {
  const { client, screen, isJson } = session;
  const { last, live, deployment, status: ran, since, until, of, runs } = options;
  const made = await client.rehearsals.create(workflowId, {
    definition: deployment ?? (live === true ? 'live' : 'draft'),
    runs: {
      last,
      ...(ran === undefined ? {} : { status: ran }),
      ...(since === undefined ? {} : { from: since }),
      ...(until === undefined ? {} : { to: until }),
      ...(of === undefined ? {} : { deployment_id: of }),
      ...(runs === undefined ? {} : { run_pks: [...runs] }),
    },
  });
  const rehearsal = await awaitEnd(session, made.id);
  if (!isJson) tellResult(screen, rehearsal);
  return rehearsal;
}

function tellResult(screen: Session['screen'], { counts, groups, total }: Rehearsal): void {
  if (screen.isLive) screen.line('');
  screen.line(`${total} ${total === 1 ? 'run' : 'runs'} rehearsed; nothing was sent`);
  for (const [verdict, words] of Object.entries(WORDS))
    if (counts[verdict] !== undefined) screen.line(`  ${String(counts[verdict]).padStart(4)}  ${words}`);
  const others = groups.filter(({ verdict }) => verdict !== 'same');
  if (others.length > 0) screen.line('');
  for (const group of others) screen.line(`  ${describeGroup(group)}`);
}

/** @throws CommandError unless it is over, and all its runs meet what is required */
function requirePass({ counts, status }: Rehearsal, { require }: Pick<Options, 'require'>): void {
  if (status === 'cancelled') throw new CommandError('The rehearsal was cancelled');
  const passes = PASSES[require ?? ''];
  if (passes !== undefined && Object.keys(counts).some((verdict) => !passes.includes(verdict)))
    throw new CommandError(`Not all runs meet --require ${require}`);
}

const hasNoRuns = (error: unknown): boolean =>
  error instanceof WorkflowApiError && error.code === 'nothing_to_rehearse';

/**
 * Rehearses the draft that is about to be deployed.
 * @returns null where the workflow has no run yet, so that all of them meet what is required
 * @throws CommandError unless its runs meet what is required; with the result on the screen
 */
export async function rehearseDraft(
  session: Session,
  workflowId: string,
  options: Pick<Options, 'last' | 'require'>,
): Promise<Rehearsal | null> {
  const { screen, isJson } = session;
  let rehearsal: Rehearsal;
  try {
    rehearsal = await walkRuns(session, workflowId, options);
  } catch (error) {
    if (!hasNoRuns(error)) throw error;
    screen.note('There is no run to rehearse');
    return null;
  }
  try {
    requirePass(rehearsal, options);
  } catch (error) {
    if (isJson) screen.json(rehearsal);
    throw error;
  }
  return rehearsal;
}

async function rehearse(session: Session, workflowId: string, options: Options): Promise<void> {
  const rehearsal = await walkRuns(session, workflowId, options);
  if (session.isJson) session.screen.json(rehearsal);
  requirePass(rehearsal, options);
}

const createLast = (): Option =>
  new Option('--last <count>', 'number of runs to rehearse, 1 to 500').argParser(readLast).default(200);
const createRequire = (): Option =>
  new Option('--require <what>', 'fail unless all runs are the same, or none fails').choices(
    Object.keys(PASSES),
  );

/** Adds the options of a deployment that is rehearsed before. */
export const addRehearseOptions = (deploy: Command): Command =>
  deploy
    .option('--rehearse', 'first walk the newest runs in the draft, and deploy what was rehearsed')
    .addOption(createRequire().implies({ rehearse: true }))
    .addOption(createLast());

export function addRehearse(workflows: Command, sessions: Sessions): void {
  workflows
    .command('rehearse')
    .description(
      'Walk the newest runs again in the draft, and tell what it would do otherwise; nothing is sent',
    )
    .argument('<workflow_id>')
    .addOption(createLast())
    .option('--runs <run_pk...>', 'these runs, up to 500, in place of the newest')
    .addOption(new Option('--status <status>', 'only runs in this status').choices(['succeeded', 'failed']))
    .option('--since <time>', 'only runs created at or after this ISO 8601 time')
    .option('--until <time>', 'only runs created before this ISO 8601 time')
    .option('--of <deployment_id>', 'only runs of this deployment')
    .option('--live', 'walk them in the live version instead')
    .addOption(
      new Option(
        '--deployment <which>',
        'walk them in the deployment with this id or version instead',
      ).conflicts('live'),
    )
    .addOption(createRequire())
    .action(async (id: string, options: Options, command: Command) =>
      rehearse(await sessions.open(command), id, options),
    );
}
