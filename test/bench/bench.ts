/** `npm run bench`: measures the built service beside hand-written equivalents in one run, and prints the ratios. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../src/processes/local/paths.ts';
import { createProgressPrinter, type PrintLine } from '../../src/processes/local/progress.ts';
import { GOALS, judge } from './goals.ts';
import type { Part, PartLimits, Row } from './part.ts';
import { PARTS } from './parts.ts';
import { readResults, saveResults, type Results } from './results.ts';
import { startBench, type Bench, type Undo } from './system.ts';
import { printed, rowLine, settings } from './table.ts';

const HELP = `Usage: npm run bench -- [options]

Starts PostgreSQL (durable writes), a Temporal server, the built API and worker, and what they are compared with; measures
them in alternating rounds; prints a table of ratios. Everything runs on this machine and is stopped at the end.

  --quick         fewer rounds: about 2 minutes instead of 15
  --only NAME     one part (may be repeated)
  --list          the parts and the goals
  --json          one JSON object on standard output instead of the table
  --save          also keeps the results as test/bench/results/<date>.json
  --show FILE     the tables of a file that was kept; measures nothing
  --streams N     concurrent streams of the part tokens (default 200; quick 50)
  --soak-minutes N  of the part soak (default 30; quick 2), which runs only by --only soak
  --soak-rate N     runs a second of it (default: half of the highest rate), for a machine that does other work
  --rows N        rows of history of the part history (default 1000000; quick 100000)
  --help          this text

BENCH_DATABASE_URL names a PostgreSQL to measure on, for example one with pgvector; its user may create databases.
BENCH_NODE_OPTIONS holds flags for the API and the worker, for example --cpu-prof --cpu-prof-dir=/tmp/profile.
Builds the project first when there is no dist; after a change run npm run build.
`;

/** The whole bench ends within these, starting and stopping included. */
const LIMIT_SECONDS = { full: 900, quick: 120 };
const RESERVED_SECONDS = 15;
/** On a busy machine even the single round that every part gets takes long: so much longer, at most. */
const HARD_LIMIT = 1.5;

interface Options {
  readonly parts: readonly Part[];
  readonly json: boolean;
  readonly save: boolean;
  readonly limits: Omit<PartLimits, 'deadline' | 'tell'>;
}

interface Outcome {
  readonly rows: Row[];
  readonly values: Record<string, number>;
  readonly broken: { readonly part: string; readonly error: string }[];
}

function wholeNumber(text: string | undefined, name: string, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new Error(`--${name} must be a whole number from 1`);
  return Number(text);
}

/** @throws with what is wrong with the arguments */
function readOptions(args: string[]): Options | 'help' | 'list' | { readonly show: string } {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      list: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
      show: { type: 'string' },
      streams: { type: 'string' },
      rows: { type: 'string' },
      'soak-minutes': { type: 'string' },
      'soak-rate': { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  if (values.list) return 'list';
  if (values.show !== undefined) return { show: values.show };
  const unknown = values.only.find((name) => !PARTS.some((part) => part.name === name));
  if (unknown !== undefined) throw new Error(`there is no part ${unknown}; see --list`);
  const { quick, json, save } = values;
  return {
    parts: PARTS.filter(({ name, isOnDemand = false }) =>
      values.only.length === 0 ? !isOnDemand : values.only.includes(name),
    ),
    json,
    save,
    limits: {
      quick,
      streams: wholeNumber(values.streams, 'streams', quick ? 50 : 200),
      soakMinutes: wholeNumber(values['soak-minutes'], 'soak-minutes', quick ? 2 : 30),
      soakRate: values['soak-rate'] === undefined ? null : wholeNumber(values['soak-rate'], 'soak-rate', 1),
      historyRows: wholeNumber(values.rows, 'rows', quick ? 100_000 : 1_000_000),
    },
  };
}

function list(): string {
  const width = Math.max(...PARTS.map((part) => part.name.length));
  const parts = PARTS.map((part) => `  ${part.name.padEnd(width)}  ${part.summary}`);
  const goals = GOALS.map((goal) => `  ${goal.name}: ${goal.is} ${goal.limit}`);
  return ['parts', ...parts, 'goals', ...goals, ''].join('\n');
}

function buildIfMissing(say: PrintLine): void {
  if (existsSync(join(ROOT, 'dist', 'temporal', 'worker', 'interpreter-bundle.js'))) return;
  say('building: there is no dist');
  execFileSync('npm', ['run', '-s', 'build'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
}

/** Progress at most every two seconds. */
function sparingly(say: PrintLine): PrintLine {
  let lastMs = performance.now();
  return (line) => {
    if (performance.now() - lastMs < 2_000) return;
    lastMs = performance.now();
    say(line);
  };
}

/**
 * Runs the parts; each gets its share of the time that is left. A part that breaks does not keep others from running.
 * @param into `outcome` receives what each part found, as soon as it has ended; `endsAt` is the `performance.now()` after
 * which no further part begins
 */
async function measure(
  bench: Bench,
  options: Options,
  { outcome, endsAt }: { readonly outcome: Outcome; readonly endsAt: () => number },
): Promise<void> {
  let weight = options.parts.reduce((sum, part) => sum + part.weight, 0);
  for (const part of options.parts) {
    const now = performance.now();
    const until = endsAt();
    if (now > until) {
      outcome.broken.push({ part: part.name, error: 'no time was left' });
      continue;
    }
    const deadline = now + Math.max(0, ((until - now) * part.weight) / weight);
    weight -= part.weight;
    bench.say(`${part.name}: ${part.summary}`);
    const tell = sparingly((line) => bench.say(`${part.name}: ${line}`));
    try {
      const { rows, values } = await part.run(bench, { ...options.limits, deadline, tell });
      for (const row of rows) bench.say(`${part.name}: ${rowLine(row)}`);
      outcome.rows.push(...rows);
      Object.assign(outcome.values, values);
      await bench.quiet();
    } catch (error) {
      // The end takes away what a part still uses.
      if (endsAt() === 0) return;
      const message = error instanceof Error ? error.message : String(error);
      outcome.broken.push({ part: part.name, error: message });
      bench.say(`${part.name} broke: ${error instanceof Error ? error.stack : message}`);
    }
  }
}

function report(options: Options, outcome: Outcome, say: PrintLine): void {
  const { rows, broken } = outcome;
  const goals = judge(outcome.values);
  const results: Results = { goals, rows, broken, settings: settings(), options: options.limits };
  if (options.save) say(`kept as ${saveResults(results)}`);
  process.stdout.write(options.json ? `${JSON.stringify(results)}\n` : printed(results));
}

async function main(args: string[]): Promise<number> {
  const say = createProgressPrinter(process.stderr);
  let options: ReturnType<typeof readOptions>;
  try {
    options = readOptions(args);
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    return 2;
  }
  if (typeof options === 'string') {
    process.stdout.write(options === 'help' ? HELP : list());
    return 0;
  }
  if ('show' in options) {
    process.stdout.write(printed(readResults(options.show)));
    return 0;
  }
  buildIfMissing(say);
  const limitMs = LIMIT_SECONDS[options.limits.quick ? 'quick' : 'full'] * 1_000;
  const soakMs = options.parts.some(({ name }) => name === 'soak') ? options.limits.soakMinutes * 60_000 : 0;
  return run(options, say, limitMs + soakMs);
}

/** Starts everything, measures, reports, stops everything. What was measured before an early end is reported, too. */
async function run(options: Options, say: PrintLine, limitMs: number): Promise<number> {
  const begun = performance.now();
  const steps: (() => Promise<void>)[] = [];
  let isOver = false;
  // What comes up after the end was decided goes down at once.
  const undo: Undo = (step) => {
    if (isOver) void step().catch(() => undefined);
    else steps.push(step);
  };
  const outcome: Outcome = { rows: [], values: {}, broken: [] };
  const stopped = new Promise<string>((resolve) => {
    // More than once: npm passes on what the terminal has sent to everybody already, and stopping must go on.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(signal));
    // A part that hangs must not keep the bench from its end.
    setTimeout(() => resolve('out of time'), limitMs * HARD_LIMIT).unref();
  });
  const work = startBench(say, undo).then((bench) =>
    measure(bench, options, {
      outcome,
      endsAt: () => (isOver ? 0 : begun + limitMs - RESERVED_SECONDS * 1_000),
    }),
  );
  try {
    const why = await Promise.race([work, stopped]);
    if (why !== undefined) outcome.broken.push({ part: 'the bench', error: `ended early: ${why}` });
    isOver = true;
    report(options, outcome, say);
    return outcome.broken.length === 0 ? 0 : 1;
  } catch (error) {
    isOver = true;
    say(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    work.catch(() => undefined);
    say('stopping');
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) await step().catch(() => undefined);
  }
}

process.exit(await main(process.argv.slice(2)));
