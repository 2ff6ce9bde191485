/** The command `workflows`. */
import type { Command } from 'commander';
import type { Fields } from './definition-files.ts';
import { CommandError, EXIT } from './exit.ts';
import { addEvaluateOptions, readShare, requirePassing, type EvaluateOptions } from './evaluate-command.ts';
import { addFolder } from './folder-commands.ts';
import { addRehearse, addRehearseOptions, rehearseDraft } from './rehearse-command.ts';
import { addNodeTest } from './rerun-commands.ts';
import type { Session, Sessions } from './session.ts';
import { activateSeen, CHANGED, deploySeen } from './seen-deploy.ts';

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

interface DeployFlags extends EvaluateOptions {
  readonly note?: string;
  readonly yes?: boolean;
  readonly rehearse?: boolean;
  readonly require?: string;
  readonly last: number;
  /** A set that the draft must pass before it goes live; undefined: none. */
  readonly evaluate?: string;
  readonly atLeast?: number;
}

async function deploy(workflowId: string, session: Session, flags: DeployFlags): Promise<void> {
  const { screen, isJson } = session;
  const { note, yes, rehearse, require, last, evaluate: set, atLeast = 1, ...options } = flags;
  const walk = { last, ...(require === undefined ? {} : { require }) };
  const rehearsal = rehearse === true ? await rehearseDraft(session, workflowId, walk) : null;
  const passed =
    set === undefined ? null : await requirePassing(session, workflowId, { ...options, set, atLeast });
  const hashes = [rehearsal?.definition_hash, passed?.hash].filter((hash) => hash !== undefined);
  if (new Set(hashes).size > 1) throw new CommandError(CHANGED);
  const deployed = await deploySeen(session, {
    workflowId,
    note: note ?? null,
    isConfirmed: yes === true,
    triedHash: hashes[0] ?? null,
  });
  if (isJson)
    screen.json({
      ...deployed,
      ...(rehearsal === null ? {} : { rehearsal }),
      ...(passed === null ? {} : { evaluation: passed.evaluation }),
    });
  else screen.line(`Deployed version ${deployed.version} (${deployed.id}); it is live`);
}

async function rollback(workflowId: string, session: Session, isConfirmed: boolean): Promise<Fields> {
  const deployments = [];
  for await (const deployment of session.client.workflows.deployments(workflowId))
    deployments.push(deployment);
  deployments.sort((a, b) => b.created_at.localeCompare(a.created_at));
  const live = deployments.findIndex((deployment) => deployment.is_live);
  const previous = live < 0 ? undefined : deployments[live + 1];
  if (previous === undefined) throw new CommandError('There is no earlier deployment to roll back to');
  return { ...(await activateSeen(session, { workflowId, deploymentId: previous.id, isConfirmed })) };
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
  const deploying = workflows
    .command('deploy')
    .description('Deploy the draft of a workflow')
    .argument('<workflow_id>')
    .option('--note <text>', 'note for the deployment')
    .option('-y, --yes', 'skip the confirmation of new effects')
    .option('--evaluate <set>', 'deploy only if the draft passes the cases of this saved set')
    .option('--at-least <share>', 'with --evaluate: share that must pass, 0 to 1 (default: 1)', readShare);
  addEvaluateOptions(addRehearseOptions(deploying)).action(
    async (id: string, flags: DeployFlags, command: Command) => {
      await deploy(id, await sessions.open(command), flags);
    },
  );
  workflows
    .command('activate')
    .description('Make a deployment live')
    .argument('<workflow_id>')
    .argument('<deployment_id>')
    .option('-y, --yes', 'skip the confirmation of new effects')
    .action(
      async (
        ...[workflowId, deploymentId, { yes }, command]: [string, string, { yes?: boolean }, Command]
      ) => {
        const session = await sessions.open(command);
        const going = { workflowId, deploymentId, isConfirmed: yes === true };
        session.screen.json(await activateSeen(session, going));
      },
    );
  workflows
    .command('rollback')
    .description('Roll back to the previous deployment')
    .argument('<workflow_id>')
    .option('-y, --yes', 'skip the confirmation of new effects')
    .action(async (id: string, { yes }: { yes?: boolean }, command: Command) => {
      const session = await sessions.open(command);
      session.screen.json(await rollback(id, session, yes === true));
    });
  addRehearse(workflows, sessions);
  addNodeTest(workflows, sessions);
}
