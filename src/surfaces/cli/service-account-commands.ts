/** The command `service-accounts`. */
import type { Command } from 'commander';
import { CommandError, EXIT } from './exit.ts';
import type { Session, Sessions } from './session.ts';

interface LimitOption {
  /** Requests per minute. */
  readonly limit?: string;
}

/** @throws CommandError for anything but a positive whole number */
function readLimit({ limit }: LimitOption): { rate_limit_per_minute?: number } {
  if (limit === undefined) return {};
  if (!/^[1-9]\d{0,5}$/.test(limit))
    throw new CommandError(`Invalid limit ${limit}; expected a number of requests per minute`, EXIT.usage);
  return { rate_limit_per_minute: Number(limit) };
}

/** @throws CommandError when the deletion or revocation is not confirmed */
async function requireConfirmation(
  question: string,
  { screen }: Session,
  isConfirmed: boolean,
): Promise<void> {
  if (!(await screen.confirm(question, isConfirmed))) throw new CommandError('Cancelled', EXIT.stopped);
}

function addKeys(accounts: Command, sessions: Sessions): void {
  accounts
    .command('keys')
    .description('List the API keys of a service account without their secrets')
    .argument('<service_account_id>')
    .action(async (id: string, _: object, command: Command) => {
      const { client, screen, isJson } = await sessions.open(command);
      const { api_keys: keys } = await client.serviceAccounts.keys(id).page();
      if (isJson) for (const key of keys) screen.json(key);
      else
        screen.table(
          ['id', 'name', 'key', 'active', 'expires', 'last used'],
          keys.map((key) => [
            key.id,
            key.name,
            key.masked_key,
            key.is_active,
            key.expires_at,
            key.last_used_at,
          ]),
        );
    });
  accounts
    .command('create-key')
    .description('Create an API key of a service account; its secret is shown only once')
    .argument('<service_account_id>')
    .argument('<name>')
    .option('--expires <time>', 'expiry time in ISO 8601')
    .option('--limit <n>', 'requests per minute with this key (default: that of the account)')
    .action(
      async (
        ...[id, name, options, command]: [string, string, LimitOption & { expires?: string }, Command]
      ) => {
        const { client, screen } = await sessions.open(command);
        const expires = options.expires === undefined ? {} : { expires_at: options.expires };
        screen.json(await client.serviceAccounts.createKey(id, { name, ...expires, ...readLimit(options) }));
      },
    );
  accounts
    .command('revoke-key')
    .description('Revoke an API key of a service account')
    .argument('<service_account_id>')
    .argument('<api_key_id>')
    .option('-y, --yes', 'skip confirmation')
    .action(async (...[id, keyId, { yes }, command]: [string, string, { yes?: boolean }, Command]) => {
      const session = await sessions.open(command);
      await requireConfirmation(`Revoke key ${keyId}?`, session, yes === true);
      await session.client.serviceAccounts.revokeKey({ serviceAccountId: id, apiKeyId: keyId });
    });
}

export function addServiceAccounts(program: Command, sessions: Sessions): void {
  const accounts = program
    .command('service-accounts')
    .description('Manage service accounts: identities for programs');
  accounts
    .command('list')
    .description('List service accounts')
    .action(async (_: object, command: Command) => {
      const { client, screen, isJson } = await sessions.open(command);
      const { service_accounts: rows } = await client.serviceAccounts.list().page();
      if (isJson) for (const row of rows) screen.json(row);
      else
        screen.table(
          ['id', 'name', 'role', 'requests per minute', 'created by'],
          rows.map((row) => [row.id, row.name, row.role, row.rate_limit_per_minute, row.created_by_email]),
        );
    });
  accounts
    .command('create')
    .description('Create a service account')
    .argument('<name>')
    .option('--role <role>', 'admin or owner', 'admin')
    .option('--limit <n>', 'requests per minute across all its keys')
    .action(async (name: string, options: LimitOption & { role: string }, command: Command) => {
      const { client, screen } = await sessions.open(command);
      const role = options.role === 'owner' ? 'owner' : 'admin';
      if (role !== options.role) throw new CommandError('The role must be admin or owner', EXIT.usage);
      screen.json(await client.serviceAccounts.create({ name, role, ...readLimit(options) }));
    });
  accounts
    .command('delete')
    .description('Delete a service account and revoke its keys')
    .argument('<service_account_id>')
    .option('-y, --yes', 'skip confirmation')
    .action(async (id: string, { yes }: { yes?: boolean }, command: Command) => {
      const session = await sessions.open(command);
      await requireConfirmation(`Delete service account ${id}?`, session, yes === true);
      await session.client.serviceAccounts.delete(id);
    });
  addKeys(accounts, sessions);
}
