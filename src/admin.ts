/** The operator's command line: `npm run admin -- <command>`. It uses the database directly and needs no running process. */
import { parseArgs } from 'node:util';
import { CommandRefused, UsageError, UUID, type Command } from './admin-command.ts';
import { orgFind, orgList, orgSet } from './admin-organizations.ts';
import { DEFAULT_KEY_LIMIT, createKey } from './access/api-key.ts';
import { ConfigError, readConfig } from './config/config.ts';
import { openDb, openPatientSession } from './db/client.ts';
import { adoptNamespace } from './runs/outbox/namespace-guard.ts';
import { Reconciler } from './runs/outbox/reconciler.ts';
import { findStuckRuns } from './runs/ledger/open-runs.ts';
import { buildMissingIndexes } from './knowledge/vector-index.ts';
import { diagnose, formatDiagnosis } from './doctor.ts';
import { createLog } from './log.ts';
import { rewrapAll } from './credentials/vault/rotation.ts';
import { connectEngine } from '../temporal/client/client.ts';
import { startCodecServer } from '../temporal/codec/codec-server.ts';

const keyCreate: Command = {
  summary: 'Create an API key for a user; the key is printed once',
  usage: 'key:create --user EMAIL|USER_ID [--name NAME] [--org ORG_ID]',
  async run(args, config, db) {
    const { values } = parseArgs({
      args,
      options: { user: { type: 'string' }, name: { type: 'string' }, org: { type: 'string' } },
    });
    if (values.user === undefined) throw new UsageError('--user EMAIL|USER_ID is needed');
    if (values.org !== undefined && !UUID.test(values.org)) throw new UsageError('--org: a UUID is needed');
    const users = await db.query<{ id: string }>(
      `SELECT u.id FROM users u
       WHERE (lower(u.email) = lower($1) OR u.id::text = lower($1) OR u.subject = $1) AND u.is_active
         AND ($2::uuid IS NULL OR EXISTS (
           SELECT 1 FROM memberships m WHERE m.user_id = u.id AND m.organization_id = $2 AND m.is_active))`,
      [values.user, values.org ?? null],
    );
    const [user] = users;
    if (user === undefined)
      throw new CommandRefused(`there is no active user ${values.user} (in that organization)`);
    if (users.length > 1)
      throw new CommandRefused(`${users.length} users have the address ${values.user}: pass a user id`);
    const owner = {
      userId: user.id,
      name: values.name ?? 'Created by the operator',
      organizationId: values.org ?? null,
      rateLimitPerMinute: DEFAULT_KEY_LIMIT,
    };
    console.log(await createKey(db, config.auth.apiKeySecret, owner));
  },
};

const runsStuck: Command = {
  summary: 'List running runs without recent events, the longest silent first',
  usage: 'runs:stuck [--older-than SECONDS]   (default 300)',
  async run(args, _config, db) {
    const { values } = parseArgs({ args, options: { 'older-than': { type: 'string', default: '300' } } });
    if (!/^\d{1,9}$/.test(values['older-than']))
      throw new UsageError('--older-than: whole seconds are needed');
    for (const run of await findStuckRuns(db, Number(values['older-than']), 1_000))
      console.log(JSON.stringify(run));
  },
};

const runsReconcile: Command = {
  summary: 'Compare open runs with Temporal now, and end runs without an execution',
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

const temporalAdopt: Command = {
  summary:
    'Accept the present namespace of Temporal as the one of this database, after the former one is gone for good: ' +
    'workers then end the runs that are executed nowhere',
  usage: 'temporal:adopt',
  async run(args, config, db) {
    parseArgs({ args, options: {} });
    const engine = await connectEngine(config, createLog(config.logLevel, 'admin'));
    try {
      const { from, to } = await adoptNamespace({ db, engine });
      if (to === null) throw new CommandRefused('Temporal does not tell the identity of its namespace');
      console.log(JSON.stringify({ from: from?.namespaceId ?? null, to: to.namespaceId }));
    } finally {
      await engine.close();
    }
  },
};

const credentialsRewrap: Command = {
  summary:
    'Re-encrypt all credentials with the first key of ENCRYPTION_KEYS; the other keys can then be removed',
  usage: 'credentials:rewrap',
  async run(args, config, db) {
    parseArgs({ args, options: {} });
    if (config.encryptionKeys.length === 0) throw new CommandRefused('ENCRYPTION_KEYS is not set');
    const done = await rewrapAll({ db, config, log: createLog(config.logLevel, 'admin') });
    console.log(JSON.stringify(done));
    if (done.unreadable > 0)
      throw new CommandRefused(`${done.unreadable} credentials need a key that is not configured`);
  },
};

const knowledgeIndex: Command = {
  summary: 'Build missing vector indexes of large knowledge bases while the service runs',
  usage: 'knowledge:index',
  async run(args, config) {
    parseArgs({ args, options: {} });
    const session = openPatientSession(config.databaseUrl);
    try {
      console.log(JSON.stringify({ built: await buildMissingIndexes(session) }));
    } finally {
      await session.close();
    }
  },
};

const codecServe: Command = {
  summary: "Decode payloads for Temporal's UI and CLI on this machine, until Ctrl-C (--codec-endpoint)",
  usage: 'codec:serve [--port 8888]',
  async run(args, config) {
    const { values } = parseArgs({ args, options: { port: { type: 'string', default: '8888' } } });
    if (!/^\d{1,5}$/.test(values.port))
      throw new UsageError(`--port ${values.port}: a port number is needed`);
    const origin = config.temporal.uiUrl === undefined ? null : new URL(config.temporal.uiUrl).origin;
    const server = await startCodecServer({
      keys: config.encryptionKeys,
      uiOrigin: () => origin,
      port: Number(values.port),
    });
    console.log(
      `Codec server on ${server.url}, for the UI at ${origin ?? 'no origin: TEMPORAL_UI_URL is not set'}`,
    );
    await new Promise<void>((resolve) => {
      process.once('SIGINT', resolve);
      process.once('SIGTERM', resolve);
    });
    await server.close();
  },
};

const doctor: Command = {
  summary:
    'Check configuration, database, Temporal, queues, clock, disk and identity provider, each with its remedy',
  usage: 'doctor [--json]   (exit status 1 when a check fails)',
  async run(args, config, db) {
    const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } });
    const diagnosis = await diagnose(config, db);
    console.log(values.json ? JSON.stringify(diagnosis) : formatDiagnosis(diagnosis));
    if (diagnosis.status === 'failed') process.exitCode = 1;
  },
};

const COMMANDS: Readonly<Record<string, Command>> = {
  doctor,
  'org:list': orgList,
  'org:find': orgFind,
  'org:set': orgSet,
  'key:create': keyCreate,
  'runs:stuck': runsStuck,
  'runs:reconcile': runsReconcile,
  'temporal:adopt': temporalAdopt,
  'credentials:rewrap': credentialsRewrap,
  'knowledge:index': knowledgeIndex,
  'codec:serve': codecServe,
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
  const isExpected = isUsage || error instanceof CommandRefused || error instanceof ConfigError;
  console.error(isExpected ? (error as Error).message : error);
  if (isUsage) console.error(`\n${overview()}`);
  process.exitCode = isUsage ? 2 : 1;
});
