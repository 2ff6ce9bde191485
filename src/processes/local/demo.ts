/** `npm run demo`: starts the whole system, runs the starter workflow through the API, and stays up. */
import { PORTS_HELP } from './ports.ts';
import { createProgressPrinter } from './progress.ts';
import { withSystem, type LocalSystem } from './system.ts';
import { takeTour, type Tour } from './tour.ts';

const HELP = `Usage: npm run demo [-- --exit]

Starts PostgreSQL, a Temporal server, the API, the worker and the realtime server on this machine, runs the starter
workflow through the API, prints its events, and stays up until Ctrl-C.

  --exit   stop after the run; exits with 0 only if the run succeeded
  --help   print this help

No configuration is needed. DATABASE_URL, TEMPORAL_ADDRESS, MANAGED_LLM_BASE_URL and the other variables of .env.example
are used if set. Data and logs are in .data.

${PORTS_HELP}
`;

function formatAddresses(system: LocalSystem, tour: Tour): string {
  const lines: readonly (readonly [string, string | null])[] = [
    ['web', `${system.appUrl}/app/ (sign in with one click)`],
    ['API', `${system.apiUrl} (reference: ${system.apiUrl}/docs)`],
    ['realtime', system.realtimeUrl],
    ['Temporal UI', system.temporalUiUrl],
    ['PostgreSQL', system.databaseUrl],
    ['API key', tour.apiKey],
    ['organization', tour.organizationId],
    ['models', system.usesStandIn ? 'a local stand-in, not a language model; set MANAGED_LLM_*' : null],
  ];
  const table = lines
    .filter((line): line is readonly [string, string] => line[1] !== null)
    .map(([name, value]) => `  ${name.padEnd(13)} ${value}`)
    .join('\n');
  const body = JSON.stringify({ workflow_id: tour.workflowId, input: { text: 'Hello again' } });
  return `
${table}

Try it:

curl -s ${system.apiUrl}/workflows/run \\
  -H 'Authorization: Bearer ${tour.apiKey}' \\
  -H 'X-Organization-ID: ${tour.organizationId}' \\
  -H 'Content-Type: application/json' \\
  -d '${body}'

Then follow it with the run_id of the response:

curl -sN ${system.apiUrl}/workflows/listen/RUN_ID \\
  -H 'Authorization: Bearer ${tour.apiKey}' -H 'X-Organization-ID: ${tour.organizationId}'

Press Ctrl-C to stop.
`;
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  const unknown = args.filter((arg) => arg !== '--exit');
  if (unknown.length > 0) {
    process.stderr.write(`demo: unknown argument ${unknown.join(' ')}\n\n${HELP}`);
    return 2;
  }
  const say = createProgressPrinter();
  return withSystem({ say, watch: false }, async (system) => {
    const tour = await takeTour(system, say);
    say(tour.succeeded ? 'the run succeeded' : 'the run did not succeed');
    if (args.includes('--exit')) return tour.succeeded ? 0 : 1;
    process.stdout.write(formatAddresses(system, tour));
    return new Promise<number>(() => {});
  });
}

process.exit(await main(process.argv.slice(2)));
