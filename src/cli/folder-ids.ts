/**
 * Maps the ids in a folder's files to ids in other organizations. The map is a file in the folder, so that one folder can be
 * pushed to several organizations and services.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listReferences } from '../graph/references.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../graph/value.ts';
import { CommandError, EXIT } from './exit.ts';

export const IDS_FILE = '.workflow-ids.json';

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

/** Copies a definition and maps the ids of its workflows, credentials and knowledge bases. */
export function mapIds(definition: JsonObject, mapId: (id: string) => string): JsonObject {
  const copy = structuredClone(definition);
  for (const { id, path } of listReferences(definition)) {
    const next = mapId(id);
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

  /** @throws CommandError for an invalid map file */
  static async read(folder: string, organizationId: string): Promise<FolderIds> {
    const path = join(folder, IDS_FILE);
    const own = (await readStored(path))[organizationId] ?? {};
    return new FolderIds(path, organizationId, new Map(Object.entries(own)));
  }

  /** @returns the id in this organization; the same id when the map has none */
  toRemoteId(idInFiles: string): string {
    return this.#ids.get(idInFiles) ?? idInFiles;
  }

  /** @returns the id in the files; the same id when the map has none */
  toFileId(remoteId: string): string {
    return [...this.#ids].find(([, remote]) => remote === remoteId)?.[0] ?? remoteId;
  }

  /** Adds a pair and writes the file, so that a later push does not create the workflow again. */
  async add(idInFiles: string, remoteId: string): Promise<void> {
    if (this.#ids.get(idInFiles) === remoteId) return;
    this.#ids.set(idInFiles, remoteId);
    const stored = {
      ...(await readStored(this.#path)),
      [this.#organizationId]: Object.fromEntries(this.#ids),
    };
    await writeFile(this.#path, `${JSON.stringify(stored, null, 2)}\n`);
  }
}
