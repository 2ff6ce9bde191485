/** The command `evaluate`, and the gate of `workflows deploy --evaluate`: how definitions do on the cases of a saved set. */
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError, type Command } from 'commander';
import type { Body, Reply } from '../client/client.ts';
import { readInputs } from './definition-files.ts';
import { CommandError, EXIT } from './exit.ts';
import type { Session, Sessions } from './session.ts';
import { findSet } from './set-commands.ts';

/** Between two looks at the progress. */
const LOOK_MS = 500;
/** Trials that are printed of those that have not passed. */
const MAX_PRINTED = 20;
/** Characters of a value in a line. */
const MAX_SHOWN = 120;

type Evaluation = Reply<'getEvaluation'>;
type Trial = Reply<'listEvaluationTrials'>['trials'][number];

export interface EvaluateOptions {
  readonly trials?: number;
  readonly maxCredits?: number;
  readonly graders?: string;
}

/** Reads a share from 0 to 1. @throws InvalidArgumentError */
export function readShare(text: string): number {
  const share = Number(text);
  if (text.trim() === '' || !(share >= 0 && share <= 1))
    throw new InvalidArgumentError('It must be a number from 0 to 1.');
  return share;
}

function readCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 0) throw new InvalidArgumentError('It must be a whole number.');
  return count;
}

/** Adds the options of an evaluation to a command. */
export const addEvaluateOptions = (command: Command): Command =>
  command
    .option('--trials <count>', 'how often each case is tried, 1 to 10', readCount)
    .option('--max-credits <count>', 'credits that all runs and judges may use together', readCount)
    .option('--graders <json>', 'graders as JSON, @file, or - for stdin (default: the output is equal)');

async function awaitEnd({ client, screen, isJson }: Session, evaluationId: string): Promise<Evaluation> {
  for (;;) {
    const evaluation = await client.evaluations.get(evaluationId);
    const { status, done, total } = evaluation;
    if (!isJson) screen.progress(`${done} of ${total} trials `);
    if (status === 'completed' || status === 'cancelled') return evaluation;
    await sleep(LOOK_MS);
  }
}

function cut(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
}

const percent = (share: number | null): string => (share === null ? '-' : `${(100 * share).toFixed(1)} %`);

/** Says why a trial has not passed. */
function describeTrial({ name, number, run_pk: runPk, input, verdict, doubt, grades, error }: Trial): string {
  const which = name !== null && name !== '' ? name : runPk !== null ? `run ${runPk}` : cut(input);
  const reasons = grades.flatMap(({ passed, reason }) =>
    passed === true || reason === null ? [] : [reason],
  );
  const message = typeof error?.['message'] === 'string' ? [error['message']] : [];
  const why = [...(doubt === null ? [] : [doubt]), ...reasons, ...message].join('; ');
  return `${verdict === 'failed' ? 'failed' : 'cannot tell'}  ${number}  ${which}${why === '' ? '' : `: ${why}`}`;
}

async function printTrials({ client, screen }: Session, { id, results }: Evaluation): Promise<void> {
  const total = results.reduce((sum, { failed, cannot_tell: untold }) => sum + failed + untold, 0);
  if (total === 0) return;
  screen.line('');
  let printed = 0;
  for (const verdict of ['failed', 'cannot_tell'] as const)
    for await (const trial of client.evaluations.trials(id, { verdict, limit: 100 })) {
      if (printed === MAX_PRINTED) {
        screen.line(`  … ${total - printed} more`);
        return;
      }
      const definition = results.length === 1 ? '' : `${results[trial.definition]?.definition ?? ''}  `;
      screen.line(`  ${definition}${describeTrial(trial)}`);
      printed += 1;
    }
}

/** Evaluates definitions on a set, waits, and prints how they do. @throws CommandError when it is cancelled; WorkflowApiError */
async function evaluate(
  session: Session,
  set: string,
  { definitions, trials, maxCredits, graders }: EvaluateOptions & { readonly definitions: readonly string[] },
): Promise<Evaluation> {
  const { client, screen, isJson } = session;
  const given: unknown = graders === undefined ? [{ kind: 'equal' }] : await readInputs(graders);
  const made = await client.evaluations.create({
    set: await findSet(session, set),
    definitions: [...definitions],
    graders: given as Body<'createEvaluation'>['graders'],
    ...(trials === undefined ? {} : { trials }),
    ...(maxCredits === undefined ? {} : { max_credits: maxCredits }),
  });
  const evaluation = await awaitEnd(session, made.id);
  if (!isJson) {
    if (screen.isLive) screen.line('');
    for (const one of evaluation.results) {
      const { definition, passed, done, pass_rate: rate, interval, credits, p50_ms: p50, p95_ms: p95 } = one;
      const range = interval === null ? '' : ` (95 %: ${percent(interval.low)} to ${percent(interval.high)})`;
      const times =
        p50 === null || p95 === null ? '' : `, p50 ${Math.round(p50)} ms, p95 ${Math.round(p95)} ms`;
      screen.line(
        `${definition}: ${passed} of ${done} passed, ${percent(rate)}${range}, ${credits} credits${times}`,
      );
    }
    await printTrials(session, evaluation);
  }
  if (evaluation.status === 'cancelled') throw new CommandError('The evaluation was cancelled', EXIT.stopped);
  return evaluation;
}

/** @throws CommandError when a definition passes less often than it must */
function requireRate({ results }: Evaluation, atLeast: number): void {
  for (const { definition, pass_rate: rate } of results)
    if (rate === null || rate < atLeast)
      throw new CommandError(`${definition} passes ${percent(rate)}, less than ${percent(atLeast)}`);
}

/**
 * Lets a draft be deployed only if it passes.
 * @returns the evaluation, and the hash of the definition that was evaluated
 * @throws CommandError as evaluate and requireRate, and for a set of another workflow
 */
export async function requirePassing(
  session: Session,
  workflowId: string,
  { set, atLeast, ...options }: EvaluateOptions & { readonly set: string; readonly atLeast: number },
): Promise<{ readonly evaluation: Evaluation; readonly hash: string }> {
  const { workflow_id: of } = await session.client.evaluationSets.get(await findSet(session, set));
  if (of !== workflowId) throw new CommandError('The set is of another workflow', EXIT.usage);
  const evaluation = await evaluate(session, set, { ...options, definitions: ['draft'] });
  requireRate(evaluation, atLeast);
  const [draft] = evaluation.results;
  if (draft === undefined) throw new CommandError('The evaluation has no result');
  return { evaluation, hash: draft.definition_hash };
}

export function addEvaluate(program: Command, sessions: Sessions): void {
  const command = program
    .command('evaluate')
    .description(
      'Try the cases of a saved set in the draft and grade the outputs; nothing outside is changed',
    )
    .argument('<set>', 'name or ID')
    .option('--definitions <which...>', 'draft, live, or IDs or versions of deployments, up to 3', ['draft'])
    .option('--at-least <share>', 'fail unless this share passes, 0 to 1', readShare);
  addEvaluateOptions(command).action(
    async (
      set: string,
      options: EvaluateOptions & { definitions: string[]; atLeast?: number },
      self: Command,
    ) => {
      const session = await sessions.open(self);
      const evaluation = await evaluate(session, set, options);
      if (session.isJson) session.screen.json(evaluation);
      if (options.atLeast !== undefined) requireRate(evaluation, options.atLeast);
    },
  );
}
