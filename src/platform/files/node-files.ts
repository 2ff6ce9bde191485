/** The files of nodes: opened while a request is sent. */
import type { Sql } from '../../base/db/client.ts';
import { NothingSentError } from '../../language/nodes/failure.ts';
import type { FilesPort } from '../../language/nodes/tools.ts';
import type { FileStore } from './file-store.ts';
import { findFile } from './rows.ts';

/** @param store null: the operator has configured none */
export const createFilesPort = (sql: Sql, store: FileStore | null): FilesPort => ({
  async find(organizationId, { $file: fileId, name, size, sha256 }) {
    const row = await findFile(sql, { organizationId, fileId });
    if (row === null || store === null)
      throw new NothingSentError('file_not_found', `The file ${JSON.stringify(name)} does not exist`);
    // The request that people have seen has this digest.
    if (row.sha256 !== sha256 || row.size !== size)
      throw new NothingSentError(
        'file_changed',
        `The file ${JSON.stringify(name)} is not the one that is described`,
      );
    return () => store.open(row);
  },
});
