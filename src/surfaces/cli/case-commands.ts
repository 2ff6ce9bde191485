/** The commands `test` and `runs export`: recorded runs as files, and what the files of workflows do with them. */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Option, type Command } from 'commander';
import { systemClock } from '../../base/clock.ts';
import type { RunCase } from '../../engine/runs/rehearse/case.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import { findCases, type FoundCase } from './case-files.ts';
import { toJunit, toTap, type CaseResult } from './case-reports.ts';
import type { CaseWalker, WalkedCase } from './case-walk.ts';
import { describeDifferences, describeVerdict } from './case-words.ts';
import { findProblems, isError, type WorkflowFile } from './definition-files.ts';
import { CommandError, EXIT } from './exit.ts';
import { openFolder } from './folder.ts';
import { toFileForm } from './file-form.ts';
import { printFindings } from './push.ts';
import { replaceFile } from './replace-file.ts';
import { jsonText, type Screen } from './screen.ts';
import type { Globals, Sessions } from './session.ts';

const TEST_HELP = `
A case is a run that "workflow runs export" has written. Each is walked in the definition of its workflow's file, beside the folder
"cases" that it is in: pure nodes and functions run here, requests are prepared and compared with those of the run, and take its
answers. Nothing is sent, and no service, login or network is needed.

The exit code is 1 unless all cases go the same way. --update makes what the files do now the record of their cases.`;

const writeCase = async (path: string, given: RunCase): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await replaceFile(path, `${JSON.stringify(given, null, 2)}\n`);
};

interface ExportFlags {
  readonly values?: boolean;
  readonly output?: string;
  readonly env?: string;
}

async function exportRun(
  id: string,
  { values, output, env }: ExportFlags,
  { sessions, command }: { readonly sessions: Sessions; readonly command: Command },
): Promise<void> {
  const { screen } = sessions;
  if (values !== true) {
    const what = 'A case has the input, the outputs and the answers of the run, as its record shows them';
    if (!screen.canAsk) throw new CommandError(`${what}. Pass --values to write them`, EXIT.usage);
    if (!(await screen.confirm(`${what}. Write them?`, false)))
      throw new CommandError('Nothing was written', EXIT.stopped);
  }
  const { names, open } = await openFolder(sessions, command, { folder: '.', name: env });
  const { client } = open.session;
  const { readCase } = await import('../../engine/runs/rehearse/case.ts');
  const read = readCase(await (await client.runs.handle(id)).case());
  if ('problem' in read) throw new CommandError(`The case of the service cannot be read: ${read.problem}`);
  const { read: made } = read;
  const form = toFileForm({ name: made.workflow, workflow_schema: made.definition });
  await names.load([form]);
  // In the files of a folder, references are names.
  const { workflow_schema: definition } = names.toNamedForm({ ...form, workflow_schema: made.definition });
  const workflowId = made.run.workflow_id;
  const slug = workflowId === null ? made.workflow : names.toName('workflow', workflowId);
  const workflow = slug === workflowId ? made.workflow : slug;
  const written: RunCase = { ...made, workflow, definition: definition as RunCase['definition'] };
  if (output === undefined) return screen.line(jsonText(written, 2));
  await writeCase(output, written);
  screen.note(`Wrote ${output}`);
}

interface TestFlags {
  readonly workflow?: string;
  readonly reporter: 'text' | 'junit' | 'tap';
  readonly output?: string;
  readonly update?: boolean;
}

/** The progress is told in this interval. */
const PROGRESS_MS = 2_000;

/** The files of the workflows that have no errors. */
async function findValid(cases: readonly FoundCase[], screen: Screen): Promise<ReadonlySet<WorkflowFile>> {
  const files = new Set(cases.flatMap(({ given }) => ('workflow' in given ? [given.workflow] : [])));
  const findings = (await findProblems([...files])).filter(isError);
  printFindings(findings, screen);
  return new Set([...files].filter(({ path }) => !findings.some(({ file }) => file === path)));
}

function toResult({ path, given }: FoundCase, walked: WalkedCase | null): Omit<CaseResult, 'seconds'> {
  if ('problem' in given)
    return { file: path, path, outcome: 'error', verdict: 'unread', message: given.problem, differences: [] };
  const file = given.workflow.path;
  if (walked === null) {
    const message = `${file} has errors`;
    return { file, path, outcome: 'error', verdict: 'invalid', message, differences: [] };
  }
  const { verdict } = walked.found;
  const outcome = verdict === 'same' ? 'ok' : verdict === 'cannot_tell' ? 'error' : 'failed';
  const message = describeVerdict(walked.found);
  return { file, path, outcome, verdict, message, differences: describeDifferences(walked) };
}

/** Updates the record of a case. @returns what was done */
async function update({ path }: FoundCase, { updated, found }: WalkedCase): Promise<string> {
  if (updated === null) return `not updated: ${found.doubt ?? found.verdict}; export another run`;
  await writeCase(path, updated);
  return 'updated';
}

const LABELS = { ok: 'ok    ', failed: 'FAILED', error: 'ERROR ' } as const;

function printResult(screen: Screen, { path, outcome, verdict, message, differences }: CaseResult): void {
  const label = screen.paint(outcome === 'ok' ? 'green' : 'red', LABELS[outcome]);
  screen.line(label, `  ${path}${verdict === 'same' ? '' : `: ${message}`}`);
  for (const difference of differences) screen.line(`          ${difference}`);
}

async function testCases(given: readonly string[], flags: TestFlags, sessions: Sessions, isJson: boolean) {
  const { screen } = sessions;
  const cases = await findCases(given, flags.workflow ?? null);
  const valid = await findValid(cases, screen);
  const { CaseWalker: Walker } = await import('./case-walk.ts');
  const { reporter, output } = flags;
  const isText = !isJson && (reporter === 'text' || output !== undefined);
  let toldMs = systemClock.monotonic();
  const results: CaseResult[] = [];
  const walker: CaseWalker = new Walker();
  try {
    for (const found of cases) {
      const start = systemClock.monotonic();
      // As text, each case has its line.
      if (!isText && !isJson && start - toldMs > PROGRESS_MS) {
        screen.note(`${results.length} of ${cases.length} cases`);
        toldMs = start;
      }
      const read = 'workflow' in found.given && valid.has(found.given.workflow) ? found.given : null;
      const definition = read?.workflow.fields.workflow_schema as JsonObject | undefined;
      const walked =
        read === null || definition === undefined ? null : await walker.walk(read.read, definition);
      const made = toResult(found, walked);
      const isUpdated = flags.update === true && walked !== null && made.outcome !== 'ok';
      const done = isUpdated && walked !== null ? await update(found, walked) : null;
      const outcome = done === 'updated' ? 'ok' : made.outcome;
      const message = done === null ? made.message : `${made.message} (${done})`;
      const result = {
        ...made,
        outcome,
        message,
        seconds: (systemClock.monotonic() - start) / 1_000,
      } as const;
      results.push(result);
      if (isJson) screen.json(result);
      else if (isText) printResult(screen, result);
    }
  } finally {
    await walker.close();
  }
  const report = reporter === 'junit' ? toJunit(results) : reporter === 'tap' ? toTap(results) : null;
  if (report !== null && output !== undefined) {
    await mkdir(dirname(output), { recursive: true });
    await replaceFile(output, report);
  } else if (report !== null && !isJson) screen.line(report.trimEnd());
  const others = results.filter(({ outcome }) => outcome !== 'ok').length;
  if (isText) {
    const sum = `${results.length} ${results.length === 1 ? 'case' : 'cases'}`;
    screen.line(others === 0 ? `${sum}, all the same` : `${sum}, ${others} not the same`);
  }
  sessions.exitCode = others === 0 ? EXIT.completed : EXIT.failed;
}

/** Adds `export` to the command `runs`. */
export function addExport(runs: Command, sessions: Sessions): void {
  runs
    .command('export')
    .description('Write an ended run as a case, for "workflow test"')
    .argument('<run>')
    .option('--values', 'write the input and the outputs of the run without asking')
    .option('-o, --output <file>', 'file to write, such as cases/NAME.json (default: the standard output)')
    .option('--env <name>', 'environment of environments.yaml, whose names the case has')
    .action(async (id: string, flags: ExportFlags, command: Command) =>
      exportRun(id, flags, { sessions, command }),
    );
}

export function addTest(program: Command, sessions: Sessions): void {
  program
    .command('test')
    .description('Walk exported runs in the files of their workflows; nothing is sent')
    .argument('[path...]', 'cases, files of workflows, or folders (default: the current one)')
    .option('--workflow <file>', 'walk all cases in this file')
    .addOption(
      new Option('--reporter <format>', 'format of the report')
        .choices(['text', 'junit', 'tap'])
        .default('text'),
    )
    .option('-o, --output <file>', 'file for the report; the standard output has it as text then')
    .option('--update', 'make what the files do now the record of the cases')
    .addHelpText('after', TEST_HELP)
    .action(async (given: string[], flags: TestFlags, command: Command) => {
      const { json } = command.optsWithGlobals<Globals>();
      if (flags.output !== undefined && flags.reporter === 'text')
        throw new CommandError('-o needs --reporter junit or tap', EXIT.usage);
      await testCases(given.length === 0 ? ['.'] : given, flags, sessions, json === true);
    });
}
