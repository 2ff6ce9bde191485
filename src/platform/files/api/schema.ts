/** Wire shapes of files. */
import { z } from 'zod';
import {
  createdAt,
  createdBy,
  expiresAt,
  nextCursor,
  owningOrganizationId,
  uniqueId,
} from '../../http/fields.ts';
import { cursor, limit } from '../../http/paginate.ts';
import { uuid } from '../../http/wire.ts';

/** The parts of an upload, as the API's description shows them. */
export const fileParts = z
  .object({
    file: z
      .string()
      .meta({ format: 'binary', description: 'The file; at most 100 MiB, unless the plan says otherwise' }),
  })
  .meta({ id: 'FileUpload' });

export const fileQuery = z.object({ limit: limit(50), cursor });
export type FileQuery = z.output<typeof fileQuery>;

const name = z.string().meta({ description: 'Name of the file' });
const mediaType = z.string().meta({ description: 'Media type that the sender declared, without parameters' });
const size = z.int().meta({ description: 'Bytes' });
const sha256 = z.string().meta({ description: 'SHA-256 of the bytes, hexadecimal' });

const reference = z
  .looseObject({
    $file: uuid.meta({ description: 'Id of the file' }),
    name,
    media_type: mediaType,
    size,
    sha256,
  })
  .meta({ id: 'FileReference', description: 'Stands for the file in inputs, outputs and state of runs' });

export const file = z
  .looseObject({
    id: uniqueId,
    organization_id: owningOrganizationId,
    name,
    media_type: mediaType,
    size,
    sha256,
    reference: reference.meta({ description: 'Stands for the file in values of runs' }),
    expires_at: expiresAt.meta({
      description: 'When it is deleted, ISO 8601 UTC; null while a run refers to it',
    }),
    created_by: createdBy,
    created_at: createdAt,
  })
  .meta({ id: 'File' });

export const fileList = z
  .looseObject({
    files: z.array(file).meta({ description: 'Files of the organization, newest first' }),
    next_cursor: nextCursor,
  })
  .meta({ id: 'FileList' });
