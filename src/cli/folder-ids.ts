/**
 * The ids of a folder in other organizations. A file has the id of the organization that it comes from; what stands for it
 * elsewhere is kept beside the files, so that one folder can be pushed to several organizations and services.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listReferences } from '../graph/references.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../graph/value.ts';
import { CommandError, EXIT } from './exit.ts';

export const IDS_FILE = '.workflow-ids.json';

/** By organization, then by the id in the files. */
type Stored = Readonly<Record<string, Readonly<Record<string, string>>>>;

async function readStored(path: string): Promise<Stored> {
  try {
    const stored = JSON.parse(await readFile(path, 'utf8')) as Json;
    if (isObject(stored) && Object.values(stored).every(isObject)) return stored as unknown as Stored;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CommandError(`${path} is not {"organization id": {"id in the files": "id there"}}`, EXIT.usage);
}

/** A copy of the definition with other ids where it names workflows, credentials and knowledge bases. */
export function withIds(definition: JsonObject, idFor: (id: string) => string): JsonObject {
  const copy = structuredClone(definition);
  for (const { id, path } of listReferences(definition)) {
    const next = idFor(id);
    const parent = path.slice(0, -1).reduce<Json | undefined>((at, key) => ownValue(at, key), copy);
    const key = path.at(-1);
    if (next !== id && key !== undefined && parent !== undefined)
      Object.assign(parent as object, { [key]: next });
  }
  return copy;
}

export class FolderIds {
  readonly #path: string;
  readonly #organizationId: string;
  readonly #ids: Map<string, string>;

  private constructor(path: string, organizationId: string, ids: Map<string, string>) {
    this.#path = path;
    this.#organizationId = organizationId;
    this.#ids = ids;
  }

  /** @throws CommandError for a file of ids that is none */
  static async read(folder: string, organizationId: string): Promise<FolderIds> {
    const path = join(folder, IDS_FILE);
    const own = (await readStored(path))[organizationId] ?? {};
    return new FolderIds(path, organizationId, new Map(Object.entries(own)));
  }

  /** @returns what stands for an id of the files in this organization; the id itself where nothing else does */
  idHere(idInFiles: string): string {
    return this.#ids.get(idInFiles) ?? idInFiles;
  }

  /** @returns the id by which the files name something of this organization */
  idInFiles(idHere: string): string {
    return [...this.#ids].find(([, here]) => here === idHere)?.[0] ?? idHere;
  }

  /** Notes what stands for an id here, and writes it down: what was made must not be made again. */
  async note(idInFiles: string, idHere: string): Promise<void> {
    if (this.#ids.get(idInFiles) === idHere) return;
    this.#ids.set(idInFiles, idHere);
    const stored = {
      ...(await readStored(this.#path)),
      [this.#organizationId]: Object.fromEntries(this.#ids),
    };
    await writeFile(this.#path, `${JSON.stringify(stored, null, 2)}\n`);
  }
}
