/** The commands that webhooks and notification endpoints share: both are addresses with a log of deliveries. */
import type { Command } from 'commander';
import type { WorkflowClient } from '../client/client.ts';
import { confirmDeletion, printList } from './resource-commands.ts';
import type { Session, Sessions } from './session.ts';

interface AddressCommands<Delivery extends object> {
  /** The ids that name an address, in the order of the arguments. */
  readonly ids: readonly string[];
  /** The word for one, where a deletion is confirmed. */
  readonly noun: string;
  readonly descriptions: Readonly<
    Record<'enable' | 'disable' | 'rotate' | 'keep' | 'deliveries' | 'delete', string>
  >;
  readonly columns: readonly (keyof Delivery & string)[];
  readonly enable: (client: WorkflowClient, ids: readonly string[], enabled: boolean) => Promise<unknown>;
  readonly rotate: (client: WorkflowClient, ids: readonly string[], keepSeconds: number) => Promise<unknown>;
  readonly list: (client: WorkflowClient, ids: readonly string[]) => AsyncIterable<Delivery>;
  readonly delete: (client: WorkflowClient, ids: readonly string[]) => Promise<unknown>;
}

/** Adds a command whose arguments are ids. */
export function addIdCommand<Options extends object>(
  command: Command,
  ids: readonly string[],
  {
    sessions,
    run,
  }: {
    readonly sessions: Sessions;
    readonly run: (session: Session, ids: readonly string[], options: Options) => Promise<void>;
  },
): void {
  for (const id of ids) command.argument(`<${id}>`);
  command.action(async (...given: unknown[]) => {
    const [options, own] = given.slice(ids.length) as [Options, Command];
    await run(await sessions.open(own), given.slice(0, ids.length) as string[], options);
  });
}

/** Adds enable, disable, rotate, deliveries and delete. */
export function addAddressCommands<Delivery extends object>(
  parent: Command,
  sessions: Sessions,
  address: AddressCommands<Delivery>,
): void {
  const { ids, noun, descriptions } = address;
  for (const verb of ['enable', 'disable'] as const)
    addIdCommand(parent.command(verb).description(descriptions[verb]), ids, {
      sessions,
      run: async ({ client, screen }, given) =>
        screen.json(await address.enable(client, given, verb === 'enable')),
    });
  const rotate = parent
    .command('rotate')
    .description(descriptions.rotate)
    .option('--keep <seconds>', descriptions.keep, '86400');
  addIdCommand<{ keep: string }>(rotate, ids, {
    sessions,
    run: async ({ client, screen }, given, { keep }) =>
      screen.json(await address.rotate(client, given, Number(keep))),
  });
  addIdCommand(parent.command('deliveries').description(descriptions.deliveries), ids, {
    sessions,
    run: (session, given) => printList(address.list(session.client, given), address.columns, session),
  });
  const remove = parent
    .command('delete')
    .description(descriptions.delete)
    .option('-y, --yes', 'skip confirmation');
  addIdCommand<{ yes?: boolean }>(remove, ids, {
    sessions,
    run: async (session, given, { yes }) => {
      await confirmDeletion(`${noun} ${given.at(-1)}`, session, yes === true);
      await address.delete(session.client, given);
    },
  });
}
