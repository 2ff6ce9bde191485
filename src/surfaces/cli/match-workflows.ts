/** Matches the files of a folder with the workflows of an organization. */
import type { Finding, WorkflowFile } from './definition-files.ts';
import { makeError, type FolderState } from './folder.ts';
import type { NamedResource } from './resource-names.ts';

/** A match by the lock, by an id of an older file, or by name. */
export class WorkflowMatches {
  readonly findings: Finding[] = [];
  readonly #byFile = new Map<WorkflowFile, string | null>();
  readonly #taken = new Map<string, WorkflowFile>();
  /** Files whose name several workflows have. */
  readonly #ambiguous = new Set<WorkflowFile>();

  /** @param files and the workflows of the organization, which `state.names` has listed */
  constructor(files: readonly WorkflowFile[], { lock, legacy, names }: FolderState) {
    const known = names.list('workflow');
    const isHere = new Set(known.map(({ id }) => id));
    const findId = ({ slug, id }: WorkflowFile): string | null =>
      [lock.get(slug)?.id, id, id === null ? null : legacy.toRemoteId(id)].find(
        (one) => typeof one === 'string' && isHere.has(one),
      ) ?? null;
    const copies = new Set(files.filter((file) => this.#refuseCopy(file, files)));
    const left = files.filter((file) => !copies.has(file));
    for (const file of left) if (findId(file) !== null) this.#take(file, findId(file));
    for (const file of left.filter((one) => findId(one) === null)) this.#matchName(file, known);
  }

  /** @returns the id of the file's workflow; null when it does not exist there; undefined when the file is refused */
  get(file: WorkflowFile): string | null | undefined {
    return this.#byFile.get(file);
  }

  /**
   * Matches a workflow with one of the files whose name several workflows have.
   * @param isSame whether the file says what the workflow says
   * @returns the file; null when none is the same
   */
  matchContent(id: string, isSame: (file: WorkflowFile) => boolean): WorkflowFile | null {
    const file = [...this.#ambiguous].find(isSame);
    if (file === undefined) return null;
    this.#ambiguous.delete(file);
    this.#take(file, id);
    return file;
  }

  #matchName(file: WorkflowFile, known: readonly NamedResource[]): void {
    const found = known.filter(({ name, id }) => name === file.fields.name && !this.#taken.has(id));
    if (found.length > 1) {
      const message = `${found.length} workflows of this organization are called ${JSON.stringify(file.fields.name)}; pull the right one, or rename the others`;
      this.findings.push(...makeError(file, 'ambiguous_name', message));
      this.#ambiguous.add(file);
    } else this.#take(file, found[0]?.id ?? null);
  }

  #take(file: WorkflowFile, id: string | null): void {
    const other = id === null ? undefined : this.#taken.get(id);
    if (other !== undefined) {
      this.findings.push(
        ...makeError(file, 'same_workflow', `it belongs to the same workflow as ${other.path}`),
      );
      return;
    }
    if (id !== null) this.#taken.set(id, file);
    this.#byFile.set(file, id);
  }

  /** @returns whether an earlier file has the same slug or id */
  #refuseCopy(file: WorkflowFile, files: readonly WorkflowFile[]): boolean {
    const first = files.find(({ slug, id }) => slug === file.slug || (id !== null && id === file.id));
    if (first === undefined || first === file) return false;
    const isSlug = first.slug === file.slug;
    const message = isSlug
      ? `it has the slug ${file.slug} of ${first.path}; give the copy another slug`
      : `it has the id of ${first.path}; remove the id from the copy`;
    this.findings.push(...makeError(file, 'same_workflow', message));
    return true;
  }
}
