/** Wire shapes of tables and their rows. */
import { z } from 'zod';
import { isRowKey, MAX_KEY } from '../../../language/nodes/tool/row-request.ts';
import {
  createdAt,
  createdBy,
  nextCursor,
  owningOrganizationId,
  uniqueId,
  updatedAt,
} from '../../http/fields.ts';
import { limit } from '../../http/paginate.ts';
import { bodyWarnings } from '../../http/unknown-fields.ts';
import { json, uuid } from '../../http/wire.ts';

const name = z.string().min(1).max(255).meta({ description: 'Name of the table; no other one has it' });
const description = z.string().max(10_000).meta({ description: 'Its purpose, for people' });

export const newTable = z.object({ name, description: description.default('') }).meta({ id: 'CreateTable' });
export type NewTable = z.output<typeof newTable>;
export const tableChange = z
  .object({ name: name.optional(), description: description.optional() })
  .meta({ id: 'TableChange' });
export type TableChange = z.output<typeof tableChange>;

/** Keys of rows are in the cursor of the next page. */
const cursor = z
  .string()
  .max(1_600)
  .optional()
  .meta({ description: '`next_cursor` of the previous page; without it, the first page' });

export const tableQuery = z.object({ limit: limit(50), cursor });
export type TableQuery = z.output<typeof tableQuery>;

export const table = z
  .looseObject({
    id: uniqueId,
    organization_id: owningOrganizationId,
    name,
    description,
    row_count: z.int().meta({ description: 'Number of its rows' }),
    created_by: createdBy,
    created_at: createdAt,
    updated_at: updatedAt,
    warnings: bodyWarnings,
  })
  .meta({ id: 'Table' });
export const tableList = z
  .looseObject({
    tables: z.array(table).meta({ description: 'Tables of the organization, by name' }),
    next_cursor: nextCursor,
  })
  .meta({ id: 'TableList' });

const ABOUT_KEY = 'Key of the row in its table';
const rowKey = z.string().min(1).max(MAX_KEY);

export const rowParams = z.object({
  table_id: uuid.meta({ description: 'Id of the table' }),
  key: rowKey.refine(isRowKey, 'Invalid key').meta({ description: `${ABOUT_KEY}; not \`.\` or \`..\`` }),
});

/** A version in a query. */
const versionText = z
  .string()
  .regex(/^\d{1,15}$/, 'Must be a version')
  .transform(Number)
  .meta({ override: { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 } });
const ABOUT_EXPECTED = 'Only if this is the version of the row, else 409; 0: only if there is no row';

export const rowQuery = z
  .object({
    prefix: rowKey.optional().meta({ description: 'Only rows whose keys begin with this' }),
    field: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .meta({ description: 'Only rows whose value has `equals` in this field; needs `equals`' }),
    equals: z
      .string()
      .max(1_000)
      .optional()
      .meta({ description: 'The value of `field`, compared as text; needs `field`' }),
    limit: limit(50),
    cursor,
  })
  .superRefine(({ field, equals }, ctx) => {
    if ((field === undefined) === (equals === undefined)) return;
    const path = [field === undefined ? 'field' : 'equals'];
    ctx.addIssue({ code: 'custom', path, message: '`field` and `equals` belong together' });
  });
export type RowQuery = z.output<typeof rowQuery>;

export const rowChange = z
  .object({
    value: json.meta({ description: 'The new value of the row, any JSON' }),
    expected_version: z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .meta({ description: ABOUT_EXPECTED }),
  })
  .meta({ id: 'PutTableRow' });
export const rowDeletion = z.object({
  expected_version: versionText.optional().meta({ description: ABOUT_EXPECTED }),
});

export const row = z
  .looseObject({
    key: rowKey.meta({ description: ABOUT_KEY }),
    value: json.meta({ description: 'The value of the row' }),
    version: z.int().meta({ description: 'Grows with each write, also after a deletion' }),
    updated_by: uuid
      .nullable()
      .meta({ description: 'Id of the user who wrote it last; null: a run did, or the user was deleted' }),
    run_pk: uuid.nullable().meta({
      description:
        'Id in the history of the run that wrote it last; null: a user did. The run may be deleted',
    }),
    step_id: uuid.nullable().meta({ description: 'Id of the step that wrote it last; null: a user did' }),
    created_at: createdAt,
    updated_at: updatedAt,
    warnings: bodyWarnings,
  })
  .meta({ id: 'TableRow' });
export const rowList = z
  .looseObject({
    rows: z.array(row).meta({
      description: `Rows by key, in the order of their UTF-8 bytes. A page ends early when its values are large, and with \`field\` when it has looked at 2,000 rows`,
    }),
    next_cursor: nextCursor,
  })
  .meta({ id: 'TableRowList' });
