/**
 * Reads `.workflow-ids.json`, in which an earlier version of the command line mapped the ids in a folder's files to ids in other
 * organizations. Folders with slugs have a lock instead.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, type Json } from '../../language/graph/values/value.ts';
import { CommandError, EXIT } from './exit.ts';

const IDS_FILE = '.workflow-ids.json';

/** By organization id, then by the id in the files. */
type Stored = Readonly<Record<string, Readonly<Record<string, string>>>>;

async function readStored(path: string): Promise<Stored> {
  try {
    const stored = JSON.parse(await readFile(path, 'utf8')) as Json;
    if (isObject(stored) && Object.values(stored).every(isObject)) return stored as unknown as Stored;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CommandError(
    `${path} is invalid; expected {"organization id": {"id in the files": "id there"}}`,
    EXIT.usage,
  );
}

export class FolderIds {
  readonly #ids: Readonly<Record<string, string>>;

  private constructor(ids: Readonly<Record<string, string>>) {
    this.#ids = ids;
  }

  /** @throws CommandError for an invalid map file */
  static async read(folder: string, organizationId: string): Promise<FolderIds> {
    return new FolderIds((await readStored(join(folder, IDS_FILE)))[organizationId] ?? {});
  }

  /** @returns the id in this organization; the same id when the map has none */
  toRemoteId(idInFiles: string): string {
    return Object.hasOwn(this.#ids, idInFiles) ? (this.#ids[idInFiles] ?? idInFiles) : idInFiles;
  }
}
