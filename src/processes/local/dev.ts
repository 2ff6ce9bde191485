/** `npm run dev`: the whole system on this machine; its processes restart when their source changes. */
import { LOGS } from './paths.ts';
import { PORTS_HELP } from './ports.ts';
import { createProgressPrinter } from './progress.ts';
import { withSystem } from './system.ts';

const HELP = `Usage: npm run dev

Starts PostgreSQL, a Temporal server, the API, the worker and the realtime server on this machine and restarts the
latter three when their source changes. Press Ctrl-C to stop. Data and logs are in .data.

${PORTS_HELP}
`;

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  const say = createProgressPrinter();
  return withSystem({ say, watch: true }, async (system) => {
    say(`API ${system.apiUrl}`);
    if (system.realtimeUrl !== null) say(`realtime ${system.realtimeUrl}`);
    if (system.temporalUiUrl !== null) say(`Temporal UI ${system.temporalUiUrl}`);
    say(`database ${system.databaseUrl}`);
    say(`logs in ${LOGS}; press Ctrl-C to stop`);
    return new Promise<number>(() => {});
  });
}

process.exit(await main(process.argv.slice(2)));
