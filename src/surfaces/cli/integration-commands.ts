/** The commands `integrations`: the catalog, and the types that the organization makes. */
import type { Command } from 'commander';
import type { Body } from '../client/client.ts';
import { readInput } from './definition-files.ts';
import { CommandError, EXIT } from './exit.ts';
import { addDelete, printList } from './resource-commands.ts';
import type { Session, Sessions } from './session.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Finds a type of the organization by its id or its name. @throws CommandError when there is none */
async function findTypeId({ client }: Pick<Session, 'client'>, given: string): Promise<string> {
  if (UUID.test(given)) return given;
  for await (const { id, name } of client.integrationTypes.list()) if (name === given) return id;
  throw new CommandError(`No integration type is named ${JSON.stringify(given)}`, EXIT.usage);
}

const ABOUT_TYPE = 'the type as @file, JSON, or - for standard input';

export function addIntegrations(program: Command, sessions: Sessions): void {
  const integrations = program
    .command('integrations')
    .description('List integrations, and manage those that the organization makes');
  integrations
    .command('list')
    .description('List the catalog and the types of the organization')
    .action(async (_: object, command: Command) => {
      const session = await sessions.open(command);
      const columns = ['name', 'display_name', 'category', 'connected'] as const;
      await printList(session.client.integrations.list(), columns, session);
    });
  integrations
    .command('show')
    .description('Show an integration with the fields of its credentials and its actions')
    .argument('<name>')
    .action(async (name: string, _: object, command: Command) => {
      const { client, screen } = await sessions.open(command);
      screen.json(await client.integrations.get(name));
    });
  integrations
    .command('create')
    .description('Create a type: where the secrets of its credentials go')
    .argument('<json>', ABOUT_TYPE)
    .action(async (json: string, _: object, command: Command) => {
      const { client, screen } = await sessions.open(command);
      const body: object = await readInput(json);
      screen.json(await client.integrationTypes.create(body as Body<'createIntegrationType'>));
    });
  integrations
    .command('update')
    .description('Change fields of a type')
    .argument('<type>', 'id or name')
    .argument('<json>', ABOUT_TYPE)
    .action(async (given: string, json: string, _: object, command: Command) => {
      const { client, screen } = await sessions.open(command);
      const id = await findTypeId({ client }, given);
      const body: object = await readInput(json);
      screen.json(await client.integrationTypes.update(id, body as Body<'updateIntegrationType'>));
    });
  addDelete(integrations, sessions, {
    resource: 'integration type',
    argument: '<type>',
    description: 'Delete a type that no credential has, by its id or name',
    delete: async (client, given) => client.integrationTypes.delete(await findTypeId({ client }, given)),
  });
}
