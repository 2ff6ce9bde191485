/** The commands `hooks`: the addresses by which other services start runs of a workflow, and the log of what they sent. */
import { Option, type Command } from 'commander';
import { setTimeout } from 'node:timers/promises';
import type { Body, WorkflowClient } from '../client/client.ts';
import { addAddressCommands, addIdCommand } from './address-commands.ts';
import { readInput, type Fields } from './definition-files.ts';
import { CommandError, EXIT } from './exit.ts';
import { printList } from './resource-commands.ts';
import type { Screen } from './screen.ts';
import type { Sessions } from './session.ts';

const IDS = ['workflow_id', 'hook_id'] as const;
const RESPONSES = ['accepted', 'result', 'respond'] as const;
const VERIFICATIONS = ['none', 'bearer', 'basic', 'standard', 'github', 'stripe', 'slack'] as const;

const DUPLICATES = ['sender_id', 'content', 'none'] as const;

interface HookOptions {
  readonly name?: string;
  readonly verification?: (typeof VERIFICATIONS)[number];
  readonly response?: (typeof RESPONSES)[number];
  /** JSON or `@file`; false: none. */
  readonly mapping?: string | false;
  readonly filter?: string | false;
  readonly deduplicateBy?: (typeof DUPLICATES)[number];
  readonly idHeader?: string | false;
}

/** Adds the options that a new webhook and a change have in common, besides the name. */
const addHookOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--verification <scheme>',
        'how senders prove who they are; default of a new webhook: none',
      ).choices(VERIFICATIONS),
    )
    .addOption(
      new Option(
        '--response <mode>',
        'how senders are answered: at once, with the output, or by a node; default of a new webhook: accepted',
      ).choices(RESPONSES),
    )
    .option('--mapping <json>', 'templates that make the input, as JSON or @file')
    .option('--filter <json>', 'rules that a request must pass to start a run, as JSON or @file')
    .addOption(
      new Option(
        '--deduplicate-by <way>',
        'which requests of 24 hours are one: those with one id of the sender (a request without an id starts a run), with equal content, or none; default of a new webhook: sender_id',
      ).choices(DUPLICATES),
    )
    .option(
      '--id-header <name>',
      'header with the id of an event; default: the usual one of the verification',
    );

/** Builds the fields that the options name; a verification prompts for its secret. */
async function readHookOptions(options: HookOptions, screen: Screen): Promise<Fields> {
  const { name, verification, response, mapping, filter, deduplicateBy, idHeader } = options;
  const readJson = async (text: string | false) => (text === false ? null : readInput(text));
  return {
    ...(name === undefined ? {} : { name }),
    ...(verification === undefined ? {} : { verification }),
    ...(verification === undefined
      ? {}
      : { secrets: verification === 'none' ? [] : [await screen.secret('Secret')] }),
    ...(response === undefined ? {} : { response: { mode: response } }),
    ...(mapping === undefined ? {} : { mapping: await readJson(mapping) }),
    ...(filter === undefined ? {} : { filter: await readJson(filter) }),
    ...(deduplicateBy === undefined ? {} : { deduplicate_by: deduplicateBy }),
    ...(idHeader === undefined ? {} : { id_header: idHeader === false ? null : idHeader }),
  };
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
  addHookOptions(
    hooks
      .command('create')
      .description('Create a webhook; prompts for the secret of its signatures')
      .argument('<workflow_id>')
      .requiredOption('--name <name>', 'name'),
  ).action(async (...[id, options, command]: [string, HookOptions & { readonly name: string }, Command]) => {
    const { client, screen } = await sessions.open(command);
    const body = { ...(await readHookOptions(options, screen)), name: options.name };
    screen.json(await client.hooks.create(id, body as Body<'createHook'>));
  });
  const update = addHookOptions(
    hooks
      .command('update')
      .description('Change what the options name; --verification prompts for a new secret')
      .option('--name <name>', 'name'),
  )
    .option('--no-mapping', 'make the body the input')
    .option('--no-filter', 'let every request start a run')
    .option('--no-id-header', 'read the id from the usual header of the verification');
  addIdCommand<HookOptions>(update, IDS, {
    sessions,
    run: async ({ client, screen }, ids, options) => {
      const body = await readHookOptions(options, screen);
      if (Object.keys(body).length === 0)
        throw new CommandError('Nothing to change: give an option, such as --filter', EXIT.usage);
      screen.json(await client.hooks.update(toHook(ids), body as Body<'updateHook'>));
    },
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
