/** The command `audit`: who did what in the organization. */
import type { Command } from 'commander';
import type { Reply } from '../client/operations.ts';
import { CommandError, EXIT } from './exit.ts';
import type { Sessions } from './session.ts';

interface AuditOptions {
  readonly action?: string;
  readonly actor?: string;
  readonly object?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit: string;
}

type Entry = Reply<'listAuditLog'>['entries'][number];

const describeRow = ({ created_at: at, actor, action, object, ip_address: address }: Entry): unknown[] => [
  at,
  actor.name ?? actor.id ?? actor.type,
  action,
  object.name ?? object.id,
  address,
];

export function addAuditLog(program: Command, sessions: Sessions): void {
  program
    .command('audit')
    .description('List the audit log, newest first; --json prints one entry per line')
    .option('--action <action>', 'an action, such as credential.deleted, or a type, such as credential')
    .option('--actor <user_id>', 'only actions of this user or service account')
    .option('--object <id>', 'only actions on this object')
    .option('--since <time>', 'at or after this ISO 8601 time')
    .option('--until <time>', 'before this ISO 8601 time')
    .option('-n, --limit <n>', 'maximum number of entries; 0 for all', '50')
    .action(async (options: AuditOptions, command: Command) => {
      if (!/^\d{1,9}$/.test(options.limit))
        throw new CommandError(`Invalid limit ${options.limit}; expected a whole number`, EXIT.usage);
      const limit = Number(options.limit);
      const { client, screen, isJson } = await sessions.open(command);
      const { action, actor, object, since, until } = options;
      const filter = {
        ...(action === undefined ? {} : { action }),
        ...(actor === undefined ? {} : { actor_id: actor }),
        ...(object === undefined ? {} : { object_id: object }),
        ...(since === undefined ? {} : { since }),
        ...(until === undefined ? {} : { until }),
      };
      const rows: unknown[][] = [];
      let count = 0;
      for await (const entry of client.auditLog.list(filter)) {
        if (isJson) screen.json(entry);
        else rows.push(describeRow(entry));
        count += 1;
        if (count === limit) break;
      }
      if (!isJson) screen.table(['time', 'actor', 'action', 'object', 'address'], rows);
    });
}
