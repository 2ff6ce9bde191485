/** Workflows from files, and files from workflows: a folder in git is the source of truth. */
/* oxlint-disable max-lines-per-function -- a tree of commands is one list */
import type { Command } from 'commander';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkflowApiError } from '../client/client.ts';
import type { JsonObject } from '../graph/value.ts';
import {
  findProblems,
  isError,
  readFiles,
  readFolder,
  writeWorkflowFile,
  type Fields,
} from './definition-files.ts';
import { CommandError, EXIT, explain } from './exit.ts';
import { FolderIds, IDS_FILE, withIds } from './folder-ids.ts';
import { planPush } from './push-plan.ts';
import { push, tellFindings, tellPlan } from './push.ts';
import { addNodeTest } from './rerun-commands.ts';
import type { Session, Sessions } from './session.ts';

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'workflow';

/** @returns the workflow; null when there is none, which is said */
async function find(id: string, { client, screen }: Session) {
  try {
    return await client.workflows.get(id);
  } catch (error) {
    if (!(error instanceof WorkflowApiError) || ![400, 404].includes(error.status)) throw error;
    screen.note(`${id}: ${explain(error)}`);
    return null;
  }
}

/** Writes workflows into a folder, into the files that have them already. @returns whether all were found */
async function pull(folder: string, ids: readonly string[], session: Session): Promise<boolean> {
  await mkdir(folder, { recursive: true });
  const { files, unread } = await readFolder(folder);
  // Their ids are not known: they could be written over, or a second time.
  for (const { message } of unread) throw new CommandError(`${message}; nothing was pulled`, EXIT.usage);
  const inFolder = await FolderIds.read(folder, session.organizationId ?? 'default');
  const wanted = [...ids];
  if (ids.length === 0) for await (const { id } of session.client.workflows.list()) wanted.push(id);
  const taken = new Set(files.map(({ path }) => path));
  let isWhole = true;
  for (const idHere of wanted) {
    const found = await find(idHere, session);
    if (found === null) {
      isWhole = false;
      continue;
    }
    const id = inFolder.idInFiles(found.id);
    const known = files.find((file) => file.id === id)?.path;
    const free = join(folder, `${slug(found.name)}.yaml`);
    const path = known ?? (taken.has(free) ? join(folder, `${slug(found.name)}-${id}.yaml`) : free);
    taken.add(path);
    const schema = withIds(found.workflow_schema as JsonObject, (one) => inFolder.idInFiles(one));
    await writeWorkflowFile(path, { ...found, id, workflow_schema: schema });
    session.screen.line(path);
  }
  return isWhole;
}

interface Removal {
  readonly session: Session;
  /** Nobody is asked. */
  readonly isAgreed: boolean;
}

/** Deletes a workflow; those that call it are named first. */
async function remove(workflowId: string, { session, isAgreed }: Removal): Promise<void> {
  const { client, screen, isJson } = session;
  const [{ name }, { used_by: users }] = await Promise.all([
    client.workflows.get(workflowId),
    client.workflows.usage(workflowId),
  ]);
  if (users.length > 0) screen.note('These workflows call it and will fail without it:');
  for (const user of users)
    screen.note(`  ${user.name}  ${user.workflow_id}  ${user.is_live ? 'deployed' : 'in its draft'}`);
  if (!(await screen.confirm(`Delete workflow ${JSON.stringify(name)} (${workflowId})?`, isAgreed)))
    throw new CommandError('Nothing was deleted', EXIT.stopped);
  const deleted = await client.workflows.delete(workflowId);
  if (isJson) screen.json(deleted);
  else screen.line(deleted.message);
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

const ELSEWHERE = `
A folder may be pushed to several organizations and services. A file without an id, or with the id of another organization,
is the workflow of its name here, and is made where there is none; its id here is kept in ${IDS_FILE} beside the files, to be
committed with them. Calls of workflows of the folder are carried along. A file that has an error, or that calls a workflow
which is neither in the folder nor here, is not pushed; the others are, and the exit code is 1. Credentials and knowledge
bases are not carried: make them here, and put their ids into ${IDS_FILE}:
  {"<organization id>": {"<id in the files>": "<id here>"}}`;

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
    .action(async (...[folder, ids, , command]: [string, string[], object, Command]) => {
      if (!(await pull(folder, ids, await sessions.open(command)))) sessions.exitCode = EXIT.failed;
    });
  workflows
    .command('push')
    .description('Make workflows as the files of a folder have them; shows the plan and asks')
    .argument('<folder>')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', ELSEWHERE)
    .action(async (folder: string, { yes }: { yes?: boolean }, command: Command) =>
      push(folder, { session: await sessions.open(command), sessions, isAgreed: yes === true }),
    );
  workflows
    .command('diff')
    .description('Show what a push would change; exit code 1 when there is something')
    .argument('<folder>')
    .action(async (folder: string, _: object, command: Command) => {
      const session = await sessions.open(command);
      const plan = await planPush(folder, session);
      tellPlan(plan, session);
      const isSame = plan.planned.every(({ action }) => action === 'unchanged');
      if (!isSame || plan.refused.size > 0) sessions.exitCode = EXIT.failed;
    });
  workflows
    .command('validate')
    .description('Check files as the service does, without it')
    .argument('<file...>')
    .action(async (paths: string[], _: object, command: Command) => {
      const { files, unread } = await readFiles(paths);
      const findings = await findProblems(files);
      const { screen } = sessions;
      for (const { message } of unread) screen.note(message);
      const isJson = command.optsWithGlobals<{ json?: boolean }>().json === true;
      if (isJson) screen.json(findings);
      else tellFindings(findings, screen);
      if (unread.length > 0 || findings.some(isError)) sessions.exitCode = EXIT.failed;
      else if (!isJson) screen.line(`${files.length} valid`);
    });
  workflows
    .command('delete')
    .description('Delete a workflow with its deployments; names the workflows that call it')
    .argument('<workflow_id>')
    .option('-y, --yes', 'do not ask')
    .action(async (id: string, { yes }: { yes?: boolean }, command: Command) =>
      remove(id, { session: await sessions.open(command), isAgreed: yes === true }),
    );
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
