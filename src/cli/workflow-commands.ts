/** Workflows from files, and files from workflows: a folder in git is the source of truth. */
/* oxlint-disable max-lines-per-function -- a tree of commands is one list */
import type { Command } from 'commander';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Body } from '../client/client.ts';
import { differingPlaces } from '../graph/diff.ts';
import { withNodeFields } from '../graph/state-fields.ts';
import type { Json, JsonObject } from '../graph/value.ts';
import {
  keptOf,
  problemsOf,
  readFolder,
  readWorkflowFile,
  writeWorkflowFile,
  type Fields,
  type WorkflowFile,
} from './definition-files.ts';
import { CommandError, EXIT } from './exit.ts';
import { addNodeTest } from './rerun-commands.ts';
import type { Session, Sessions } from './session.ts';

interface Planned {
  readonly file: WorkflowFile;
  readonly action: 'create' | 'update' | 'unchanged';
  readonly id: string | null;
  readonly changes: readonly string[];
}

const MIRRORED = ['name', 'description', 'version', 'tags'] as const;
const mirroredOf = (value: Fields): Fields =>
  Object.fromEntries(MIRRORED.filter((key) => value[key] !== undefined).map((key) => [key, value[key]]));

/**
 * A file as the service stores it over what is there: each node has its field of the state, and metadata and fields say
 * the same, the metadata first (SPEC API-definition). Without it a file would differ from what it was pushed to.
 */
function settled({ fields }: WorkflowFile, theirs: Fields): Fields {
  const schema: Fields = withNodeFields(fields.workflow_schema as JsonObject);
  const said = (schema['metadata'] ?? {}) as Fields;
  const told = { ...mirroredOf(theirs), ...mirroredOf(fields), ...mirroredOf(said) };
  return { ...fields, ...told, workflow_schema: { ...schema, metadata: { ...told, ...said } } };
}

/** What a push would do. A file without an id is the workflow of its name. @throws CommandError for a name that is twice there */
async function planPush(files: readonly WorkflowFile[], { client }: Session): Promise<Planned[]> {
  const known = [];
  for await (const summary of client.workflows.list()) known.push(summary);
  const planned: Planned[] = [];
  for (const file of files) {
    const named = known.filter(({ name }) => name === file.fields.name);
    if (file.id === null && named.length > 1)
      throw new CommandError(`${file.path}: ${named.length} workflows have this name; give the file an id`);
    const id = file.id ?? named[0]?.id ?? null;
    if (id === null) {
      planned.push({ file, action: 'create', id, changes: [] });
      continue;
    }
    const theirs = keptOf(await client.workflows.get(id));
    const changes = Object.entries(settled(file, theirs)).flatMap(([key, value]) =>
      differingPlaces(value as Json, theirs[key] as Json).map((place) => `/${key}${place}`),
    );
    planned.push({ file, action: changes.length === 0 ? 'unchanged' : 'update', id, changes });
  }
  return planned;
}

function tellPlan(planned: readonly Planned[], { screen, isJson }: Session): void {
  if (isJson)
    return screen.json(
      planned.map(({ file, action, id, changes }) => ({ file: file.path, action, id, changes })),
    );
  for (const { file, action, changes } of planned) {
    const colour = action === 'create' ? 'green' : action === 'update' ? 'yellow' : 'dim';
    screen.line(screen.paint(colour, action.padEnd(9)), `  ${file.fields.name}  ${file.path}`);
    for (const change of changes.slice(0, 20)) screen.line(`             ${change}`);
  }
}

/** @returns whether no file has an error; warnings are told */
export async function tellProblems(
  files: readonly WorkflowFile[],
  sessions: Sessions,
  isJson: boolean,
): Promise<boolean> {
  const checked = files.map(async (file) =>
    (await problemsOf(file)).map((problem) => ({ file: file.path, ...problem })),
  );
  const found = (await Promise.all(checked)).flat();
  if (isJson) sessions.screen.json(found);
  else
    for (const { file, severity, code, message, path } of found)
      sessions.screen.note(`${file}: ${severity} ${code} at /${path.join('/')}: ${message}`);
  return !found.some(({ severity }) => severity === 'error');
}

interface Push {
  readonly session: Session;
  readonly sessions: Sessions;
  /** Nobody is asked. */
  readonly isAgreed: boolean;
}

async function push(folder: string, { session, sessions, isAgreed }: Push): Promise<void> {
  const files = await readFolder(folder);
  if (!(await tellProblems(files, sessions, false))) throw new CommandError('Nothing was pushed');
  const planned = await planPush(files, session);
  tellPlan(planned, session);
  const todo = planned.filter(({ action }) => action !== 'unchanged');
  if (todo.length === 0) return;
  if (!(await session.screen.confirm(`Push ${todo.length} of ${planned.length}?`, isAgreed))) {
    sessions.exitCode = EXIT.stopped;
    return;
  }
  for (const { file, id } of todo) {
    const body = file.fields as unknown as Body<'createWorkflow'>;
    if (id !== null) await session.client.workflows.update(id, body as Body<'updateWorkflow'>);
    else {
      const created = await session.client.workflows.create(body);
      // Without the id, a rename in the file would make a second workflow.
      await writeWorkflowFile(file.path, { ...file.fields, id: created.id });
    }
    session.screen.note(`pushed ${file.fields.name}`);
  }
}

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'workflow';

async function pull(folder: string, ids: readonly string[], session: Session): Promise<void> {
  await mkdir(folder, { recursive: true });
  const files = await readFolder(folder);
  const wanted = [...ids];
  if (ids.length === 0) for await (const { id } of session.client.workflows.list()) wanted.push(id);
  const taken = new Set(files.map(({ path }) => path));
  for (const id of wanted) {
    const workflow: Fields & { readonly name: string } = await session.client.workflows.get(id);
    const known = files.find((file) => file.id === id)?.path;
    const free = join(folder, `${slug(workflow.name)}.yaml`);
    const path = known ?? (taken.has(free) ? join(folder, `${slug(workflow.name)}-${id}.yaml`) : free);
    taken.add(path);
    await writeWorkflowFile(path, workflow);
    session.screen.line(path);
  }
}

async function rollback(workflowId: string, { client }: Session): Promise<Fields> {
  const deployments = [];
  for await (const deployment of client.workflows.deployments(workflowId)) deployments.push(deployment);
  deployments.sort((a, b) => b.created_at.localeCompare(a.created_at));
  const live = deployments.findIndex((deployment) => deployment.is_live);
  const previous = live < 0 ? undefined : deployments[live + 1];
  if (previous === undefined) throw new CommandError('There is no deployment before the live one');
  return client.workflows.activate({ workflowId, deploymentId: previous.id });
}

/** Adds `workflows` with its commands. */
export function addWorkflows(program: Command, sessions: Sessions): void {
  const workflows = program
    .command('workflows')
    .description('Workflows, and a folder of files as their source');
  workflows
    .command('list')
    .description('List workflows')
    .action(async (_: object, command: Command) => {
      const { client, screen, isJson } = await sessions.open(command);
      const rows = [];
      for await (const row of client.workflows.list()) {
        if (isJson) screen.json(row);
        else rows.push([row.id, row.name, row.version, row.status, row.updated_at]);
      }
      if (!isJson) screen.table(['id', 'name', 'version', 'status', 'updated'], rows);
    });
  workflows
    .command('pull')
    .description('Write workflows into a folder of files')
    .argument('<folder>')
    .argument('[workflow_id...]')
    .action(async (...[folder, ids, , command]: [string, string[], object, Command]) =>
      pull(folder, ids, await sessions.open(command)),
    );
  workflows
    .command('push')
    .description('Make workflows as the files of a folder have them; shows the plan and asks')
    .argument('<folder>')
    .option('-y, --yes', 'do not ask')
    .action(async (folder: string, { yes }: { yes?: boolean }, command: Command) =>
      push(folder, { session: await sessions.open(command), sessions, isAgreed: yes === true }),
    );
  workflows
    .command('diff')
    .description('Show what a push would change; exit code 1 when there is something')
    .argument('<folder>')
    .action(async (folder: string, _: object, command: Command) => {
      const session = await sessions.open(command);
      const planned = await planPush(await readFolder(folder), session);
      tellPlan(planned, session);
      if (planned.some(({ action }) => action !== 'unchanged')) sessions.exitCode = EXIT.failed;
    });
  workflows
    .command('validate')
    .description('Check files as the service does, without it')
    .argument('<file...>')
    .action(async (paths: string[], _: object, command: Command) => {
      const files = await Promise.all(paths.map(readWorkflowFile));
      const isJson = command.optsWithGlobals<{ json?: boolean }>().json === true;
      if (!(await tellProblems(files, sessions, isJson))) sessions.exitCode = EXIT.failed;
      else if (!isJson) sessions.screen.line(`${files.length} valid`);
    });
  workflows
    .command('deploy')
    .description('Make a snapshot and set it live')
    .argument('<workflow_id>')
    .option('--note <text>', 'a note of the deployment')
    .action(async (id: string, { note }: { note?: string }, command: Command) => {
      const { client, screen } = await sessions.open(command);
      screen.json(await client.workflows.deploy(id, note === undefined ? {} : { deployment_note: note }));
    });
  workflows
    .command('activate')
    .description('Set another deployment live')
    .argument('<workflow_id>')
    .argument('<deployment_id>')
    .action(async (...[workflowId, deploymentId, , command]: [string, string, object, Command]) => {
      const { client, screen } = await sessions.open(command);
      screen.json(await client.workflows.activate({ workflowId, deploymentId }));
    });
  workflows
    .command('rollback')
    .description('Set the deployment before the live one live')
    .argument('<workflow_id>')
    .action(async (id: string, _: object, command: Command) => {
      const session = await sessions.open(command);
      session.screen.json(await rollback(id, session));
    });
  addNodeTest(workflows, sessions);
}
