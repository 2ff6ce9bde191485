/**
 * The lock of a folder: the workflows that its files were pulled from or pushed as. Each organization and workflow has a file of
 * its own, so that git merges the locks of different workflows by itself.
 */
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isObject, type Json } from '../../language/graph/values/value.ts';
import { CommandError, EXIT } from './exit.ts';
import type { FileForm } from './file-form.ts';
import { removeUnfinished, replaceFile } from './replace-file.ts';

const LOCK_FOLDER = '.workflow-lock';

interface LockEntry {
  /** Id of the workflow in the organization. */
  readonly id: string;
  readonly editVersion: number;
  /** The workflow at that version, with names as references. */
  readonly form: FileForm;
}

const nullWhenMissing = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
};

function parseEntry(path: string, text: string): LockEntry {
  let value: Json = null;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    // Reported below; git leaves such a file after a conflict.
  }
  const { id, edit_version: editVersion, workflow } = isObject(value) ? value : {};
  if (typeof id !== 'string' || typeof editVersion !== 'number' || !isObject(workflow)) {
    const hint = 'After a merge conflict in git, take either side and run: workflow pull';
    throw new CommandError(`${path} is invalid. ${hint}`, EXIT.usage);
  }
  return { id, editVersion, form: workflow as FileForm };
}

/** The entries of one organization. */
export class FolderLock {
  readonly #folder: string;
  readonly #entries: Map<string, LockEntry>;

  private constructor(folder: string, entries: Map<string, LockEntry>) {
    this.#folder = folder;
    this.#entries = entries;
  }

  /** @throws CommandError for an invalid entry */
  static async read(folder: string, organizationId: string): Promise<FolderLock> {
    const own = join(folder, LOCK_FOLDER, organizationId);
    const names = (await readdir(own).catch(nullWhenMissing)) ?? [];
    const entries = new Map<string, LockEntry>();
    for (const name of names.filter((one) => one.endsWith('.json')).sort()) {
      const path = join(own, name);
      entries.set(name.slice(0, -'.json'.length), parseEntry(path, await readFile(path, 'utf8')));
    }
    return new FolderLock(own, entries);
  }

  /** Removes what killed commands have left unfinished. */
  async tidy(): Promise<void> {
    await removeUnfinished(this.#folder);
  }

  get(slug: string): LockEntry | null {
    return this.#entries.get(slug) ?? null;
  }

  /** @returns the path of an entry's file */
  findPath(slug: string): string {
    return join(this.#folder, `${slug}.json`);
  }

  /** @returns the slug of a workflow of the organization; null when the folder does not know it */
  findSlug(id: string): string | null {
    return [...this.#entries].find(([, entry]) => entry.id === id)?.[0] ?? null;
  }

  list(): readonly (readonly [slug: string, entry: LockEntry])[] {
    return [...this.#entries];
  }

  async put(slug: string, entry: LockEntry): Promise<void> {
    this.#entries.set(slug, entry);
    const path = this.findPath(slug);
    await mkdir(dirname(path), { recursive: true });
    const stored = { id: entry.id, edit_version: entry.editVersion, workflow: entry.form };
    await replaceFile(path, `${JSON.stringify(stored, null, 2)}\n`);
  }
}
