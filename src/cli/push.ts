/** Pushes a folder: shows the plan, then creates and updates workflows file by file, past files that fail. */
import type { Body } from '../client/client.ts';
import { writeWorkflowFile, type Finding, type WorkflowFile } from './definition-files.ts';
import { CommandError, EXIT } from './exit.ts';
import {
  indexById,
  planPush,
  toFindings,
  toRemoteFields,
  type PlannedFile,
  type PushPlan,
} from './push-plan.ts';
import type { Screen } from './screen.ts';
import type { Session, Sessions } from './session.ts';

/** Prints findings to stderr, one per line, with file and line first. */
export function printFindings(findings: readonly Finding[], screen: Screen): void {
  for (const { file, line, severity, code, message, path } of findings) {
    const place = path.length === 0 ? '' : ` at /${path.join('/')}`;
    screen.note(`${file}${line === null ? '' : `:${line}`}: ${severity} ${code}${place}: ${message}`);
  }
}

const COLOURS = { create: 'green', update: 'yellow', unchanged: 'dim' } as const;

/** Prints the plan of a push, and its findings to stderr. */
export function printPlan({ planned, findings, unread, refused }: PushPlan, session: Session): void {
  const { screen, isJson } = session;
  for (const message of unread) screen.note(message);
  printFindings(findings, screen);
  if (isJson) {
    const rows = planned.map(({ file, action, id, changes }) => ({ file: file.path, action, id, changes }));
    const left = [...refused].map((file) => ({ file, action: 'refused', id: null, changes: [] }));
    return screen.json([...rows, ...left]);
  }
  for (const { file, action, id, changes } of planned) {
    const why = action === 'create' && file.id !== null ? '  (not in this organization yet)' : '';
    const name = action !== 'create' && file.id !== null && file.id !== id ? `  (id here: ${id})` : '';
    screen.line(
      screen.paint(COLOURS[action], action.padEnd(9)),
      `  ${file.fields.name}  ${file.path}${why}${name}`,
    );
    for (const change of changes.slice(0, 20)) screen.line(`             ${change}`);
  }
  for (const path of refused) screen.line(screen.paint('red', 'refused  '), `  ${path}`);
}

/** Executes a plan. */
class Pusher {
  readonly #plan: PushPlan;
  readonly #session: Session;
  /** Known ids of the files' workflows in this organization. */
  readonly #ids: Map<WorkflowFile, string>;
  readonly #failed = new Set<WorkflowFile>();
  readonly #byId: ReadonlyMap<string, WorkflowFile>;

  constructor(plan: PushPlan, session: Session) {
    this.#plan = plan;
    this.#session = session;
    this.#ids = new Map(plan.planned.flatMap(({ file, id }) => (id === null ? [] : [[file, id]])));
    this.#byId = indexById(plan.planned.map(({ file }) => file));
  }

  /** @returns the number of files that failed */
  async run(): Promise<number> {
    const later: PlannedFile[] = [];
    for (const one of this.#plan.planned.filter(({ action }) => action !== 'unchanged')) {
      // In a cycle, one file is created before a workflow that it calls; a second push adds the id.
      const isComplete = one.calls.every((called) => this.#isKnown(called));
      if ((await this.#push(one)) && !isComplete) later.push(one);
    }
    for (const one of later) await this.#push(one);
    return this.#failed.size;
  }

  #isKnown(file: WorkflowFile): boolean {
    return this.#ids.has(file) || !this.#plan.planned.some((planned) => planned.file === file);
  }

  readonly #idFor = (id: string): string => {
    const file = this.#byId.get(id);
    return (file === undefined ? undefined : this.#ids.get(file)) ?? this.#plan.ids.toRemoteId(id);
  };

  /** @returns whether the file was pushed */
  async #push({ file, calls }: PlannedFile): Promise<boolean> {
    const missing = calls.find((called) => this.#failed.has(called) && !this.#ids.has(called));
    const { screen } = this.#session;
    if (missing !== undefined) {
      screen.note(`${file.path}: error calls_refused: it calls ${missing.path}, which was not pushed`);
      this.#failed.add(file);
      return false;
    }
    try {
      await this.#send(file);
      return true;
    } catch (failure) {
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

  async #send(file: WorkflowFile): Promise<void> {
    const { client, screen } = this.#session;
    const fields = toRemoteFields(file, this.#idFor);
    const before = this.#ids.get(file);
    if (before !== undefined) await client.workflows.update(before, fields as Body<'updateWorkflow'>);
    else {
      const { id } = await client.workflows.create(fields as unknown as Body<'createWorkflow'>);
      this.#ids.set(file, id);
      // Without the id, a rename in the file would create a second workflow.
      if (file.id === null) await writeWorkflowFile(file.path, { ...file.fields, id });
      else await this.#plan.ids.add(file.id, id);
    }
    screen.note(`Pushed ${file.fields.name}`);
  }
}

/** Stores the ids of workflows that were matched by name: otherwise a rename in a file would create a second one. */
async function storeMatchedIds({ planned, ids }: PushPlan): Promise<void> {
  for (const { file, id } of planned)
    if (id !== null && file.id !== null && file.id !== id) await ids.add(file.id, id);
}

/** Pushes a folder. @throws CommandError when files were not pushed; the others are */
export async function push(
  folder: string,
  { session, sessions, isConfirmed }: { session: Session; sessions: Sessions; isConfirmed: boolean },
): Promise<void> {
  const plan = await planPush(folder, session);
  const { planned, refused } = plan;
  printPlan(plan, session);
  const todo = planned.filter(({ action }) => action !== 'unchanged').length;
  const count = planned.length + refused.size;
  if (todo > 0 && !(await session.screen.confirm(`Push ${todo} of ${count}?`, isConfirmed))) {
    sessions.exitCode = EXIT.stopped;
    return;
  }
  await storeMatchedIds(plan);
  const failed = refused.size + (await new Pusher(plan, session).run());
  if (failed > 0) throw new CommandError(`${failed} of ${count} files were not pushed`);
}
