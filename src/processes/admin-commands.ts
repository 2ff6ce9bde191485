/** The commands of the operator's command line. They use the database directly and need no running process. */
import { systemClock } from '../base/clock.ts';
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { auditExport, auditPrune } from './admin-audit.ts';
import { bundle } from './admin-bundle.ts';
import { CommandRefused, createCommandLog, JSON_OPTION, UsageError, type Command } from './admin-command.ts';
import { dataErase, dataExport, dataJobs, retentionSet } from './admin-data.ts';
import { orgFind, orgList, orgSet } from './admin-organizations.ts';
import { keyCreate, userCreate } from './admin-users.ts';
import { buildOperatorContext } from '../platform/access/actor.ts';
import { recordAction } from '../platform/audit/audit-log.ts';
import { ConfigError, readConfig, type Config } from '../base/config/config.ts';
import { openDb, openPatientSession, type Db } from '../base/db/client.ts';
import { isTransientDatabaseError, readSqlState } from '../base/db/transient-error.ts';
import { ForeignNamespace, NamespaceGuard, adoptNamespace } from '../engine/runs/outbox/namespace-guard.ts';
import { Reconciler } from '../engine/runs/outbox/reconciler.ts';
import { findStuckRuns } from '../engine/runs/ledger/read/open-runs.ts';
import { buildMissingIndexes } from '../platform/knowledge/vector-index.ts';
import { diagnose, formatDiagnosis, refuseConfiguration, type Diagnosis } from './doctor.ts';
import { TemporalUnavailable } from '../base/errors.ts';
import { createLog } from '../base/log.ts';
import { rewrapAll } from '../platform/credentials/vault/rotation.ts';
import { connectEngine } from '../../temporal/client/client.ts';
import { prepareTemporal } from '../../temporal/client/namespace.ts';
import { startCodecServer } from '../../temporal/codec/codec-server.ts';

const runsStuck: Command = {
  summary: 'List running runs without recent events, the longest silent first',
  usage: 'runs:stuck [--older-than SECONDS] [--json]   (default 300)',
  async run(args, _config, db) {
    const { values } = parseArgs({
      args,
      options: { ...JSON_OPTION, 'older-than': { type: 'string', default: '300' } },
    });
    if (!/^\d{1,9}$/.test(values['older-than']))
      throw new UsageError('--older-than: whole seconds are needed');
    for (const run of await findStuckRuns(db, Number(values['older-than']), 1_000))
      console.log(JSON.stringify(run));
  },
};

const runsReconcile: Command = {
  summary: 'Compare open runs with Temporal now, and end runs without an execution',
  usage: 'runs:reconcile [--json]',
  async run(args, config, db) {
    parseArgs({ args, options: JSON_OPTION });
    const log = createCommandLog(config);
    const engine = await connectEngine(config, createLog('silent', 'admin'));
    try {
      const guard = new NamespaceGuard({ db, engine, clock: systemClock });
      // A sweep without Temporal ends nothing, as one that finds all in order.
      await guard.require();
      const ended = await new Reconciler({ db, engine, guard, log }).sweep();
      console.log(JSON.stringify({ ended }));
    } finally {
      await engine.close();
    }
  },
};

const temporalSetup: Command = {
  summary:
    'Create the namespace in Temporal, unless it exists, and register the search attributes of runs; repeatable',
  usage: 'temporal:setup [--retention-days N] [--json]   (default 7)',
  async run(args, config) {
    const { values } = parseArgs({
      args,
      options: { ...JSON_OPTION, 'retention-days': { type: 'string', default: '7' } },
    });
    const days = Number(values['retention-days']);
    if (!/^\d{1,4}$/.test(values['retention-days']) || days < 1)
      throw new UsageError('--retention-days: at least a day is needed');
    console.log(JSON.stringify(await prepareTemporal(config, days, createCommandLog(config))));
  },
};

const temporalAdopt: Command = {
  summary:
    'Accept the present namespace of Temporal as the one of this database, after the former one is gone for good: ' +
    'workers then end the runs that are executed nowhere',
  usage: 'temporal:adopt [--json]',
  async run(args, config, db) {
    parseArgs({ args, options: JSON_OPTION });
    const engine = await connectEngine(config, createLog('silent', 'admin'));
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
  usage: 'credentials:rewrap [--json]',
  async run(args, config, db) {
    parseArgs({ args, options: JSON_OPTION });
    if (config.encryptionKeys.length === 0) throw new CommandRefused('ENCRYPTION_KEYS is not set');
    const done = await rewrapAll({ db, config, log: createCommandLog(config) });
    console.log(JSON.stringify(done));
    if (done.unreadable > 0)
      throw new CommandRefused(`${done.unreadable} credentials need a key that is not configured`);
  },
};

const knowledgeIndex: Command = {
  summary: 'Build missing vector indexes of large knowledge bases while the service runs',
  usage: 'knowledge:index [--json]',
  async run(args, config) {
    parseArgs({ args, options: JSON_OPTION });
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
  usage: 'codec:serve [--port 8888] [--json]',
  async run(args, config) {
    const { values } = parseArgs({
      args,
      options: { ...JSON_OPTION, port: { type: 'string', default: '8888' } },
    });
    if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535)
      throw new UsageError(`--port ${values.port}: a port number is needed`);
    const origin = config.temporal.uiUrl === undefined ? null : new URL(config.temporal.uiUrl).origin;
    const server = await startCodecServer({
      keys: config.encryptionKeys,
      uiOrigin: () => origin,
      port: Number(values.port),
    });
    console.log(
      values.json
        ? JSON.stringify({ url: server.url, ui_origin: origin })
        : `Codec server on ${server.url}, for the UI at ${origin ?? 'no origin: TEMPORAL_UI_URL is not set'}`,
    );
    await new Promise<void>((resolve) => {
      process.once('SIGINT', resolve);
      process.once('SIGTERM', resolve);
    });
    await server.close();
  },
};

/** @throws CommandRefused when a check failed */
function printDiagnosis(diagnosis: Diagnosis, isJson: boolean): void {
  console.log(isJson ? JSON.stringify(diagnosis) : formatDiagnosis(diagnosis));
  const failed = diagnosis.checks.filter(({ status }) => status === 'failed').length;
  if (failed > 0) throw new CommandRefused(`${failed} of ${diagnosis.checks.length} checks failed`);
}

const doctor: Command = {
  summary:
    'Check configuration, database, Temporal, queues, clock, disk and identity provider, each with its remedy',
  usage: 'doctor [--json]   (exit status 1 when a check fails)',
  async run(args, config, db) {
    const { values } = parseArgs({ args, options: JSON_OPTION });
    printDiagnosis(await diagnose(config, db), values.json);
  },
  // Nothing else can be checked without a configuration.
  reportBadConfiguration(args, error) {
    const { values } = parseArgs({ args, options: JSON_OPTION });
    printDiagnosis(refuseConfiguration(error), values.json);
  },
};

const COMMANDS: Readonly<Record<string, Command>> = {
  doctor,
  bundle,
  'audit:export': auditExport,
  'audit:prune': auditPrune,
  'org:list': orgList,
  'org:find': orgFind,
  'org:set': orgSet,
  'user:create': userCreate,
  'retention:set': retentionSet,
  'data:export': dataExport,
  'data:erase': dataErase,
  'data:jobs': dataJobs,
  'key:create': keyCreate,
  'runs:stuck': runsStuck,
  'runs:reconcile': runsReconcile,
  'temporal:setup': temporalSetup,
  'temporal:adopt': temporalAdopt,
  'credentials:rewrap': credentialsRewrap,
  'knowledge:index': knowledgeIndex,
  'codec:serve': codecServe,
};

/** Commands that are not recorded: they change nothing, and show neither values nor what others did. */
const UNRECORDED: ReadonlySet<Command> = new Set([doctor, orgList, orgFind, runsStuck, dataJobs]);
/** Commands that work without the database, and are needed when it is away: then they go unrecorded, and say so. */
const INDEPENDENT: ReadonlySet<Command> = new Set([bundle, codecServe]);

const overview = (): string =>
  [
    // The image has no npm.
    'node dist/src/processes/admin.js <command> [--help] [--json]',
    '',
    ...Object.values(COMMANDS).map((c) => `  ${c.usage}\n      ${c.summary}`),
  ].join('\n');

async function recordStart(db: Db, name: string, command: Command): Promise<void> {
  if (UNRECORDED.has(command)) return;
  const object = { type: 'command', id: null, name };
  try {
    await recordAction(db, { organizationId: null, action: 'command.started', object });
  } catch (error) {
    if (!INDEPENDENT.has(command)) throw error;
    console.error(
      `The audit log has no entry of this command: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Runs a command as the account of this machine, which the audit log names with what the command changes. */
async function runCommand(
  name: string,
  args: string[],
  { command, config }: { readonly command: Command; readonly config: Config },
): Promise<void> {
  const db = openDb(config.databaseUrl, 4);
  const asOperator = db.within(buildOperatorContext(userInfo().username));
  try {
    await recordStart(asOperator, name, command);
    await command.run(args, config, asOperator);
  } finally {
    await db.close();
  }
}

const findCommand = (name: string | undefined): Command | undefined =>
  name === undefined || !Object.hasOwn(COMMANDS, name) ? undefined : COMMANDS[name];

const describe = ({ usage, summary }: Command): string => `${usage}\n    ${summary}`;

async function execute([name, ...args]: readonly string[], variables: NodeJS.ProcessEnv): Promise<void> {
  const command = findCommand(name);
  if (command === undefined) {
    if (name !== undefined && !['help', '--help', '-h'].includes(name))
      throw new UsageError(`unknown command: ${name}`);
    console.log(overview());
    return;
  }
  if (args.includes('--help') || args.includes('-h')) {
    console.log(describe(command));
    return;
  }
  let config: Config;
  try {
    config = readConfig(variables);
  } catch (error) {
    if (!(error instanceof ConfigError) || command.reportBadConfiguration === undefined) throw error;
    command.reportBadConfiguration(args, error);
    return;
  }
  await runCommand(name ?? '', args, { command, config });
}

/**
 * Whether the database is the cause, so that no stack explains more than its message: it is away, it refuses the login (class 28), it
 * does not exist (3D000), or it lacks migrations (42P01, 42703).
 */
const isDatabaseError = (error: unknown): error is Error =>
  isTransientDatabaseError(error) || /^(?:28\w{3}|3D000|42P01|42703)$/.test(readSqlState(error));

/** Describes an error of the database or Temporal for an operator; null for any other. */
function describeOutage(error: unknown): string | null {
  // It tells what to do.
  if (error instanceof ForeignNamespace) return error.message;
  const ask = 'The command doctor tells what to do.';
  if (error instanceof TemporalUnavailable) return `${error.message}. ${ask}`;
  // Node's error for a host with several addresses has no message.
  return isDatabaseError(error) ? `The database: ${error.message || readSqlState(error)}. ${ask}` : null;
}

/** A file that cannot be read or written, or a port that is taken: the message has the path or port, and the reason. */
const isSystemError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && ('path' in error || error.syscall === 'listen');

/** Executes a command line. @returns the exit status */
export async function runAdmin(args: readonly string[], variables: NodeJS.ProcessEnv): Promise<number> {
  try {
    await execute(args, variables);
    return 0;
  } catch (error) {
    const isParseError =
      error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    const isUsage = error instanceof UsageError || isParseError;
    const outage = describeOutage(error);
    if (outage !== null) {
      console.error(outage);
      return 1;
    }
    const isExpected =
      isUsage || error instanceof CommandRefused || error instanceof ConfigError || isSystemError(error);
    console.error(isExpected ? (error as Error).message : error);
    const command = findCommand(args[0]);
    if (isUsage) console.error(command === undefined ? `\n${overview()}` : `\n${describe(command)}`);
    return isUsage ? 2 : 1;
  }
}
