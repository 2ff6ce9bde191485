/** The commands `hooks`: the addresses by which other services start runs of a workflow, and the log of what they sent. */
import { Option, type Command } from 'commander';
import type { Body } from '../client/client.ts';
import { readInput } from './definition-files.ts';
import { confirmDeletion, printList } from './resource-commands.ts';
import type { Sessions } from './session.ts';

const VERIFICATIONS = ['none', 'bearer', 'basic', 'standard', 'github', 'stripe', 'slack'] as const;

interface NewHookOptions {
  readonly name: string;
  readonly verification: (typeof VERIFICATIONS)[number];
  readonly mapping?: string;
}

export function addHooks(program: Command, sessions: Sessions): void {
  const hooks = program.command('hooks').description('Manage webhooks, which start runs of a workflow');
  hooks
    .command('list')
    .description('List the webhooks of a workflow with their addresses')
    .argument('<workflow_id>')
    .action(async (id: string, _: object, command: Command) => {
      const session = await sessions.open(command);
      const columns = ['id', 'name', 'verification', 'enabled', 'last_delivery_at', 'url'] as const;
      await printList(session.client.hooks.list(id), columns, session);
    });
  hooks
    .command('create')
    .description('Create a webhook; prompts for the secret of its signatures')
    .argument('<workflow_id>')
    .requiredOption('--name <name>', 'name')
    .addOption(
      new Option('--verification <scheme>', 'how senders prove who they are')
        .choices(VERIFICATIONS)
        .default('none'),
    )
    .option('--mapping <json>', 'templates that make the input, as JSON or @file')
    .action(async (...[id, options, command]: [string, NewHookOptions, Command]) => {
      const { client, screen } = await sessions.open(command);
      const { name, verification, mapping } = options;
      const secrets = verification === 'none' ? [] : [await screen.secret('Secret')];
      const templates = mapping === undefined ? {} : { mapping: await readInput(mapping) };
      const body = { name, verification, secrets, ...templates };
      screen.json(await client.hooks.create(id, body as Body<'createHook'>));
    });
  for (const verb of ['enable', 'disable'] as const)
    hooks
      .command(verb)
      .description(verb === 'enable' ? 'Accept requests again' : 'Answer requests with 404')
      .argument('<workflow_id>')
      .argument('<hook_id>')
      .action(async (...[workflowId, hookId, , command]: [string, string, object, Command]) => {
        const { client, screen } = await sessions.open(command);
        screen.json(await client.hooks.update({ workflowId, hookId }, { enabled: verb === 'enable' }));
      });
  hooks
    .command('rotate')
    .description('Give a webhook a new address')
    .argument('<workflow_id>')
    .argument('<hook_id>')
    .option('--keep <seconds>', 'how long the previous address stays valid', '86400')
    .action(
      async (...[workflowId, hookId, { keep }, command]: [string, string, { keep: string }, Command]) => {
        const { client, screen } = await sessions.open(command);
        screen.json(
          await client.hooks.rotate({ workflowId, hookId }, { keep_previous_seconds: Number(keep) }),
        );
      },
    );
  hooks
    .command('deliveries')
    .description('List the requests of the last seven days and the runs that they started')
    .argument('<workflow_id>')
    .argument('<hook_id>')
    .action(async (...[workflowId, hookId, , command]: [string, string, object, Command]) => {
      const session = await sessions.open(command);
      const columns = ['id', 'received_at', 'outcome', 'run_id'] as const;
      await printList(session.client.hooks.deliveries({ workflowId, hookId }), columns, session);
    });
  hooks
    .command('redeliver')
    .description('Start a new run with the request of a delivery')
    .argument('<workflow_id>')
    .argument('<hook_id>')
    .argument('<delivery_id>')
    .action(
      async (...[workflowId, hookId, deliveryId, , command]: [string, string, string, object, Command]) => {
        const { client, screen } = await sessions.open(command);
        screen.json(await client.hooks.redeliver({ workflowId, hookId, deliveryId }));
      },
    );
  hooks
    .command('delete')
    .description('Delete a webhook; its address answers 404 from then on')
    .argument('<workflow_id>')
    .argument('<hook_id>')
    .option('-y, --yes', 'skip confirmation')
    .action(
      async (...[workflowId, hookId, { yes }, command]: [string, string, { yes?: boolean }, Command]) => {
        const session = await sessions.open(command);
        await confirmDeletion(`webhook ${hookId}`, session, yes === true);
        await session.client.hooks.delete({ workflowId, hookId });
      },
    );
}
