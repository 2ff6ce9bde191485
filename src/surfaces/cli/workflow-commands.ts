/** The command `workflows`. */
import type { Command } from 'commander';
import type { Fields } from './definition-files.ts';
import { CommandError, EXIT } from './exit.ts';
import { addFolder } from './folder-commands.ts';
import { addNodeTest } from './rerun-commands.ts';
import type { Session, Sessions } from './session.ts';
import { compareDraft } from './sheet-differences.ts';

/** Deletes a workflow after it has named the workflows that call it. */
async function deleteWorkflow(workflowId: string, session: Session, isConfirmed: boolean): Promise<void> {
  const { client, screen, isJson } = session;
  const [{ name }, { used_by: users }] = await Promise.all([
    client.workflows.get(workflowId),
    client.workflows.usage(workflowId),
  ]);
  if (users.length > 0) screen.note('These workflows call it and will fail:');
  for (const user of users)
    screen.note(`  ${user.name}  ${user.workflow_id}  ${user.is_live ? 'deployed' : 'draft only'}`);
  if (!(await screen.confirm(`Delete workflow ${JSON.stringify(name)} (${workflowId})?`, isConfirmed)))
    throw new CommandError('Deletion cancelled', EXIT.stopped);
  const deleted = await client.workflows.delete(workflowId);
  if (isJson) screen.json(deleted);
  else screen.line(deleted.message);
}

interface DeployFlags {
  readonly note: string | undefined;
  readonly isConfirmed: boolean;
}

/**
 * Deploys a draft after it has told what it may do that the live deployment may not. At a terminal new effects are confirmed; a
 * script deploys as it always did.
 */
async function deploy(
  workflowId: string,
  session: Session,
  { note, isConfirmed }: DeployFlags,
): Promise<void> {
  const { client, screen, isJson } = session;
  const found = isJson ? null : await compareDraft(client, workflowId);
  if (found !== null) {
    const { lines, hasNew } = found;
    for (const line of lines) screen.note(`  ${line}`);
    if (!hasNew) screen.note('No new effects');
    else if (!(await screen.confirm('Deploy with the new effects?', isConfirmed || !screen.canAsk)))
      throw new CommandError('Deployment cancelled', EXIT.stopped);
  }
  const seen = found?.definitionHash;
  const deployed = await client.workflows.deploy(workflowId, {
    ...(note === undefined ? {} : { deployment_note: note }),
    // An edit of a colleague in the meantime was not seen.
    ...(seen === undefined ? {} : { expected_definition_hash: seen }),
  });
  if (isJson) screen.json(deployed);
  else screen.line(`Deployed version ${deployed.version} (${deployed.id}); it is live`);
}

async function rollback(workflowId: string, { client }: Session): Promise<Fields> {
  const deployments = [];
  for await (const deployment of client.workflows.deployments(workflowId)) deployments.push(deployment);
  deployments.sort((a, b) => b.created_at.localeCompare(a.created_at));
  const live = deployments.findIndex((deployment) => deployment.is_live);
  const previous = live < 0 ? undefined : deployments[live + 1];
  if (previous === undefined) throw new CommandError('There is no earlier deployment to roll back to');
  return { ...(await client.workflows.activate({ workflowId, deploymentId: previous.id })) };
}

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
  addFolder(workflows, sessions);
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
    .option('-y, --yes', 'skip the confirmation of new effects')
    .action(async (id: string, { note, yes }: { note?: string; yes?: boolean }, command: Command) => {
      await deploy(id, await sessions.open(command), { note, isConfirmed: yes === true });
    });
  workflows
    .command('activate')
    .description('Make a deployment live')
    .argument('<workflow_id>')
    .argument('<deployment_id>')
    .action(async (...[workflowId, deploymentId, , command]: [string, string, object, Command]) => {
      const { client, screen } = await sessions.open(command);
      screen.json(await client.workflows.activate({ workflowId, deploymentId }));
    });
  workflows
    .command('rollback')
    .description('Roll back to the previous deployment')
    .argument('<workflow_id>')
    .action(async (id: string, _: object, command: Command) => {
      const session = await sessions.open(command);
      session.screen.json(await rollback(id, session));
    });
  addNodeTest(workflows, sessions);
}
