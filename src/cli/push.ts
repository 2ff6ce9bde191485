/** A push: the plan is shown, and carried out file by file; a file that is refused keeps no other. */
import type { Body } from '../client/client.ts';
import { writeWorkflowFile, type Finding, type WorkflowFile } from './definition-files.ts';
import { CommandError, EXIT } from './exit.ts';
import { fieldsHere, filesById, findingsOf, planPush, type Planned, type PushPlan } from './push-plan.ts';
import type { Screen } from './screen.ts';
import type { Session, Sessions } from './session.ts';

/** Says what is wrong with files, each finding on a line that begins with the file and the line. */
export function tellFindings(findings: readonly Finding[], screen: Screen): void {
  for (const { file, line, severity, code, message, path } of findings) {
    const place = path.length === 0 ? '' : ` at /${path.join('/')}`;
    screen.note(`${file}${line === null ? '' : `:${line}`}: ${severity} ${code}${place}: ${message}`);
  }
}

const COLOURS = { create: 'green', update: 'yellow', unchanged: 'dim' } as const;

/** Shows what a push would do, and on stderr what keeps files from it. */
export function tellPlan({ planned, findings, unread, refused }: PushPlan, session: Session): void {
  const { screen, isJson } = session;
  for (const message of unread) screen.note(message);
  tellFindings(findings, screen);
  if (isJson) {
    const rows = planned.map(({ file, action, id, changes }) => ({ file: file.path, action, id, changes }));
    const left = [...refused].map((file) => ({ file, action: 'refused', id: null, changes: [] }));
    return screen.json([...rows, ...left]);
  }
  for (const { file, action, id, changes } of planned) {
    const why = action === 'create' && file.id !== null ? '  (its id is not of this organization)' : '';
    const name = action !== 'create' && file.id !== null && file.id !== id ? `  is ${id} here` : '';
    screen.line(
      screen.paint(COLOURS[action], action.padEnd(9)),
      `  ${file.fields.name}  ${file.path}${why}${name}`,
    );
    for (const change of changes.slice(0, 20)) screen.line(`             ${change}`);
  }
  for (const path of refused) screen.line(screen.paint('red', 'refused  '), `  ${path}`);
}

/** Carries a plan out. */
class Pusher {
  readonly #plan: PushPlan;
  readonly #session: Session;
  /** Ids here of the files, as far as they are known. */
  readonly #ids: Map<WorkflowFile, string>;
  readonly #failed = new Set<WorkflowFile>();
  readonly #byId: ReadonlyMap<string, WorkflowFile>;

  constructor(plan: PushPlan, session: Session) {
    this.#plan = plan;
    this.#session = session;
    this.#ids = new Map(plan.planned.flatMap(({ file, id }) => (id === null ? [] : [[file, id]])));
    this.#byId = filesById(plan.planned.map(({ file }) => file));
  }

  /** @returns how many files were refused */
  async run(): Promise<number> {
    const later: Planned[] = [];
    for (const one of this.#plan.planned.filter(({ action }) => action !== 'unchanged')) {
      // In a circle one of the files is made before what it calls: it learns of the ids afterwards.
      const isWhole = one.calls.every((called) => this.#isKnown(called));
      if ((await this.#push(one)) && !isWhole) later.push(one);
    }
    for (const one of later) await this.#push(one);
    return this.#failed.size;
  }

  #isKnown(file: WorkflowFile): boolean {
    return this.#ids.has(file) || !this.#plan.planned.some((planned) => planned.file === file);
  }

  readonly #idFor = (id: string): string => {
    const file = this.#byId.get(id);
    return (file === undefined ? undefined : this.#ids.get(file)) ?? this.#plan.ids.idHere(id);
  };

  /** @returns whether it was taken */
  async #push({ file, calls }: Planned): Promise<boolean> {
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
      const found = findingsOf(file, failure);
      if (found === null) {
        screen.note(`${file.path}: the push ends here`);
        throw failure;
      }
      tellFindings(found, screen);
      this.#failed.add(file);
      return false;
    }
  }

  async #send(file: WorkflowFile): Promise<void> {
    const { client, screen } = this.#session;
    const fields = fieldsHere(file, this.#idFor);
    const before = this.#ids.get(file);
    if (before !== undefined) await client.workflows.update(before, fields as Body<'updateWorkflow'>);
    else {
      const { id } = await client.workflows.create(fields as Body<'createWorkflow'>);
      this.#ids.set(file, id);
      // Without the id, a rename in the file would make a second workflow.
      if (file.id === null) await writeWorkflowFile(file.path, { ...file.fields, id });
      else await this.#plan.ids.note(file.id, id);
    }
    screen.note(`pushed ${file.fields.name}`);
  }
}

/** Notes which workflows the files of another organization are here: a rename in a file must not make a second one. */
async function noteIds({ planned, ids }: PushPlan): Promise<void> {
  for (const { file, id } of planned)
    if (id !== null && file.id !== null && file.id !== id) await ids.note(file.id, id);
}

/** Pushes a folder. @throws CommandError when files were refused; the others are pushed then */
export async function push(
  folder: string,
  { session, sessions, isAgreed }: { session: Session; sessions: Sessions; isAgreed: boolean },
): Promise<void> {
  const plan = await planPush(folder, session);
  const { planned, refused } = plan;
  tellPlan(plan, session);
  const todo = planned.filter(({ action }) => action !== 'unchanged').length;
  const count = planned.length + refused.size;
  if (todo > 0 && !(await session.screen.confirm(`Push ${todo} of ${count}?`, isAgreed))) {
    sessions.exitCode = EXIT.stopped;
    return;
  }
  await noteIds(plan);
  const failed = refused.size + (await new Pusher(plan, session).run());
  if (failed > 0) throw new CommandError(`${failed} of ${count} files were not pushed`);
}
