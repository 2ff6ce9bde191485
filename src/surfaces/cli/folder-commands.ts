/** The commands of a folder of workflow files in git: `pull`, `push`, `diff` and `promote`. */
import { Option, type Command } from 'commander';
import { mkdir } from 'node:fs/promises';
import { findProblems, isError, readFiles } from './definition-files.ts';
import { openFolder, readFolderFiles, readForm } from './folder.ts';
import { readDeployed } from './promote.ts';
import { pull } from './pull.ts';
import { carryOut, isUpToDate, printFindings, printPlan } from './push.ts';
import { planPush, type PushOptions } from './push-plan.ts';
import { EXIT } from './exit.ts';
import type { Sessions } from './session.ts';

const PUSH_HELP = `
A push saves drafts; with --deploy it also makes them live. Files are matched with workflows by the lock (.workflow-lock), then by
name; without a match, the workflow is created. Calls, credentials and knowledge bases are names, which environments.yaml may
map to other names of an environment. A file is refused when its workflow was changed on the service since the last pull: pull
merges by node, and asks where both sides changed the same place. When files are refused, nothing is pushed unless --partial is
given, and the exit code is 1.`;

const PULL_HELP = `
A pull merges what was changed on the service with the edits of the files, by node, edge and field. Where both sides changed the
same place, it shows both values and asks at a terminal; --ours or --theirs answers for all. Without an answer the file stays
as it is, and the exit code is 1.`;

interface EnvironmentOption {
  readonly env?: string;
}
interface PullFlags extends EnvironmentOption {
  readonly force?: boolean;
  readonly ours?: boolean;
  readonly theirs?: boolean;
}
interface PushFlags extends EnvironmentOption {
  readonly yes?: boolean;
  readonly check?: boolean;
  readonly partial?: boolean;
  readonly force?: boolean;
  readonly draft?: boolean;
  readonly deploy?: boolean;
  readonly note?: string;
}
type PromoteFlags = Pick<PushFlags, 'yes' | 'check' | 'partial' | 'force' | 'note'>;

/** Reads a folder and plans its push to an environment. */
async function plan(
  sessions: Sessions,
  command: Command,
  given: EnvironmentOption & { folder: string; options: PushOptions },
) {
  const folder = await readFolderFiles(given.folder);
  const state = await openFolder(sessions, command, { folder: given.folder, name: given.env });
  const items = folder.files.map((file) => ({ file, form: readForm(file, folder.files) }));
  return { state, plan: await planPush({ folder, items }, state, given.options) };
}

async function promote(
  sessions: Sessions,
  command: Command,
  { from, to, path, flags }: { from: string; to: string; path: string; flags: PromoteFlags },
): Promise<void> {
  const folder = await readFolderFiles(path);
  const source = await openFolder(sessions, command, { folder: path, name: from });
  const { items, undeployed } = await readDeployed(folder, source);
  const target = await openFolder(sessions, command, { folder: path, name: to });
  const { screen } = target.open.session;
  for (const file of undeployed) screen.note(`${file.path}: skipped: it is not deployed in ${from}`);
  const options = {
    isForced: flags.force === true,
    source: 'environment',
    isDeployed: true,
    problems: 'ignored',
  } as const;
  const run = {
    plan: await planPush({ folder, items }, target, options),
    state: target,
    note: flags.note ?? `Promoted from ${from}`,
    isConfirmed: flags.yes === true,
  };
  const choice = { isCheck: flags.check === true, isPartial: flags.partial === true };
  await carryOut(run, { ...choice, verb: `Promote to ${to}:` }, sessions);
}

function addPull(parent: Command, sessions: Sessions): void {
  parent
    .command('pull')
    .description('Write workflows to files in a folder and merge them with local edits')
    .argument('[folder]', 'folder of the files', '.')
    .argument('[workflow...]', 'IDs or slugs (default: all workflows)')
    .option('--env <name>', 'environment of environments.yaml')
    .addOption(
      new Option('--ours', 'settle conflicts with the values of the files').conflicts(['theirs', 'force']),
    )
    .addOption(new Option('--theirs', 'settle conflicts with the values of the service').conflicts('force'))
    .option('--force', 'overwrite local edits')
    .addHelpText('after', PULL_HELP)
    .action(
      async (
        ...[path, named, { env, force, ours, theirs }, command]: [string, string[], PullFlags, Command]
      ) => {
        await mkdir(path, { recursive: true });
        const folder = await readFolderFiles(path);
        const state = await openFolder(sessions, command, { folder: path, name: env });
        const side = ours === true ? 'ours' : theirs === true ? 'theirs' : null;
        if (!(await pull(folder, state, { named, isForced: force === true, side })))
          sessions.exitCode = EXIT.failed;
      },
    );
}

function addPush(parent: Command, sessions: Sessions): void {
  parent
    .command('push')
    .description('Create and update workflows from the files in a folder, after confirming the plan')
    .argument('[folder]', 'folder of the files', '.')
    .option('--env <name>', 'environment of environments.yaml')
    .option('-y, --yes', 'skip confirmation')
    .option('--check', 'only show the plan; exits with 1 if a file is refused')
    .option('--partial', 'push the other files when some are refused')
    .option('--force', 'overwrite changes made on the service')
    .option('--draft', 'save drafts with errors')
    .option('--deploy', 'deploy the pushed workflows')
    .option('--note <text>', 'note for the deployments')
    .addHelpText('after', PUSH_HELP)
    .action(async (folder: string, flags: PushFlags, command: Command) => {
      const options: PushOptions = {
        isForced: flags.force === true,
        source: 'files',
        isDeployed: flags.deploy === true,
        problems: flags.draft === true ? 'warned' : 'refused',
      };
      const given = { ...flags, folder, options };
      const run = {
        ...(await plan(sessions, command, given)),
        note: flags.note ?? null,
        isConfirmed: flags.yes === true,
      };
      const choice = { isCheck: flags.check === true, isPartial: flags.partial === true };
      await carryOut(run, { ...choice, verb: 'Push' }, sessions);
    });
}

function addValidate(parent: Command, sessions: Sessions): void {
  parent
    .command('validate')
    .description('Validate files, and those of folders, offline')
    .argument('[path...]', 'files and folders', ['.'])
    .action(async (paths: string[], _: object, command: Command) => {
      const { files, unread } = await readFiles(paths);
      const findings = await findProblems(files);
      const { screen } = sessions;
      for (const { message } of unread) screen.note(message);
      const isJson = command.optsWithGlobals<{ json?: boolean }>().json === true;
      if (isJson) screen.json(findings);
      else printFindings(findings, screen);
      if (unread.length > 0 || findings.some(isError)) sessions.exitCode = EXIT.failed;
      else if (!isJson) screen.line(`${files.length} valid`);
    });
}

/** Adds the commands to the program, or to a group of it. */
export function addFolder(parent: Command, sessions: Sessions): void {
  addPull(parent, sessions);
  addPush(parent, sessions);
  addValidate(parent, sessions);
  parent
    .command('diff')
    .description('Show what a push would change; exits with 1 if there are changes')
    .argument('[folder]', 'folder of the files', '.')
    .option('--env <name>', 'environment of environments.yaml')
    .action(async (folder: string, { env }: EnvironmentOption, command: Command) => {
      const options = { isForced: false, source: 'files', isDeployed: false, problems: 'refused' } as const;
      const given = { folder, options, ...(env === undefined ? {} : { env }) };
      const { plan: planned, state } = await plan(sessions, command, given);
      printPlan(planned, state.open.session);
      if (!isUpToDate(planned)) sessions.exitCode = EXIT.failed;
    });
  parent
    .command('promote')
    .description('Deploy the live workflows of one environment to another, after confirming the plan')
    .argument('<from>', 'environment of environments.yaml')
    .argument('<to>', 'environment of environments.yaml')
    .argument('[folder]', 'folder of the workflows to promote', '.')
    .option('-y, --yes', 'skip confirmation')
    .option('--check', 'only show the plan; exits with 1 if a workflow is refused')
    .option('--partial', 'promote the other workflows when some are refused')
    .option('--force', 'overwrite changes made in the target environment')
    .option('--note <text>', 'note for the deployments')
    .action(async (...[from, to, path, flags, command]: [string, string, string, PromoteFlags, Command]) =>
      promote(sessions, command, { from, to, path, flags }),
    );
}
