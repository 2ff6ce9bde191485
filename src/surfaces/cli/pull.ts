/** Pulls workflows of an environment into a folder: merges them with the edits of the files, and never overwrites these. */
import { join } from 'node:path';
import { WorkflowApiError } from '../client/client.ts';
import { sameJson } from '../../language/graph/values/value.ts';
import { isUuid } from '../../base/uuid.ts';
import { ENVIRONMENTS_FILE, toSlug, type Finding, type WorkflowFile } from './definition-files.ts';
import { showValues, summarizeDifferences } from './differences.ts';
import { CommandError, EXIT, formatError } from './exit.ts';
import { toFileForm, type FileForm } from './file-form.ts';
import { mergeForms, type FormConflict, type Side } from './file-merge.ts';
import { createFile, updateFile } from './file-text.ts';
import {
  isPushedSinceLock,
  makeError,
  normalizeForm,
  readForm,
  type Folder,
  type FolderState,
} from './folder.ts';
import { WorkflowMatches } from './match-workflows.ts';
import { printFindings } from './push.ts';
import { removeUnfinished } from './replace-file.ts';
import { askSide, askSides } from './settle-conflicts.ts';

/** A workflow of the environment. */
interface RemoteWorkflow {
  readonly id: string;
  readonly editVersion: number;
  readonly form: FileForm;
}

type PullAction = 'create' | 'update' | 'merge' | 'unchanged' | 'edited' | 'deleted' | 'refused';
interface Pulled {
  readonly path: string;
  readonly slug: string;
  readonly action: PullAction;
  readonly findings: readonly Finding[];
}

/** The new form of a file; null when conflicts are left. */
type Settled = { readonly form: FileForm } | { readonly form: null; readonly findings: readonly Finding[] };

const NOTES: Partial<Record<PullAction, string>> = {
  merge: 'merged with the edits of the file',
  edited: 'only the file has changes; push to save them',
  deleted: 'the file was deleted here; pull its slug to restore it',
};

/** Options for conflicts. */
interface PullChoice {
  /** Overwrites local edits. */
  readonly isForced: boolean;
  /** Settles all conflicts; null to ask at a terminal. */
  readonly side: Side | null;
}

class Puller {
  readonly #folder: Folder;
  readonly #state: FolderState;
  readonly #choice: PullChoice;
  readonly #slugs: Set<string>;
  readonly #matches: WorkflowMatches;

  /** @param state whose `names` has listed the workflows */
  constructor(folder: Folder, state: FolderState, choice: PullChoice) {
    this.#folder = folder;
    this.#state = state;
    this.#choice = choice;
    this.#matches = new WorkflowMatches(folder.files, state);
    for (const file of folder.files) state.names.setSlug(file.slug, this.#matches.get(file) ?? null);
    this.#slugs = new Set([
      ...folder.files.map(({ slug }) => slug),
      ...state.lock.list().map(([slug]) => slug),
    ]);
  }

  /** Chooses the slugs of all workflows that have no file first, because they may call each other. */
  chooseSlugs(workflows: readonly RemoteWorkflow[]): void {
    const { names, lock } = this.#state;
    for (const { id, form } of workflows) {
      if (this.#findFile(id) !== undefined || lock.findSlug(id) !== null) continue;
      const written = this.#matchWritten(id, form);
      if (written !== null) {
        names.setSlug(written.slug, id);
        continue;
      }
      const wanted = toSlug(form.name);
      let slug = wanted;
      for (let count = 2; this.#slugs.has(slug); count += 1) slug = `${wanted}-${count}`;
      this.#slugs.add(slug);
      names.setSlug(slug, id);
    }
  }

  /** Finds the file that a killed pull has written and not locked, where several workflows have its name. */
  #matchWritten(id: string, form: FileForm): WorkflowFile | null {
    const theirs = this.#state.names.toNamedForm(form);
    const read = (file: WorkflowFile): FileForm =>
      normalizeForm(this.#state, readForm(file, this.#folder.files));
    return this.#matches.matchContent(id, (file) => sameJson(read(file), theirs));
  }

  #findFile(id: string): WorkflowFile | undefined {
    return this.#folder.files.find((file) => this.#matches.get(file) === id);
  }

  /** @param isNamed the command names this workflow, so a deleted file is written again */
  async pull(remote: RemoteWorkflow, isNamed: boolean): Promise<Pulled> {
    const { lock, names } = this.#state;
    const slug = names.toName('workflow', remote.id);
    const file = this.#folder.files.find((one) => one.slug === slug);
    const theirs = names.toNamedForm(remote.form);
    const path = file?.path ?? this.#choosePath(slug);
    const result = (action: PullAction, findings: readonly Finding[] = []): Pulled => ({
      path,
      slug,
      action,
      findings,
    });
    const store = (): Promise<void> =>
      lock.put(slug, { id: remote.id, editVersion: remote.editVersion, form: theirs });
    if (file === undefined) {
      if (lock.get(slug) !== null && !isNamed) return result('deleted');
      await createFile(path, slug, theirs);
      await store();
      return result('create');
    }
    const ours = normalizeForm(this.#state, readForm(file, this.#folder.files));
    if (sameJson(ours, theirs)) {
      await store();
      return result('unchanged');
    }
    const base = this.#choice.isForced ? theirs : await this.#findBase(file, theirs);
    if (this.#choice.isForced || (base !== null && sameJson(ours, base))) {
      await updateFile(file, theirs);
      await store();
      return result('update');
    }
    const settled =
      base === null
        ? await this.#chooseSide(file, { ours, theirs })
        : await this.#merge(file, { base, ours, theirs });
    if (settled.form === null) return result('refused', settled.findings);
    if (!sameJson(settled.form, ours)) await updateFile(file, settled.form);
    await store();
    return result(sameJson(settled.form, ours) ? 'edited' : base === null ? 'update' : 'merge');
  }

  /** As `pull`; a file that cannot be written is refused, and the others are pulled. */
  async pullOrRefuse(remote: RemoteWorkflow, isNamed: boolean): Promise<Pulled> {
    try {
      return await this.pull(remote, isNamed);
    } catch (error) {
      const slug = this.#state.names.toName('workflow', remote.id);
      const file = this.#folder.files.find((one) => one.slug === slug);
      if (file === undefined || !(error instanceof CommandError) || error.exitCode === EXIT.stopped)
        throw error;
      const findings = makeError(file, 'not_written', error.message);
      return { path: file.path, slug, action: 'refused', findings };
    }
  }

  /** Chooses a path that no other file has, because the name of a file need not be its slug. */
  #choosePath(slug: string): string {
    const taken = [...this.#folder.files.map(({ path }) => path), join(this.#folder.path, ENVIRONMENTS_FILE)];
    let path = join(this.#folder.path, `${slug}.yaml`);
    for (let count = 2; taken.includes(path); count += 1)
      path = join(this.#folder.path, `${slug}-${count}.yaml`);
    return path;
  }

  /** Finds the version that both sides come from; one that a job pushed from the history needs no lock. */
  async #findBase(file: WorkflowFile, theirs: FileForm): Promise<FileForm | null> {
    const isPushed = await isPushedSinceLock(file, theirs, { folder: this.#folder, state: this.#state });
    return isPushed ? theirs : (this.#state.lock.get(file.slug)?.form ?? null);
  }

  /** Merges, and settles the conflicts; without an answer for each, the file stays as it is. */
  async #merge(
    file: WorkflowFile,
    versions: { readonly base: FileForm; readonly ours: FileForm; readonly theirs: FileForm },
  ): Promise<Settled> {
    const { session, title } = this.#state.open;
    const { form, conflicts } = mergeForms(versions);
    if (conflicts.length === 0) return { form };
    const findings = this.#findConflicts(file, conflicts);
    const { side } = this.#choice;
    const sides =
      side === null ? await askSides(session, { title, conflicts, findings }) : conflicts.map(() => side);
    return sides === null ? { form: null, findings } : { form: mergeForms(versions, sides).form };
  }

  /** Chooses one of two versions that no version is known to come before. */
  async #chooseSide(
    file: WorkflowFile,
    forms: { readonly ours: FileForm; readonly theirs: FileForm },
  ): Promise<Settled> {
    const { session, title } = this.#state.open;
    const places = summarizeDifferences(forms.ours, forms.theirs);
    const message = `it differs from the workflow in ${title}, and this folder has never been pulled from there: ${places}. Take it with --theirs, or keep the file with --ours`;
    const findings = makeError(file, 'conflict', message);
    const side = this.#choice.side ?? (await askSide(session, { title, findings }));
    return side === null ? { form: null, findings } : { form: forms[side] };
  }

  #findConflicts(file: WorkflowFile, conflicts: readonly FormConflict[]): Finding[] {
    return conflicts.flatMap(({ path, place, ...values }) => {
      const [mine, other] = showValues(values.ours, values.theirs);
      const message = `${place} is ${mine} here and ${other} in ${this.#state.open.title}. Settle it at a terminal, or with --ours or --theirs`;
      return makeError(file, 'conflict', message, path).map((one) => ({ ...one, values }));
    });
  }
}

/** @returns the workflow; null and a message on stderr when it does not exist */
async function findWorkflow(id: string, { open }: FolderState): Promise<RemoteWorkflow | null> {
  const { client, screen } = open.session;
  try {
    const found = await client.workflows.get(id);
    return { id: found.id, editVersion: found.edit_version ?? 0, form: toFileForm({ ...found }) };
  } catch (error) {
    if (!(error instanceof WorkflowApiError) || ![400, 404].includes(error.status)) throw error;
    screen.note(`${id}: ${formatError(error)}`);
    return null;
  }
}

/** Finds the ids of the named workflows: by id, or by slug. */
function resolveNamed(named: readonly string[], { lock, names }: FolderState): string[] {
  return named.map((name) => {
    if (isUuid(name)) return name.toLowerCase();
    return lock.get(name)?.id ?? names.resolve('workflow', name).id ?? name;
  });
}

/**
 * Pulls workflows into a folder; all of the environment when none is named.
 * @returns whether each was found and none refused
 */
export async function pull(
  folder: Folder,
  state: FolderState,
  { named, ...choice }: PullChoice & { readonly named: readonly string[] },
): Promise<boolean> {
  // The slug of an unreadable file is unknown, so a pull could write its workflow into a second file.
  for (const { message } of folder.unread)
    throw new CommandError(`${message}. Nothing was pulled.`, EXIT.usage);
  await removeUnfinished(folder.path);
  await state.lock.tidy();
  const { screen, isJson } = state.open.session;
  await state.names.load(folder.files.map((file) => readForm(file, folder.files)));
  const puller = new Puller(folder, state, choice);
  const all = state.names.list('workflow');
  const wanted = named.length === 0 ? all.map(({ id }) => id) : resolveNamed(named, state);
  const workflows: RemoteWorkflow[] = [];
  for (const id of wanted) {
    const found = await findWorkflow(id, state);
    if (found !== null) workflows.push(found);
  }
  await state.names.load(workflows.map(({ form }) => form));
  puller.chooseSlugs(workflows);
  let isComplete = workflows.length === wanted.length;
  for (const workflow of workflows) {
    const pulled = await puller.pullOrRefuse(workflow, named.length > 0);
    if (pulled.action === 'refused') isComplete = false;
    if (isJson) screen.json(pulled);
    else {
      printFindings(pulled.findings, screen);
      const note = NOTES[pulled.action];
      screen.line(`${pulled.action.padEnd(9)}  ${pulled.path}${note === undefined ? '' : `  ${note}`}`);
    }
  }
  return isComplete;
}
