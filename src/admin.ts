/** The operator's CLI: `npm run admin -- <command>`. It works on the database directly and needs no running process. */
import { parseArgs } from 'node:util';
import { mintKey } from './access/api-key.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { openDb, type Db } from './db/client.ts';
import { Reconciler } from './dispatch/reconciler.ts';
import { stuckRuns } from './journal/open-runs.ts';
import { createLog } from './log.ts';
import { connectEngine } from '../temporal/client.ts';

interface Command {
  readonly summary: string;
  readonly usage: string;
  run(args: string[], config: Config, db: Db): Promise<void>;
}

/** Wrong use of the command line: exit status 2. */
class UsageError extends Error {}
/** What was asked for does not exist, or may not be: exit status 1. */
class Refused extends Error {}

const PLANS: readonly string[] = ['free', 'pro', 'max', 'enterprise'];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Documented options of `org:set` whose tables this version does not have. */
const NOT_YET = ['credits-used', 'wallet', 'overage'] as const;

function readEntitlements(given: readonly string[]): Record<string, number | null> {
  return Object.fromEntries(
    given.map((pair): [string, number | null] => {
      const [, key, value] = /^([a-z][a-z0-9_]*)=(null|\d{1,12})$/.exec(pair) ?? [];
      if (key === undefined || value === undefined) {
        throw new UsageError(`--entitlement ${pair}: KEY=VALUE is needed, VALUE a whole number or null`);
      }
      return [key, value === 'null' ? null : Number(value)];
    }),
  );
}

const orgSet: Command = {
  summary: 'Set the plan, entitlements or suspension of an organization',
  usage:
    'org:set <org_id> [--plan NAME] [--entitlement KEY=VALUE]... [--suspended | --not-suspended]\n' +
    `         plans: ${PLANS.join(', ')}; VALUE: a whole number, or null for unlimited`,
  async run(args, _config, db) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        plan: { type: 'string' },
        entitlement: { type: 'string', multiple: true },
        suspended: { type: 'boolean' },
        'not-suspended': { type: 'boolean' },
        'credits-used': { type: 'string' },
        wallet: { type: 'string' },
        overage: { type: 'string' },
      },
    });
    for (const name of NOT_YET) {
      if (values[name] !== undefined) throw new UsageError(`--${name}: not available in this version`);
    }
    const [organizationId] = positionals;
    if (organizationId === undefined || positionals.length > 1) throw new UsageError('one org_id is needed');
    if (values.plan !== undefined && !PLANS.includes(values.plan)) {
      throw new UsageError(`--plan ${values.plan}: one of ${PLANS.join(', ')} is needed`);
    }
    const suspended = values.suspended === true ? true : values['not-suspended'] === true ? false : null;
    const rows = UUID.test(organizationId)
      ? await db.query(
          `UPDATE organizations SET plan = coalesce($2, plan), entitlements = entitlements || $3::jsonb,
                  is_suspended = coalesce($4, is_suspended)
           WHERE id = $1 RETURNING id, name, plan, entitlements, is_suspended`,
          [
            organizationId,
            values.plan ?? null,
            JSON.stringify(readEntitlements(values.entitlement ?? [])),
            suspended,
          ],
        )
      : [];
    if (rows.length === 0) throw new Refused(`there is no organization ${organizationId}`);
    console.log(JSON.stringify(rows[0]));
  },
};

const keyCreate: Command = {
  summary: 'Create an API key for a user; the key is printed once',
  usage: 'key:create --user EMAIL [--name NAME] [--org ORG_ID]',
  async run(args, config, db) {
    const { values } = parseArgs({
      args,
      options: { user: { type: 'string' }, name: { type: 'string' }, org: { type: 'string' } },
    });
    if (values.user === undefined) throw new UsageError('--user EMAIL is needed');
    if (values.org !== undefined && !UUID.test(values.org)) throw new UsageError('--org: a UUID is needed');
    const users = await db.query<{ id: string }>(
      `SELECT u.id FROM users u WHERE lower(u.email) = lower($1) AND u.is_active
         AND ($2::uuid IS NULL OR EXISTS (
           SELECT 1 FROM memberships m WHERE m.user_id = u.id AND m.organization_id = $2 AND m.is_active))`,
      [values.user, values.org ?? null],
    );
    const [user] = users;
    if (user === undefined)
      throw new Refused(`there is no active user ${values.user} (in that organization)`);
    if (users.length > 1) throw new Refused(`${values.user} is the address of ${users.length} users`);
    const minted = mintKey(config.auth.apiKeySecret);
    await db.query(
      'INSERT INTO api_keys (user_id, name, fingerprint, key_hint, organization_id) VALUES ($1, $2, $3, $4, $5)',
      [
        user.id,
        values.name ?? 'Created by the operator',
        minted.fingerprint,
        minted.keyHint,
        values.org ?? null,
      ],
    );
    console.log(minted.key);
  },
};

const runsStuck: Command = {
  summary: 'List running runs without any event for a time, the quietest first',
  usage: 'runs:stuck [--older-than SECONDS]   (default 300)',
  async run(args, _config, db) {
    const { values } = parseArgs({ args, options: { 'older-than': { type: 'string', default: '300' } } });
    if (!/^\d{1,9}$/.test(values['older-than']))
      throw new UsageError('--older-than: whole seconds are needed');
    for (const run of await stuckRuns(db, Number(values['older-than']), 1_000))
      console.log(JSON.stringify(run));
  },
};

const runsReconcile: Command = {
  summary: 'Compare open runs with Temporal now, and end those whose execution is gone',
  usage: 'runs:reconcile',
  async run(args, config, db) {
    parseArgs({ args, options: {} });
    const log = createLog(config.logLevel, 'admin');
    const engine = await connectEngine(config, log);
    try {
      const ended = await new Reconciler({ db, engine, log }).sweep();
      console.log(JSON.stringify({ ended }));
    } finally {
      await engine.close();
    }
  },
};

const COMMANDS: Readonly<Record<string, Command>> = {
  'org:set': orgSet,
  'key:create': keyCreate,
  'runs:stuck': runsStuck,
  'runs:reconcile': runsReconcile,
};

const overview = (): string =>
  [
    'npm run admin -- <command> [--help]',
    '',
    ...Object.values(COMMANDS).map((c) => `  ${c.usage}\n      ${c.summary}`),
  ].join('\n');

async function main([name, ...args]: readonly string[]): Promise<void> {
  const command = name === undefined || !Object.hasOwn(COMMANDS, name) ? undefined : COMMANDS[name];
  if (command === undefined) {
    if (name !== undefined && name !== '--help' && name !== 'help')
      throw new UsageError(`unknown command: ${name}`);
    console.log(overview());
    return;
  }
  if (args.includes('--help') || args.includes('-h')) {
    console.log(`${command.usage}\n    ${command.summary}`);
    return;
  }
  const config = readConfig(process.env);
  const db = openDb(config.databaseUrl, 4);
  try {
    await command.run(args, config, db);
  } finally {
    await db.close();
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isParseError =
    error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  const isUsage = error instanceof UsageError || isParseError;
  const isExpected = isUsage || error instanceof Refused || error instanceof ConfigError;
  console.error(isExpected ? (error as Error).message : error);
  if (isUsage) console.error(`\n${overview()}`);
  process.exitCode = isUsage ? 2 : 1;
});
