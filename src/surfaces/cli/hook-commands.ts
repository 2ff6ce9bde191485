/** The commands `hooks`: the addresses by which other services start runs of a workflow, and the log of what they sent. */
import { Option, type Command } from 'commander';
import { setTimeout } from 'node:timers/promises';
import type { Body, WorkflowClient } from '../client/client.ts';
import { addAddressCommands, addIdCommand } from './address-commands.ts';
import { readInput, type Fields } from './definition-files.ts';
import { CommandError, EXIT } from './exit.ts';
import { DUPLICATES, METHODS, VERIFICATIONS } from '../../language/nodes/triggers/choices.ts';
import { printList } from './resource-commands.ts';
import type { Screen } from './screen.ts';
import type { Sessions } from './session.ts';

const IDS = ['workflow_id', 'hook_id'] as const;
const RESPONSES = ['accepted', 'result', 'respond'] as const;

interface HookOptions {
  readonly name?: string;
  readonly verification?: (typeof VERIFICATIONS)[number];
  /** JSON or `@file`. */
  readonly signature?: string;
  readonly response?: (typeof RESPONSES)[number];
  /** JSON or `@file`; false: none. */
  readonly mapping?: string | false;
  readonly filter?: string | false;
  readonly threadId?: string | false;
  /** Prompts for a new secret. */
  readonly secret?: boolean;
  readonly methods?: (typeof METHODS)[number][];
  readonly deduplicateBy?: (typeof DUPLICATES)[number];
  readonly idHeader?: string | false;
}

/** Adds the options that a new webhook and a change have in common, besides the name. */
const addHookOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--verification <scheme>',
        'how requests are verified (default of a new webhook: none)',
      ).choices(VERIFICATIONS),
    )
    .option(
      '--signature <json>',
      'how the sender signs, for hmac: JSON or @file with header, algorithm, encoding, signed, prefix, field, time_header, time_field',
    )
    .addOption(
      new Option(
        '--response <mode>',
        'how the webhook responds: immediately, with the output, or from a node (default of a new webhook: accepted)',
      ).choices(RESPONSES),
    )
    .option('--mapping <json>', 'templates that build the input, as JSON or @file')
    .option('--filter <json>', 'rules that a request must match to start a run, as JSON or @file')
    .option('--thread-id <template>', 'thread of the run, such as chat-{{body.message.chat.id}}')
    .addOption(
      new Option(
        '--methods <methods...>',
        'methods whose requests start runs (default of a new webhook: POST and PUT)',
      ).choices(METHODS),
    )
    .addOption(
      new Option(
        '--deduplicate-by <way>',
        'which requests within 24 hours are duplicates: those with the same event ID, with the same content, or none (default of a new webhook: sender_id)',
      ).choices(DUPLICATES),
    )
    .option('--id-header <name>', 'header with the event ID (default: that of the verification)');

/** Builds the fields that the options name; a verification prompts for its secret. */
async function readHookOptions(options: HookOptions, screen: Screen): Promise<Fields> {
  const { name, verification, signature, response, mapping, filter, threadId, methods, deduplicateBy } =
    options;
  const { idHeader, secret = false } = options;
  const readJson = async (text: string | false) => (text === false ? null : readInput(text));
  return {
    ...(name === undefined ? {} : { name }),
    ...(verification === undefined ? {} : { verification }),
    ...(verification === undefined && !secret
      ? {}
      : { secrets: verification === 'none' ? [] : [await screen.secret('Secret')] }),
    ...(signature === undefined ? {} : { signature: await readInput(signature) }),
    ...(response === undefined ? {} : { response: { mode: response } }),
    ...(mapping === undefined ? {} : { mapping: await readJson(mapping) }),
    ...(filter === undefined ? {} : { filter: await readJson(filter) }),
    ...(threadId === undefined ? {} : { thread_id: threadId === false ? null : threadId }),
    ...(methods === undefined ? {} : { methods }),
    ...(deduplicateBy === undefined ? {} : { deduplicate_by: deduplicateBy }),
    ...(idHeader === undefined ? {} : { id_header: idHeader === false ? null : idHeader }),
  };
}

export function addHooks(program: Command, sessions: Sessions): void {
  const hooks = program.command('hooks').description('Manage webhooks, which start runs of a workflow');
  hooks
    .command('list')
    .description('List the webhooks of a workflow with their URLs')
    .argument('<workflow_id>')
    .action(async (id: string, _: object, command: Command) => {
      const session = await sessions.open(command);
      const columns = ['id', 'name', 'verification', 'enabled', 'last_delivery_at', 'url'] as const;
      await printList(session.client.hooks.list(id), columns, session);
    });
  addHookOptions(
    hooks
      .command('create')
      .description('Create a webhook; prompts for its secret')
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
      .description('Update a webhook; of one that the definition describes, its secret')
      .option('--name <name>', 'name')
      .option('--secret', 'prompt for a new secret, as --verification does'),
  )
    .option('--no-mapping', 'use the request body as the input')
    .option('--no-filter', 'start a run for every request')
    .option('--no-thread-id', 'start each run on a thread of its own')
    .option('--no-id-header', 'use the default header of the verification');
  addIdCommand<HookOptions>(update, IDS, {
    sessions,
    run: async ({ client, screen }, ids, options) => {
      const body = await readHookOptions(options, screen);
      if (Object.keys(body).length === 0)
        throw new CommandError('Nothing to change. Pass an option, such as --filter', EXIT.usage);
      screen.json(await client.hooks.update(toHook(ids), body as Body<'updateHook'>));
    },
  });
  addAddressCommands(hooks, sessions, {
    ids: IDS,
    noun: 'webhook',
    descriptions: {
      enable: 'Enable a webhook',
      disable: 'Disable a webhook; requests get 404',
      rotate: 'Give a webhook a new URL',
      keep: 'how long the previous URL stays valid',
      deliveries: 'List the requests of the last 7 days and the runs they started',
      delete: 'Delete a webhook; requests get 404',
    },
    columns: ['id', 'received_at', 'outcome', 'run_id'],
    enable: ({ hooks: all }, ids, enabled) => all.update(toHook(ids), { enabled }),
    rotate: ({ hooks: all }, ids, seconds) => all.rotate(toHook(ids), { keep_previous_seconds: seconds }),
    list: ({ hooks: all }, ids) => all.deliveries(toHook(ids)),
    delete: ({ hooks: all }, ids) => all.delete(toHook(ids)),
  });
  const redeliver = hooks.command('redeliver').description('Start a run from the request of a delivery');
  addIdCommand(redeliver, [...IDS, 'delivery_id'], {
    sessions,
    run: async ({ client, screen }, ids) =>
      screen.json(await client.hooks.redeliver({ ...toHook(ids), deliveryId: ids[2] ?? '' })),
  });
  const listen = hooks
    .command('listen')
    .description('Wait for the next request and print it; disable the webhook to receive it without a run')
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
  throw new CommandError(`No request was received within ${seconds} s`);
}
