/** The commands `run`, `dev` and `runs`. */
import { Option, type Command } from 'commander';
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Body } from '../client/client.ts';
import { isObject, type JsonObject } from '../../language/graph/values/value.ts';
import { isUuid } from '../../base/uuid.ts';
import { addExport } from './case-commands.ts';
import { describeCallbacks, describeLateCalls } from './callbacks.ts';
import { describeResponse } from './describe-response.ts';
import { findProblems, isError, readInput, readInputs, readWorkflowFile } from './definition-files.ts';
import { addFilesTo, createFileOption, type NamedFile } from './file-commands.ts';
import { openEnvironment } from './environments.ts';
import { CommandError, EXIT, formatError } from './exit.ts';
import { answerRun, follow, type AnswerOptions } from './follow.ts';
import { resolveDefinition } from './folder.ts';
import { printFindings } from './push.ts';
import { addOrigin } from './origin-command.ts';
import { addReruns } from './rerun-commands.ts';
import { watchSaves } from './saves.ts';
import type { Session, Sessions } from './session.ts';

/** Reads the definition of a file; the history shows the file's name for its runs, as for those of the pushed workflow. */
async function readNamed(path: string, session: Session, env: string | undefined): Promise<JsonObject> {
  const file = await readWorkflowFile(path);
  const definition = await resolveDefinition(file, session, env);
  const { metadata } = definition;
  return { ...definition, metadata: { ...(isObject(metadata) ? metadata : {}), name: file.fields.name } };
}

const isFileName = (target: string): boolean => /\.(json|ya?ml)$/.test(target) || existsSync(target);

/** Opens a session in the environment of `--env`, of the folder of a file or else the current one. */
async function openFor(
  sessions: Sessions,
  command: Command,
  { target, env }: { readonly target: string; readonly env: string | undefined },
): Promise<Session> {
  if (env === undefined) return sessions.open(command);
  const folder = isFileName(target) ? dirname(target) : '.';
  return (await openEnvironment(sessions, command, { folder, name: env })).session;
}

/** @param target a file, or the id of a workflow with a live deployment */
async function toStartBody(
  target: string,
  { input, env, file: files = [] }: RunOptions,
  session: Session,
): Promise<Body<'startRun'>> {
  const isFile = isFileName(target);
  if (isFile && statSync(target, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new CommandError(`${target} is a folder; name one of its files`, EXIT.usage);
  if (!isFile && !isUuid(target))
    throw new CommandError(`${target} is neither a file nor a workflow ID`, EXIT.usage);
  const what = isFile ? { workflow: await readNamed(target, session, env) } : { workflow_id: target };
  const filled = await addFilesTo(await readInput(input), files, session);
  return { ...what, input: filled, stream: true } as Body<'startRun'>;
}

interface RunOptions {
  /** JSON, `@file`, or `-` for stdin. */
  readonly input?: string;
  readonly follow?: boolean;
  /** A list, as `input`. */
  readonly batch?: string;
  readonly idempotencyKey?: string;
  readonly env?: string;
  /** Files of the input, by their names in it. */
  readonly file?: readonly NamedFile[];
}

async function start(target: string, options: RunOptions, session: Session): Promise<number> {
  const { follow: isFollowed, idempotencyKey } = options;
  const run = await session.client.runs.start(await toStartBody(target, options, session), {
    idempotencyKey,
  });
  if (isFollowed === true) {
    session.screen.note(`Run ${run.runId}`);
    return follow(run, session);
  }
  if (session.isJson) session.screen.json(run.started);
  else session.screen.line(run.runId);
  return EXIT.completed;
}

/** Starts a run for each input. @returns the exit code: failed when the plan refused an input */
async function startBatch(
  workflowId: string,
  inputs: string,
  { idempotencyKey, session }: { readonly idempotencyKey: string | undefined; readonly session: Session },
): Promise<number> {
  if (!isUuid(workflowId))
    throw new CommandError('--batch requires the ID of a workflow with a live deployment', EXIT.usage);
  const body = { workflow_id: workflowId, inputs: await readInputs(inputs) } as Body<'startRunBatch'>;
  const { client, screen, isJson } = session;
  const { runs, refused } = await client.runs.startBatch(body, { idempotencyKey });
  for (const [at, receipt] of runs.entries()) {
    if (isJson) screen.json(receipt);
    else if (receipt.run_id !== null) screen.line(receipt.run_id);
    else screen.note(`input ${at + 1} of ${runs.length} was refused: ${receipt.error?.message ?? ''}`);
  }
  return refused > 0 ? EXIT.failed : EXIT.completed;
}

/** The service returns at most this many runs at once. */
const MAX_PAGE = 100;

/** @throws CommandError for anything but a positive whole number */
function parseCount(given: string): number {
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw new CommandError(`Invalid limit ${given}; expected a whole number above 0`, EXIT.usage);
}

/** Validates and runs a file after each save until Ctrl-C; a save during a run starts the next one. */
async function develop(file: string, options: RunOptions, session: Session): Promise<void> {
  const path = resolve(file);
  const saves = watchSaves(path);
  try {
    for (;;) {
      if (!saves.isSaved())
        session.screen.note(`Waiting for changes to ${basename(path)}. Press Ctrl-C to stop.`);
      process.once('SIGINT', saves.close);
      const isNext = await saves.next();
      process.removeListener('SIGINT', saves.close);
      if (!isNext) return;
      try {
        const findings = await findProblems([await readWorkflowFile(path)]);
        printFindings(findings, session.screen);
        if (findings.some(isError)) continue;
        if ((await start(path, { ...options, follow: true }, session)) === EXIT.stopped) return;
      } catch (error) {
        session.screen.note(formatError(error));
      }
    }
  } finally {
    saves.close();
  }
}

async function show(id: string, { client, screen, isJson }: Session): Promise<void> {
  const record = await (await client.runs.handle(id)).record();
  if (isJson) return screen.json(record);
  screen.line(`${record.run_id}  ${record.status}  ${record.error_message ?? ''}`);
  screen.table(
    ['node', 'type', 'status', 'ms', 'credits', 'error'],
    record.steps.map((step) => [
      step.node_id,
      step.node_type,
      step.status,
      step.duration_ms,
      step.credits,
      step.error?.message,
    ]),
  );
  for (const { node_id: nodeId, error } of record.steps) {
    const said = describeResponse(error);
    if (said !== null) screen.line(`${nodeId}: ${said}`);
  }
  if (record.resumed_from_run_id !== null) screen.line(`Continues run ${record.resumed_from_run_id}`);
  for (const next of record.resumed_by_run_ids) screen.line(`Answered; goes on as run ${next}`);
  for (const line of [...describeCallbacks(record), ...describeLateCalls(record)]) screen.line(line);
}

export function addRuns(program: Command, sessions: Sessions): void {
  program
    .command('run')
    .description('Run a workflow from a file or by its ID')
    .argument('<file_or_workflow_id>')
    .option('-i, --input <json>', 'input as JSON, @file, or - for stdin')
    .addOption(createFileOption())
    .option('-f, --follow', 'follow the run until it ends; its outcome sets the exit code')
    .addOption(
      new Option(
        '--batch <json>',
        'start a run for each input of a list: JSON, @file, or - for stdin',
      ).conflicts(['input', 'follow']),
    )
    .option('--idempotency-key <key>', 'start at most one run, or batch, with this key within 24 hours')
    .option('--env <name>', 'environment of environments.yaml, beside the file')
    .action(async (target: string, options: RunOptions, command: Command) => {
      const { batch, idempotencyKey, env } = options;
      const session = await openFor(sessions, command, { target, env });
      sessions.exitCode =
        batch === undefined
          ? await start(target, options, session)
          : await startBatch(target, batch, { idempotencyKey, session });
    });
  program
    .command('dev')
    .description('Validate and run a file each time it is saved')
    .argument('<file>')
    .option('-i, --input <json>', 'input as JSON, @file, or - for stdin')
    .option('--env <name>', 'environment of environments.yaml, beside the file')
    .action(async (file: string, options: Pick<RunOptions, 'input' | 'env'>, command: Command) =>
      develop(file, options, await openFor(sessions, command, { target: file, env: options.env })),
    );
  const runs = program.command('runs').description('Show and manage runs');
  runs
    .command('list')
    .description('List runs, newest first')
    .option('--status <status>', 'running, interrupted, succeeded, failed or cancelled')
    .option('--workflow <workflow_id>', 'only runs of this workflow')
    .option('--limit <n>', 'maximum number of runs', '20')
    .action(async (options: { status?: string; workflow?: string; limit: string }, command: Command) => {
      const { client, screen, isJson } = await sessions.open(command);
      const limit = parseCount(options.limit);
      const query = {
        limit: Math.min(limit, MAX_PAGE),
        ...(options.status === undefined ? {} : { status: options.status }),
        ...(options.workflow === undefined ? {} : { workflow_id: options.workflow }),
      };
      const found = [];
      for await (const row of client.runs.list(query as never)) {
        found.push(row);
        if (found.length === limit) break;
      }
      if (isJson) for (const row of found) screen.json(row);
      else
        screen.table(
          ['run_id', 'status', 'trigger', 'started', 'seconds', 'error'],
          found.map((row) => [
            row.run_id,
            row.status,
            row.trigger_type,
            row.started_at,
            row.duration_seconds,
            row.error_message,
          ]),
        );
    });
  runs
    .command('show')
    .description('Show a run and its steps')
    .argument('<run>')
    .action(async (id: string, _: object, command: Command) => show(id, await sessions.open(command)));
  runs
    .command('logs')
    .description('Print the events of a run')
    .argument('<run>')
    .option('-f, --follow', 'follow the run until it ends')
    .action(async (id: string, options: { follow?: boolean }, command: Command) => {
      const session = await sessions.open(command);
      const run = await session.client.runs.handle(id);
      if (options.follow === true) {
        sessions.exitCode = await follow(run, session);
        return;
      }
      const { status, steps } = await run.record();
      if (status !== 'running') for await (const event of run.events()) session.screen.json(event);
      else for (const step of steps) session.screen.json(step);
    });
  runs
    .command('answer')
    .description('Answer the open questions of a run; prompts without flags')
    .argument('<run>')
    .option('--action <id>', 'action to choose')
    .option('--data <json>', 'values of the form as JSON, @file, or - for stdin')
    .option('--interrupt <interrupt_id>', 'question to answer, when several are open')
    .action(async (id: string, options: AnswerOptions, command: Command) => {
      const session = await sessions.open(command);
      sessions.exitCode = await answerRun(await session.client.runs.handle(id), options, session);
    });
  runs
    .command('cancel')
    .description('Cancel a run')
    .argument('<run>')
    .option('--reason <text>', 'reason for the cancellation')
    .action(async (id: string, { reason }: { reason?: string }, command: Command) => {
      const { client, screen, isJson } = await sessions.open(command);
      const run = await client.runs.handle(id);
      const cancelled = await run.cancel({ reason });
      if (isJson) screen.json(cancelled);
      else screen.line(`Cancelled run ${run.runId}`);
    });
  addReruns(runs, sessions);
  addExport(runs, sessions);
  addOrigin(runs, sessions);
}
