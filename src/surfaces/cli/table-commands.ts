/** The commands `tables`: rows that outlive runs. */
import { InvalidArgumentError, type Command } from 'commander';
import type { Body } from '../client/client.ts';
import { readValue } from './definition-files.ts';
import { CommandError, EXIT } from './exit.ts';
import { addRowFiles } from './row-file-commands.ts';
import { addDelete, confirmDeletion, printList } from './resource-commands.ts';
import type { Session, Sessions } from './session.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Finds a table by its id or its name. @throws CommandError when there is none */
async function findTable({ client }: Session, given: string): Promise<string> {
  if (UUID.test(given)) return given;
  for await (const { id, name } of client.tables.list({ limit: 100 })) if (name === given) return id;
  throw new CommandError(`No table is named ${JSON.stringify(given)}`, EXIT.usage);
}

function readVersion(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a version, or 0 for no row.');
  return Number(text);
}

interface RowOptions {
  readonly prefix?: string;
  readonly field?: string;
  readonly equals?: string;
}

interface Expectation {
  readonly expect?: number;
}

const toExpected = ({ expect: version }: Expectation) =>
  version === undefined ? {} : { expected_version: version };

function addTableCommands(tables: Command, sessions: Sessions): void {
  tables
    .command('list')
    .description('List tables')
    .action(async (_: object, command: Command) => {
      const session = await sessions.open(command);
      const columns = ['id', 'name', 'row_count', 'description'] as const;
      await printList(session.client.tables.list({ limit: 100 }), columns, session);
    });
  tables
    .command('create')
    .description('Create a table')
    .argument('<name>')
    .option('--description <text>', 'description')
    .action(async (name: string, { description = '' }: { description?: string }, command: Command) => {
      const { client, screen } = await sessions.open(command);
      screen.json(await client.tables.create({ name, description }));
    });
  addDelete(tables, sessions, {
    resource: 'table with all its rows:',
    argument: '<table_id>',
    description: 'Delete a table with its rows',
    delete: (client, id) => client.tables.delete(id),
  });
}

export function addTables(program: Command, sessions: Sessions): void {
  const tables = program.command('tables').description('Manage tables, whose rows outlive runs');
  addTableCommands(tables, sessions);
  addRowFiles(tables, sessions, findTable);
  tables
    .command('rows')
    .description('List the rows of a table by key; --json prints one per line')
    .argument('<table>', 'name or ID')
    .option('--prefix <text>', 'only keys that begin with this')
    .option('--field <name>', 'only values with --equals in this field')
    .option('--equals <text>', 'value of --field, compared as text')
    .action(async (table: string, options: RowOptions, command: Command) => {
      const session = await sessions.open(command);
      const { prefix, field, equals } = options;
      const query = {
        limit: 100,
        ...(prefix === undefined ? {} : { prefix }),
        ...(field === undefined ? {} : { field }),
        ...(equals === undefined ? {} : { equals }),
      };
      const list = session.client.tables.rows(await findTable(session, table), query);
      await printList(list, ['key', 'value', 'version', 'updated_at', 'run_pk'], session);
    });
  tables
    .command('get')
    .description('Print a row')
    .argument('<table>', 'name or ID')
    .argument('<key>')
    .action(async (...[table, key, , command]: [string, string, object, Command]) => {
      const session = await sessions.open(command);
      const tableId = await findTable(session, table);
      session.screen.json(await session.client.tables.getRow({ tableId, key }));
    });
  tables
    .command('put')
    .description('Create a row, or replace its value')
    .argument('<table>', 'name or ID')
    .argument('<key>')
    .argument('<value>', 'JSON, @file, or - for stdin')
    .option('--expect <version>', 'only if the row has this version; 0: only if there is none', readVersion)
    .action(async (...[table, key, given, options, command]: PutArguments) => {
      const body = { value: await readValue(given), ...toExpected(options) } as Body<'putTableRow'>;
      const session = await sessions.open(command);
      const tableId = await findTable(session, table);
      session.screen.json(await session.client.tables.putRow({ tableId, key }, body));
    });
  tables
    .command('delete-row')
    .description('Delete a row')
    .argument('<table>', 'name or ID')
    .argument('<key>')
    .option('--expect <version>', 'only if the row has this version', readVersion)
    .option('-y, --yes', 'skip confirmation')
    .action(async (...[table, key, options, command]: DeleteArguments) => {
      const session = await sessions.open(command);
      const tableId = await findTable(session, table);
      await confirmDeletion(`row ${key}`, session, options.yes === true);
      await session.client.tables.deleteRow({ tableId, key }, toExpected(options));
    });
}

type PutArguments = [table: string, key: string, value: string, options: Expectation, command: Command];
type DeleteArguments = [
  table: string,
  key: string,
  options: Expectation & { readonly yes?: boolean },
  command: Command,
];
