/** The command `workflows`: a folder of files in git is the source of truth. */
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
import { CommandError, EXIT, formatError } from './exit.ts';
import { FolderIds, IDS_FILE, mapIds } from './folder-ids.ts';
import { planPush } from './push-plan.ts';
import { printFindings, printPlan, push } from './push.ts';
import { addNodeTest } from './rerun-commands.ts';
import type { Session, Sessions } from './session.ts';

const toFileName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'workflow';

/** @returns the workflow; null and a message on stderr when it does not exist */
async function findWorkflow(id: string, { client, screen }: Session) {
  try {
    return await client.workflows.get(id);
  } catch (error) {
    if (!(error instanceof WorkflowApiError) || ![400, 404].includes(error.status)) throw error;
    screen.note(`${id}: ${formatError(error)}`);
    return null;
  }
}

/** Writes workflows into a folder; a workflow that has a file there keeps it. @returns whether all were found */
async function pull(folder: string, ids: readonly string[], session: Session): Promise<boolean> {
  await mkdir(folder, { recursive: true });
  const { files, unread } = await readFolder(folder);
  // The id of an unreadable file is unknown, so a pull could write its workflow into a second file.
  for (const { message } of unread) throw new CommandError(`${message}. Nothing was pulled.`, EXIT.usage);
  const inFolder = await FolderIds.read(folder, session.organizationId ?? 'default');
  const wanted = [...ids];
  if (ids.length === 0) for await (const { id } of session.client.workflows.list()) wanted.push(id);
  const taken = new Set(files.map(({ path }) => path));
  let isComplete = true;
  for (const remoteId of wanted) {
    const found = await findWorkflow(remoteId, session);
    if (found === null) {
      isComplete = false;
      continue;
    }
    const id = inFolder.toFileId(found.id);
    const known = files.find((file) => file.id === id)?.path;
    const free = join(folder, `${toFileName(found.name)}.yaml`);
    const path = known ?? (taken.has(free) ? join(folder, `${toFileName(found.name)}-${id}.yaml`) : free);
    taken.add(path);
    const schema = mapIds(found.workflow_schema as unknown as JsonObject, (one) => inFolder.toFileId(one));
    await writeWorkflowFile(path, { ...found, id, workflow_schema: schema });
    session.screen.line(path);
  }
  return isComplete;
}

/** Deletes a workflow after it has named the workflows that call it. */
async function deleteWorkflow(workflowId: string, session: Session, isConfirmed: boolean): Promise<void> {
  const { client, screen, isJson } = session;
  const [{ name }, { used_by: users }] = await Promise.all([
    client.workflows.get(workflowId),
    client.workflows.usage(workflowId),
  ]);
  if (users.length > 0) screen.note('These workflows call it and will fail after the deletion:');
  for (const user of users)
    screen.note(`  ${user.name}  ${user.workflow_id}  ${user.is_live ? 'deployed' : 'draft only'}`);
  if (!(await screen.confirm(`Delete workflow ${JSON.stringify(name)} (${workflowId})?`, isConfirmed)))
    throw new CommandError('Deletion cancelled', EXIT.stopped);
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
  if (previous === undefined) throw new CommandError('The live deployment has no predecessor');
  return { ...(await client.workflows.activate({ workflowId, deploymentId: previous.id })) };
}

const PUSH_HELP = `
A folder can be pushed to several organizations and services. A file without an id, or with an id of another organization, is
matched with a workflow by name; without a match, the workflow is created. The ids of each organization are stored in
${IDS_FILE}; commit it with the files. Calls between workflows of the folder are mapped. A file with an error, or with a
call of a workflow that is neither in the folder nor in the organization, is not pushed; the others are, and the exit code
is 1. Credentials and knowledge bases are not pushed: create them in the organization and add their ids to ${IDS_FILE}:
  {"<organization id>": {"<id in the files>": "<id there>"}}`;

export function addWorkflows(program: Command, sessions: Sessions): void {
  const workflows = program
    .command('workflows')
    .description('Manage workflows and keep them in a folder of files');
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
    .description('Write workflows to files in a folder')
    .argument('<folder>')
    .argument('[workflow_id...]')
    .action(async (...[folder, ids, , command]: [string, string[], object, Command]) => {
      if (!(await pull(folder, ids, await sessions.open(command)))) sessions.exitCode = EXIT.failed;
    });
  workflows
    .command('push')
    .description('Create and update workflows from the files in a folder, after confirming the plan')
    .argument('<folder>')
    .option('-y, --yes', 'skip confirmation')
    .addHelpText('after', PUSH_HELP)
    .action(async (folder: string, { yes }: { yes?: boolean }, command: Command) =>
      push(folder, { session: await sessions.open(command), sessions, isConfirmed: yes === true }),
    );
  workflows
    .command('diff')
    .description('Show what a push would change; exits with 1 if anything')
    .argument('<folder>')
    .action(async (folder: string, _: object, command: Command) => {
      const session = await sessions.open(command);
      const plan = await planPush(folder, session);
      printPlan(plan, session);
      const isSame = plan.planned.every(({ action }) => action === 'unchanged');
      if (!isSame || plan.refused.size > 0) sessions.exitCode = EXIT.failed;
    });
  workflows
    .command('validate')
    .description('Validate files offline')
    .argument('<file...>')
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
  workflows
    .command('delete')
    .description('Delete a workflow and its deployments')
    .argument('<workflow_id>')
    .option('-y, --yes', 'skip confirmation')
    .action(async (id: string, { yes }: { yes?: boolean }, command: Command) =>
      deleteWorkflow(id, await sessions.open(command), yes === true),
    );
  workflows
    .command('deploy')
    .description('Deploy the draft of a workflow')
    .argument('<workflow_id>')
    .option('--note <text>', 'note for the deployment')
    .action(async (id: string, { note }: { note?: string }, command: Command) => {
      const { client, screen, isJson } = await sessions.open(command);
      const deployed = await client.workflows.deploy(id, note === undefined ? {} : { deployment_note: note });
      if (isJson) screen.json(deployed);
      else screen.line(`Deployed version ${deployed.version} (${deployed.id}); it is live`);
    });
  workflows
    .command('activate')
    .description('Make another deployment live')
    .argument('<workflow_id>')
    .argument('<deployment_id>')
    .action(async (...[workflowId, deploymentId, , command]: [string, string, object, Command]) => {
      const { client, screen } = await sessions.open(command);
      screen.json(await client.workflows.activate({ workflowId, deploymentId }));
    });
  workflows
    .command('rollback')
    .description('Make the previous deployment live')
    .argument('<workflow_id>')
    .action(async (id: string, _: object, command: Command) => {
      const session = await sessions.open(command);
      session.screen.json(await rollback(id, session));
    });
  addNodeTest(workflows, sessions);
}
