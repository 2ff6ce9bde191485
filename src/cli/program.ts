/** The tree of commands, and how it ends. */
import tab from '@bomb.sh/tab/commander';
import { Command, CommanderError } from 'commander';
import { createRequire } from 'node:module';
import { CommandError, EXIT, explain } from './exit.ts';
import { addLogin } from './login-commands.ts';
import type { Environment } from './profiles.ts';
import { addCredentials, addKeys, addKnowledge, addSchedules } from './resource-commands.ts';
import { addRuns } from './run-commands.ts';
import { Sessions } from './session.ts';
import { addWorkflows } from './workflow-commands.ts';

const EXIT_CODES = `
Exit codes: 0 completed · 1 failed or refused · 2 usage · 3 waits for an answer · 4 cancelled · 130 stopped by Ctrl-C
Environment: WORKFLOW_API_URL, WORKFLOW_API_KEY, WORKFLOW_ORGANIZATION_ID, WORKFLOW_PROFILE, NO_COLOR`;

/** By the package's own name: the source and the build lie at different depths. */
function version(): string {
  const read = createRequire(import.meta.url);
  for (const path of ['../../package.json', '../../../package.json'])
    try {
      return (read(path) as { readonly version: string }).version;
    } catch {
      // Of the other depth.
    }
  return 'unknown';
}

export function createProgram(sessions: Sessions): Command {
  const program = new Command('workflow')
    .description('Workflows from the command line')
    .version(version())
    .option('--profile <name>', 'which login to use')
    .option('--org <organization_id>', 'for which organization')
    .option('--url <url>', 'the address of the service')
    .option('--json', 'JSON for tools, one value a line')
    .addHelpText('after', EXIT_CODES)
    .showHelpAfterError('(--help tells more)')
    .exitOverride();
  addLogin(program, sessions);
  addRuns(program, sessions);
  addWorkflows(program, sessions);
  addSchedules(program, sessions);
  addCredentials(program, sessions);
  addKnowledge(program, sessions);
  addKeys(program, sessions);
  tab(program, { completionCommandName: 'completion' });
  return program;
}

/** @returns the exit code */
export async function run(args: readonly string[], env: Environment): Promise<number> {
  const sessions = new Sessions(env);
  try {
    await createProgram(sessions).parseAsync(args, { from: 'user' });
    return sessions.exitCode;
  } catch (error) {
    // Commander has said it already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.completed : EXIT.usage;
    sessions.screen.note(`error: ${explain(error)}`);
    return error instanceof CommandError ? error.exitCode : EXIT.failed;
  }
}
