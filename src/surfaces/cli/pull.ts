/** Pulls workflows of an environment into a folder: merges them with the edits of the files, and never overwrites these. */
import { join } from 'node:path';
import { WorkflowApiError } from '../client/client.ts';
import { sameJson } from '../../language/graph/values/value.ts';
import { isUuid } from '../../base/uuid.ts';
import { ENVIRONMENTS_FILE, toSlug, type Finding, type WorkflowFile } from './definition-files.ts';
import { CommandError, EXIT, formatError } from './exit.ts';
import { toFileForm, type FileForm } from './file-form.ts';
import { formatPlace, mergeForms } from './file-merge.ts';
import { createFile, updateFile } from './file-text.ts';
import {
  isPushedSinceLock,
  listChanges,
  makeError,
  normalizeForm,
  readForm,
  type Folder,
  type FolderState,
} from './folder.ts';
import { WorkflowMatches } from './match-workflows.ts';
import { printFindings } from './push.ts';

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

const NOTES: Partial<Record<PullAction, string>> = {
  merge: 'merged with the edits of the file',
  edited: 'only the file has changes; push to save them',
  deleted: 'the file was deleted here; pull its slug to restore it',
};

class Puller {
  readonly #folder: Folder;
  readonly #state: FolderState;
  readonly #isForced: boolean;
  readonly #slugs: Set<string>;

  constructor(folder: Folder, state: FolderState, isForced: boolean) {
    this.#folder = folder;
    this.#state = state;
    this.#isForced = isForced;
    this.#slugs = new Set([
      ...folder.files.map(({ slug }) => slug),
      ...state.lock.list().map(([slug]) => slug),
    ]);
  }

  /** Chooses the slugs of all workflows first, because they may call each other. */
  chooseSlugs(workflows: readonly { readonly id: string; readonly name: string }[]): void {
    const { names, lock } = this.#state;
    const matches = new WorkflowMatches(this.#folder.files, this.#state);
    for (const file of this.#folder.files) names.setSlug(file.slug, matches.get(file) ?? null);
    for (const { id, name } of workflows) {
      if (this.#findFile(id, matches) !== undefined || lock.findSlug(id) !== null) continue;
      const wanted = toSlug(name);
      let slug = wanted;
      for (let count = 2; this.#slugs.has(slug); count += 1) slug = `${wanted}-${count}`;
      this.#slugs.add(slug);
      names.setSlug(slug, id);
    }
  }

  #findFile(id: string, matches: WorkflowMatches): WorkflowFile | undefined {
    return this.#folder.files.find((file) => matches.get(file) === id);
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
    const base = this.#isForced ? null : await this.#findBase(file, theirs);
    if (this.#isForced || (base !== null && sameJson(ours, base))) {
      await updateFile(file, theirs);
      await store();
      return result('update');
    }
    if (base === null) return result('refused', this.#refuseUnknown(file, listChanges(ours, theirs)));
    const { form, conflicts } = mergeForms(base, ours, theirs);
    if (conflicts.length > 0) return result('refused', this.#refuse(file, conflicts));
    if (!sameJson(form, ours)) await updateFile(file, form);
    await store();
    return result(sameJson(form, ours) ? 'edited' : 'merge');
  }

  /** As `pull`; a file that cannot be written is refused, and the others are pulled. */
  async pullOrRefuse(remote: RemoteWorkflow, isNamed: boolean): Promise<Pulled> {
    try {
      return await this.pull(remote, isNamed);
    } catch (error) {
      const slug = this.#state.names.toName('workflow', remote.id);
      const file = this.#folder.files.find((one) => one.slug === slug);
      if (file === undefined || !(error instanceof CommandError)) throw error;
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

  #refuse(file: WorkflowFile, conflicts: readonly (readonly (string | number)[])[]): Finding[] {
    return conflicts.flatMap((path) => {
      const where = this.#state.open.title;
      const message = `${formatPlace(path)} was changed here and in ${where}. Make both equal, or use --force to take theirs`;
      return makeError(file, 'conflict', message, path);
    });
  }

  #refuseUnknown(file: WorkflowFile, changes: readonly string[]): Finding[] {
    const where = this.#state.open.title;
    const places = changes.slice(0, 3).join(', ');
    const message = `it differs from the workflow in ${where} (${places}), and this folder has never been pulled from there. Use --force to take theirs, or keep the file with: workflow push --force`;
    return makeError(file, 'conflict', message);
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
  { named, isForced }: { readonly named: readonly string[]; readonly isForced: boolean },
): Promise<boolean> {
  // The slug of an unreadable file is unknown, so a pull could write its workflow into a second file.
  for (const { message } of folder.unread)
    throw new CommandError(`${message}. Nothing was pulled.`, EXIT.usage);
  const { screen, isJson } = state.open.session;
  await state.names.load(folder.files.map((file) => readForm(file, folder.files)));
  const all = state.names.list('workflow');
  const wanted = named.length === 0 ? all.map(({ id }) => id) : resolveNamed(named, state);
  const workflows: RemoteWorkflow[] = [];
  for (const id of wanted) {
    const found = await findWorkflow(id, state);
    if (found !== null) workflows.push(found);
  }
  await state.names.load(workflows.map(({ form }) => form));
  const puller = new Puller(folder, state, isForced);
  puller.chooseSlugs(workflows.map(({ id, form }) => ({ id, name: form.name })));
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
