/** Pushes workflows to an environment: shows the plan, then saves and deploys them one by one. */
import type { Body } from '../client/client.ts';
import { isError, type Finding, type WorkflowFile } from './definition-files.ts';
import { showDifference } from './differences.ts';
import { CommandError, EXIT } from './exit.ts';
import { toRequestFields } from './file-form.ts';
import type { FolderState } from './folder.ts';
import { toFindings, type PlannedItem, type PushPlan } from './push-plan.ts';
import type { Screen } from './screen.ts';
import { deploySeen } from './seen-deploy.ts';
import type { Session, Sessions } from './session.ts';

/** Prints findings to stderr, one per line, with file and line first. */
export function printFindings(findings: readonly Finding[], screen: Screen): void {
  for (const { file, line, severity, code, message, path } of findings) {
    const place = path.length === 0 ? '' : ` at /${path.join('/')}`;
    screen.note(`${file}${line === null ? '' : `:${line}`}: ${severity} ${code}${place}: ${message}`);
  }
}

const COLOURS = {
  create: 'green',
  update: 'yellow',
  behind: 'cyan',
  unchanged: 'dim',
} as const;
const REASONS: Partial<Record<PlannedItem['action'], string>> = {
  behind: '  changed there; pull to get the changes',
};

/** Whether a push writes anything for an item. */
const isTodo = ({ action, isDeployed }: PlannedItem): boolean =>
  isDeployed || !['unchanged', 'behind'].includes(action);

/** Prints a plan, and its findings to stderr. */
export function printPlan(
  { planned, findings, unread, refused }: PushPlan,
  { screen, isJson }: Session,
): void {
  if (isJson) {
    const rows = planned.map(({ file, action, id, changes, isForced, isDeployed }) => ({
      file: file.path,
      slug: file.slug,
      action,
      id,
      changes: changes.map(({ place }) => place),
      overwrites: isForced,
      deploy: isDeployed,
    }));
    const left = [...refused].map((file) => ({ file, action: 'refused' }));
    return screen.json({ plan: [...rows, ...left], findings, unread });
  }
  for (const message of unread) screen.note(message);
  printFindings(findings, screen);
  for (const { file, action, changes, isForced, isDeployed } of planned) {
    const forced = isForced ? '  overwrites the changes made there' : '';
    const deployed = isDeployed ? '  and deploy' : '';
    screen.line(
      screen.paint(COLOURS[action], action.padEnd(9)),
      `  ${file.fields.name}  ${file.path}${deployed}${forced}${REASONS[action] ?? ''}`,
    );
    const shown = action === 'unchanged' ? [] : changes.slice(0, 20);
    for (const change of shown) screen.line(screen.paint('dim', `             ${showDifference(change)}`));
    if (changes.length > shown.length)
      screen.line(screen.paint('dim', `             … ${changes.length - shown.length} more`));
  }
  for (const path of refused) screen.line(screen.paint('red', 'refused  '), `  ${path}`);
}

interface PushRun {
  readonly plan: PushPlan;
  readonly state: FolderState;
  readonly note: string | null;
  /** Skips the questions. */
  readonly isConfirmed: boolean;
}

/** Executes a plan. */
class Pusher {
  readonly #run: PushRun;
  /** Ids of the items' workflows, once they exist. */
  readonly #ids: Map<WorkflowFile, string>;
  readonly #versions = new Map<WorkflowFile, number>();
  readonly #failed = new Set<WorkflowFile>();

  constructor(run: PushRun) {
    this.#run = run;
    this.#ids = new Map(run.plan.planned.flatMap(({ file, id }) => (id === null ? [] : [[file, id]])));
  }

  /** @returns the number of files that failed */
  async run(): Promise<number> {
    const { planned } = this.#run.plan;
    const later: PlannedItem[] = [];
    for (const item of planned) {
      if (item.action === 'unchanged') await this.#store(item, item.editVersion ?? 0);
      if (item.action === 'unchanged' || item.action === 'behind') continue;
      // In a cycle, one file is created before a workflow that it calls; a second push adds the id.
      const isComplete = item.calls.every((called) => this.#isKnown(called));
      if ((await this.#try(item, () => this.#save(item))) && !isComplete) later.push(item);
    }
    for (const item of later) await this.#try(item, () => this.#save(item));
    for (const item of planned)
      if (item.isDeployed && !this.#failed.has(item.file)) await this.#try(item, () => this.#deploy(item));
    return this.#failed.size;
  }

  #isKnown(file: WorkflowFile): boolean {
    return this.#ids.has(file) || !this.#run.plan.planned.some((item) => item.file === file);
  }

  /** @returns whether the work succeeded; an error that is not about the file stops the push */
  async #try({ file, calls }: PlannedItem, work: () => Promise<void>): Promise<boolean> {
    const missing = calls.find((called) => this.#failed.has(called) && !this.#ids.has(called));
    const { screen } = this.#run.state.open.session;
    if (missing !== undefined) {
      screen.note(`${file.path}:1: error calls_refused: it calls ${missing.path}, which was not pushed`);
      this.#failed.add(file);
      return false;
    }
    try {
      await work();
      return true;
    } catch (failure) {
      // Said no to, by a person or by a rule: it is saved and not live, and the other files go on.
      if (failure instanceof CommandError) {
        screen.note(`${file.path}: ${failure.message}`);
        this.#failed.add(file);
        return false;
      }
      const found = toFindings(file, failure);
      if (found === null) {
        screen.note(`${file.path}: push stopped`);
        throw failure;
      }
      printFindings(found, screen);
      this.#failed.add(file);
      return false;
    }
  }

  async #save(item: PlannedItem): Promise<void> {
    const { file, form, editVersion } = item;
    const { state } = this.#run;
    const { client, screen, isJson } = state.open.session;
    const fields = toRequestFields(state.names.toResolvedForm(form));
    const before = this.#ids.get(file);
    const expected = this.#versions.get(file) ?? editVersion ?? 0;
    const body = { ...fields, expected_edit_version: expected };
    const saved =
      before === undefined
        ? await client.workflows.create(fields as unknown as Body<'createWorkflow'>)
        : await client.workflows.update(before, body as Body<'updateWorkflow'>);
    this.#ids.set(file, saved.id);
    state.names.setSlug(file.slug, saved.id);
    await this.#store(item, saved.edit_version ?? 0);
    if (isJson) screen.json({ slug: file.slug, id: saved.id, edit_version: saved.edit_version });
    else screen.note(`Pushed ${file.fields.name}`);
  }

  /** Records what the service has now, for the next push or pull. */
  async #store({ file, form }: PlannedItem, editVersion: number): Promise<void> {
    const id = this.#ids.get(file) ?? '';
    this.#versions.set(file, editVersion);
    const before = this.#run.state.lock.get(file.slug);
    // An unchanged entry is not written: a job that pushes nothing leaves the folder as it is.
    if (before?.id === id && before.editVersion === editVersion) return;
    await this.#run.state.lock.put(file.slug, { id, editVersion, form });
  }

  async #deploy({ file }: PlannedItem): Promise<void> {
    const { session } = this.#run.state.open;
    const { screen, isJson } = session;
    const { note, isConfirmed } = this.#run;
    const id = this.#ids.get(file) ?? '';
    if (!isJson) screen.note(`Deploying ${file.fields.name}`);
    const deployed = await deploySeen(session, { workflowId: id, note, isConfirmed });
    const { version, id: deploymentId } = deployed;
    if (isJson) screen.json({ slug: file.slug, id, deployment_id: deploymentId, deployed_version: version });
    else screen.note(`Deployed ${file.fields.name} as version ${version}`);
  }
}

/** Options for carrying out a plan. */
interface PushChoice {
  /** Shows the plan and writes nothing. */
  readonly isCheck: boolean;
  /** Pushes the other files when some are refused. */
  readonly isPartial: boolean;
  readonly verb: string;
}

/** Shows a plan, confirms it and carries it out. @throws CommandError when files were not pushed */
export async function carryOut(run: PushRun, choice: PushChoice, sessions: Sessions): Promise<void> {
  const { plan, state } = run;
  const { session } = state.open;
  printPlan(plan, session);
  const count = plan.planned.length + plan.refused.size;
  const { size: refused } = plan.refused;
  const message = `${refused} of ${count} files ${refused === 1 ? 'is' : 'are'} refused`;
  if (choice.isCheck) {
    if (refused > 0) throw new CommandError(message);
    return;
  }
  const todo = plan.planned.filter(isTodo).length;
  // A person at a terminal sees the refused files above the question; a job has to say that it accepts them.
  const isAsked = !run.isConfirmed && session.screen.canAsk;
  if (refused > 0 && !choice.isPartial && !isAsked)
    throw new CommandError(`${message}. Nothing was pushed. Use --partial to push the others`);
  const question = `${choice.verb} ${todo} of ${count}?`;
  if (todo > 0 && !(await session.screen.confirm(question, run.isConfirmed))) {
    sessions.exitCode = EXIT.stopped;
    return;
  }
  const failed = refused + (await new Pusher(run).run());
  const what = plan.planned.some(({ isDeployed }) => isDeployed) ? 'pushed and deployed' : 'pushed';
  if (failed > 0) throw new CommandError(`${failed} of ${count} files were not ${what}`);
}

/** Whether nothing would be pushed, and nothing is refused. */
export const isUpToDate = ({ planned, refused, findings }: PushPlan): boolean =>
  refused.size === 0 &&
  !findings.some(isError) &&
  planned.every((item) => item.action === 'unchanged' && !isTodo(item));
