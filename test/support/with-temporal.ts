/**
 * Runs a command beside a Temporal server of its own, whose address the command reads in TEMPORAL_ADDRESS; the exit status is the
 * command's. For test suites in other languages, which cannot find or build the server themselves.
 * Usage: tsx test/support/with-temporal.ts <command> [its arguments]
 */
import { makeDataDirectories } from '../../src/processes/local/paths.ts';
import { createProgressPrinter } from '../../src/processes/local/progress.ts';
import { startTemporal } from '../../src/processes/local/temporal-server.ts';
import { runCommand } from './run-command.ts';

async function runBesideTemporal(command: string, args: readonly string[]): Promise<number> {
  makeDataDirectories();
  const temporal = await startTemporal({ say: createProgressPrinter(), throwaway: true });
  try {
    return await runCommand(command, args, { env: { ...process.env, TEMPORAL_ADDRESS: temporal.address } });
  } finally {
    await temporal.stop();
  }
}

const [command, ...args] = process.argv.slice(2);
if (command === undefined) throw new Error('name a command');
process.exit(await runBesideTemporal(command, args));
