/** The commands `schedules`, `credentials`, `kb` and `keys`. */
import type { Command } from 'commander';
import { openAsBlob } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { cutText } from '../../language/graph/values/cut-text.ts';
import type { Body } from '../client/client.ts';
import { readInput } from './definition-files.ts';
import { CommandError, EXIT } from './exit.ts';
import type { Session, Sessions } from './session.ts';

/** Prints a list as a table of the given columns, or as JSON lines. */
export async function printList<Row extends object>(
  list: AsyncIterable<Row>,
  columns: readonly (keyof Row & string)[],
  session: Session,
): Promise<void> {
  const rows: unknown[][] = [];
  for await (const item of list) {
    if (session.isJson) session.screen.json(item);
    else rows.push(columns.map((name) => item[name]));
  }
  if (!session.isJson) session.screen.table(columns, rows);
}

/** Asks before a deletion. @throws CommandError when the person says no */
export async function confirmDeletion(what: string, session: Session, isConfirmed: boolean): Promise<void> {
  if (!(await session.screen.confirm(`Delete ${what}?`, isConfirmed)))
    throw new CommandError('Deletion cancelled', EXIT.stopped);
}

interface DeleteCommand {
  /** The resource as the question names it: `schedule`. */
  readonly resource: string;
  readonly argument: string;
  readonly description: string;
  /** Default: `delete`. */
  readonly verb?: string;
  readonly delete: (client: Session['client'], id: string) => Promise<unknown>;
}

/** Adds the command that deletes a resource after a confirmation. */
export function addDelete(parent: Command, sessions: Sessions, spec: DeleteCommand): void {
  parent
    .command(spec.verb ?? 'delete')
    .description(spec.description)
    .argument(spec.argument)
    .option('-y, --yes', 'skip confirmation')
    .action(async (id: string, { yes }: { yes?: boolean }, command: Command) => {
      const session = await sessions.open(command);
      await confirmDeletion(`${spec.resource} ${id}`, session, yes === true);
      await spec.delete(session.client, id);
    });
}

export function addSchedules(program: Command, sessions: Sessions): void {
  const schedules = program.command('schedules').description('Manage schedules');
  schedules
    .command('list')
    .description('List schedules')
    .action(async (_: object, command: Command) => {
      const session = await sessions.open(command);
      await printList(
        session.client.schedules.list(),
        ['id', 'name', 'cron_expression', 'timezone', 'enabled', 'next_run_at'],
        session,
      );
    });
  schedules
    .command('create')
    .description('Create a schedule for a workflow')
    .argument('<workflow_id>')
    .argument('<cron>')
    .requiredOption('--name <name>', 'name')
    .option('--timezone <zone>', 'IANA time zone', 'UTC')
    .option('-i, --input <json>', 'input as JSON, @file, or - for stdin')
    .action(
      async (
        ...[id, cron, options, command]: [
          string,
          string,
          { name: string; timezone: string; input?: string },
          Command,
        ]
      ) => {
        const { client, screen } = await sessions.open(command);
        const { name, timezone } = options;
        const input = await readInput(options.input);
        const body = { workflow_id: id, cron_expression: cron, name, timezone, input };
        screen.json(await client.schedules.create(body as Body<'createSchedule'>));
      },
    );
  const descriptions = {
    pause: 'Pause a schedule',
    resume: 'Resume a schedule',
    trigger: 'Start a run of a schedule now',
  } as const;
  for (const verb of ['pause', 'resume', 'trigger'] as const)
    schedules
      .command(verb)
      .description(descriptions[verb])
      .argument('<schedule_id>')
      .action(async (id: string, _: object, command: Command) => {
        const { client, screen } = await sessions.open(command);
        screen.json(await client.schedules[verb](id));
      });
  addDelete(schedules, sessions, {
    resource: 'schedule',
    argument: '<schedule_id>',
    description: 'Delete a schedule',
    delete: (client, id) => client.schedules.delete(id),
  });
}

export function addCredentials(program: Command, sessions: Sessions): void {
  const credentials = program.command('credentials').description('Manage credentials for other services');
  credentials
    .command('list')
    .description('List credentials without their secrets')
    .action(async (_: object, command: Command) => {
      const session = await sessions.open(command);
      const columns = ['credential_id', 'name', 'integration', 'auth_type', 'status'] as const;
      await printList(session.client.credentials.list(), columns, session);
    });
  credentials
    .command('create')
    .description('Create a credential; prompts for the secrets without --data')
    .argument('<integration>')
    .requiredOption('--name <name>', 'name')
    .requiredOption('--auth-type <type>', 'authentication type, such as api_key')
    .option(
      '--allowed-host <host...>',
      'hosts that may receive the credential, for integrations without fixed hosts',
    )
    .option('--data <json>', 'secrets as @file or JSON (JSON is kept in the shell history)')
    .action(
      async (
        integration: string,
        options: { name: string; authType: string; allowedHost?: string[]; data?: string },
        command: Command,
      ) => {
        const { client, screen } = await sessions.open(command);
        const data = await readInput(options.data ?? (await screen.secret('Secrets (JSON)')));
        const { name, authType, allowedHost } = options;
        const hosts = allowedHost === undefined ? {} : { allowed_hosts: allowedHost };
        const body = { integration, name, auth_type: authType, data, ...hosts };
        screen.json(await client.credentials.create(body as Body<'createCredential'>));
      },
    );
  credentials
    .command('test')
    .description('Test a credential against its service')
    .argument('<credential_id>')
    .action(async (id: string, _: object, command: Command) => {
      const { client, screen } = await sessions.open(command);
      const tested = await client.credentials.test(id);
      screen.json(tested);
      if (!tested.success) sessions.exitCode = EXIT.failed;
    });
  addDelete(credentials, sessions, {
    resource: 'credential',
    argument: '<credential_id>',
    description: 'Delete a credential',
    delete: (client, id) => client.credentials.delete(id),
  });
}

async function uploadFolder(
  knowledgeId: string,
  folder: string,
  { client, screen }: Session,
): Promise<number> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
  let failed = 0;
  for (const [index, { parentPath, name }] of files.entries()) {
    const path = join(parentPath, name);
    const shown = relative(folder, path);
    const bar = ({ sent, total }: { sent: number; total: number }): void => {
      const width = Math.round((20 * sent) / total);
      screen.progress(`[${'█'.repeat(width).padEnd(20)}] ${index + 1}/${files.length} ${shown}`);
    };
    try {
      const file = await openAsBlob(path);
      await client.knowledgeBases.upload(knowledgeId, { file, fileName: name, onProgress: bar });
      screen.line(screen.isLive ? '' : `${index + 1}/${files.length} ${shown}`);
    } catch (error) {
      failed += 1;
      if (screen.isLive) screen.line('');
      screen.note(`${shown}: ${(error as Error).message}`);
    }
  }
  if (failed > 0) screen.note(`${failed} of ${files.length} files failed`);
  return failed === 0 ? EXIT.completed : EXIT.failed;
}

export function addKnowledge(program: Command, sessions: Sessions): void {
  const kb = program.command('kb').description('Manage knowledge bases');
  kb.command('list')
    .description('List knowledge bases')
    .action(async (_: object, command: Command) => {
      const session = await sessions.open(command);
      await printList(session.client.knowledgeBases.list(), ['id', 'name', 'description'], session);
    });
  kb.command('create')
    .description('Create a knowledge base')
    .argument('<name>')
    .option('--description <text>', 'description')
    .action(async (name: string, { description }: { description?: string }, command: Command) => {
      const { client, screen } = await sessions.open(command);
      screen.json(
        await client.knowledgeBases.create({ name, ...(description === undefined ? {} : { description }) }),
      );
    });
  kb.command('upload')
    .description('Upload all files in a folder')
    .argument('<knowledge_id>')
    .argument('<folder>')
    .action(async (...[id, folder, , command]: [string, string, object, Command]) => {
      sessions.exitCode = await uploadFolder(id, folder, await sessions.open(command));
    });
  kb.command('search')
    .description('Search a knowledge base')
    .argument('<knowledge_id>')
    .argument('<query>')
    .option('--top <n>', 'maximum number of matches', '5')
    .action(async (...[id, query, { top }, command]: [string, string, { top: string }, Command]) => {
      const { client, screen, isJson } = await sessions.open(command);
      const found = await client.knowledgeBases.search(id, { query, top_k: Number(top) });
      if (isJson) screen.json(found);
      else
        screen.table(
          ['score', 'document', 'content'],
          found.matches.map((match) => [
            match.score.toFixed(3),
            match.document_name,
            cutText(match.content ?? '', 200),
          ]),
        );
    });
}

export function addKeys(program: Command, sessions: Sessions): void {
  const keys = program.command('keys').description('Manage API keys');
  keys
    .command('list')
    .description('List API keys without their secrets')
    .action(async (_: object, command: Command) => {
      const session = await sessions.open(command);
      const columns = ['id', 'name', 'masked_key', 'is_active', 'expires_at', 'last_used_at'] as const;
      await printList(session.client.apiKeys.list(), columns, session);
    });
  keys
    .command('create')
    .description('Create an API key; its secret is shown only once')
    .argument('<name>')
    .option('--expires <time>', 'expiry time in ISO 8601')
    .action(async (name: string, { expires }: { expires?: string }, command: Command) => {
      const { client, screen, organizationId } = await sessions.open(command);
      screen.json(
        await client.apiKeys.create({
          name,
          ...(organizationId === undefined ? {} : { organization_id: organizationId }),
          ...(expires === undefined ? {} : { expires_at: expires }),
        }),
      );
    });
  addDelete(keys, sessions, {
    verb: 'revoke',
    resource: 'key',
    argument: '<api_key_id>',
    description: 'Revoke an API key',
    delete: (client, id) => client.apiKeys.revoke(id),
  });
}
