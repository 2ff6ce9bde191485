/** The commands `hooks`: the addresses by which other services start runs of a workflow, and the log of what they sent. */
import { Option, type Command } from 'commander';
import { setTimeout } from 'node:timers/promises';
import type { Body, WorkflowClient } from '../client/client.ts';
import { addAddressCommands, addIdCommand } from './address-commands.ts';
import { readInput } from './definition-files.ts';
import { CommandError } from './exit.ts';
import { printList } from './resource-commands.ts';
import type { Sessions } from './session.ts';

const IDS = ['workflow_id', 'hook_id'] as const;
const RESPONSES = ['accepted', 'result', 'respond'] as const;
const VERIFICATIONS = ['none', 'bearer', 'basic', 'standard', 'github', 'stripe', 'slack'] as const;

interface NewHookOptions {
  readonly name: string;
  readonly verification: (typeof VERIFICATIONS)[number];
  readonly response: (typeof RESPONSES)[number];
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
    .addOption(
      new Option('--response <mode>', 'how senders are answered: at once, with the output, or by a node')
        .choices(RESPONSES)
        .default('accepted'),
    )
    .option('--mapping <json>', 'templates that make the input, as JSON or @file')
    .action(async (...[id, options, command]: [string, NewHookOptions, Command]) => {
      const { client, screen } = await sessions.open(command);
      const { name, verification, response, mapping } = options;
      const secrets = verification === 'none' ? [] : [await screen.secret('Secret')];
      const templates = mapping === undefined ? {} : { mapping: await readInput(mapping) };
      const body = { name, verification, secrets, response: { mode: response }, ...templates };
      screen.json(await client.hooks.create(id, body as Body<'createHook'>));
    });
  addAddressCommands(hooks, sessions, {
    ids: IDS,
    noun: 'webhook',
    descriptions: {
      enable: 'Accept requests again',
      disable: 'Answer requests with 404',
      rotate: 'Give a webhook a new address',
      keep: 'how long the previous address stays valid',
      deliveries: 'List the requests of the last seven days and the runs that they started',
      delete: 'Delete a webhook; its address answers 404 from then on',
    },
    columns: ['id', 'received_at', 'outcome', 'run_id'],
    enable: ({ hooks: all }, ids, enabled) => all.update(toHook(ids), { enabled }),
    rotate: ({ hooks: all }, ids, seconds) => all.rotate(toHook(ids), { keep_previous_seconds: seconds }),
    list: ({ hooks: all }, ids) => all.deliveries(toHook(ids)),
    delete: ({ hooks: all }, ids) => all.delete(toHook(ids)),
  });
  const redeliver = hooks.command('redeliver').description('Start a new run with the request of a delivery');
  addIdCommand(redeliver, [...IDS, 'delivery_id'], {
    sessions,
    run: async ({ client, screen }, ids) =>
      screen.json(await client.hooks.redeliver({ ...toHook(ids), deliveryId: ids[2] ?? '' })),
  });
  const listen = hooks
    .command('listen')
    .description('Wait for the next request, which starts no run while the webhook is disabled')
    .option('--seconds <seconds>', 'how long to wait', '120');
  addIdCommand<{ seconds: string }>(listen, IDS, {
    sessions,
    run: async ({ client, screen }, ids, { seconds }) =>
      screen.json(await awaitRequest(client, toHook(ids), Number(seconds))),
  });
}

interface HookIds {
  readonly workflowId: string;
  readonly hookId: string;
}

const toHook = ([workflowId = '', hookId = '']: readonly string[]): HookIds => ({ workflowId, hookId });

/** Listens for a test event. @returns its delivery @throws CommandError when none comes in time */
async function awaitRequest({ hooks }: WorkflowClient, hook: HookIds, seconds: number): Promise<object> {
  const readNewest = async () => (await hooks.deliveries(hook, { limit: 1 }).page()).deliveries[0];
  const before = await readNewest();
  await hooks.listen(hook, { seconds });
  for (let waited = 0; waited < seconds; waited += 1) {
    const newest = await readNewest();
    if (newest !== undefined && newest.id !== before?.id) return newest;
    await setTimeout(1_000);
  }
  throw new CommandError(`No request came within ${seconds} s`);
}
