/** Builds the command tree and turns its errors into exit codes. */
import { Command, CommanderError } from 'commander';
import { createRequire } from 'node:module';
import { addAuditLog } from './audit-command.ts';
import { addTest } from './case-commands.ts';
import { addCompletion } from './completion.ts';
import { addOutcomes } from './outcome-commands.ts';
import { addEffects } from './effect-commands.ts';
import { addEffectRules } from './effect-rule-commands.ts';
import { CommandError, EXIT, formatError } from './exit.ts';
import { addFolder } from './folder-commands.ts';
import { addHooks } from './hook-commands.ts';
import { addLogin } from './login-commands.ts';
import { addFiles } from './file-commands.ts';
import { addEvaluate } from './evaluate-command.ts';
import { addSets } from './set-commands.ts';
import { addIntegrations } from './integration-commands.ts';
import { addTables } from './table-commands.ts';
import { addBudgets } from './budget-commands.ts';
import { addAlerts, addNotifications } from './notification-commands.ts';
import { addProtocols } from './protocol-commands.ts';
import { addQuestions } from './question-commands.ts';
import type { Environment } from './profiles.ts';
import { addCredentials, addKeys, addKnowledge, addSchedules } from './resource-commands.ts';
import { addRuns } from './run-commands.ts';
import { addServiceAccounts } from './service-account-commands.ts';
import { Sessions } from './session.ts';
import { addWorkflows } from './workflow-commands.ts';

const EXIT_CODES = `
Exit codes: 0 succeeded, 1 failed, 2 usage error, 3 waiting for an answer, 4 cancelled, 130 interrupted by Ctrl-C
Environment: WORKFLOW_API_URL, WORKFLOW_API_KEY, WORKFLOW_API_URL_<ENVIRONMENT>, WORKFLOW_API_KEY_<ENVIRONMENT>,
  WORKFLOW_ORGANIZATION_ID, WORKFLOW_PROFILE, NO_COLOR`;

/** The source and the build are at different depths below package.json. */
function readVersion(): string {
  const read = createRequire(import.meta.url);
  for (const path of ['../../../package.json', '../../../../package.json'])
    try {
      return (read(path) as { readonly version: string }).version;
    } catch {
      // Try the other depth.
    }
  return 'unknown';
}

export function createProgram(sessions: Sessions): Command {
  const program = new Command('workflow')
    .description('Run and manage workflows from the command line')
    .version(readVersion())
    .option('--profile <name>', 'profile to use')
    .option('--org <organization_id>', 'organization ID')
    .option('--url <url>', 'URL of the service')
    .option('--json', 'print JSON, one value per line')
    .addHelpText('after', EXIT_CODES)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(run with --help for usage)')
    .exitOverride();
  addLogin(program, sessions);
  addRuns(program, sessions);
  addQuestions(program, sessions);
  addTest(program, sessions);
  addWorkflows(program, sessions);
  addFolder(program, sessions);
  addSchedules(program, sessions);
  addHooks(program, sessions);
  addNotifications(program, sessions);
  addProtocols(program, sessions);
  addAlerts(program, sessions);
  addEffectRules(program, sessions);
  addBudgets(program, sessions);
  addCredentials(program, sessions);
  addKnowledge(program, sessions);
  addIntegrations(program, sessions);
  addSets(program, sessions);
  addEvaluate(program, sessions);
  addTables(program, sessions);
  addFiles(program, sessions);
  addKeys(program, sessions);
  addServiceAccounts(program, sessions);
  addEffects(program, sessions);
  addOutcomes(program, sessions);
  addAuditLog(program, sessions);
  addCompletion(program, sessions.screen);
  return program;
}

/** @returns the exit code */
export async function run(args: readonly string[], env: Environment): Promise<number> {
  const sessions = new Sessions(env);
  try {
    await createProgram(sessions).parseAsync(args, { from: 'user' });
    return sessions.exitCode;
  } catch (error) {
    // Commander has printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.completed : EXIT.usage;
    sessions.screen.note(`error: ${formatError(error)}`);
    return error instanceof CommandError ? error.exitCode : EXIT.failed;
  }
}
