/** Schemas of the query parameters of pagination (SPEC API-pagination). */
import { z } from 'zod';
import { nextCursor } from './fields.ts';

/** The specification has no maximum; larger numbers would lose digits in the answer. */
const MAX_OFFSET = Number.MAX_SAFE_INTEGER;

/** Creates the schema of an integer in a query string; values out of bounds are 422 (SPEC API-limits). */
export function integer(minimum: number, maximum: number) {
  return z
    .string()
    .transform((text, ctx): number => {
      const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
      const complain = (type: string, message: string): never => {
        ctx.addIssue({ code: 'custom', message, params: { type } });
        return z.NEVER;
      };
      if (Number.isNaN(value)) return complain('int_parsing', 'Must be an integer');
      if (value < minimum) {
        return complain('greater_than_equal', `Must be at least ${minimum}`);
      }
      if (value > maximum) return complain('less_than_equal', `Must be at most ${maximum}`);
      return value;
    })
    .meta({ override: { type: 'integer', minimum, maximum } });
}

/** `page` and `page_size` of the workflow list: both optional, 1 to 100 rows per page. */
export const pageNumber = integer(1, MAX_OFFSET)
  .optional()
  .meta({ description: 'Number of the page, from 1' });
export const pageSize = integer(1, 100)
  .optional()
  .meta({ description: 'Items per page; without it all items are returned' });

/** Creates the schema of `limit`: 1 to 100. */
export function limit(byDefault: number) {
  return integer(1, 100)
    .optional()
    .transform((value) => value ?? byDefault)
    .meta({
      description: 'Items per page',
      override: { type: 'integer', minimum: 1, maximum: 100, default: byDefault },
    });
}

/** `cursor` of a list with cursors. */
export const cursor = z
  .string()
  .max(1_000)
  .optional()
  .meta({ description: '`next_cursor` of the previous page; without it, the first page' });

/** `offset`: 0 or more. */
const offset = integer(0, MAX_OFFSET)
  .optional()
  .transform((value) => value ?? 0)
  .meta({
    description: 'Number of items to skip; with `cursor`, none are',
    override: { type: 'integer', minimum: 0, default: 0 },
  });

/** `cursor` of a list that is also read backward. */
export const eitherCursor = cursor.meta({
  description:
    '`next_cursor` or `previous_cursor` of another page with the same filters; items that arrive meanwhile neither repeat nor move others',
});

/** The query of a list with `limit` and `offset`, or a cursor in place of the offset. */
export const offsetPage = (byDefault: number) => ({ limit: limit(byDefault), offset, cursor: eitherCursor });

/** Cursors in the answer of a list that is also read backward. */
export const cursors = {
  next_cursor: nextCursor,
  previous_cursor: z
    .string()
    .nullable()
    .meta({ description: 'Value of `cursor` for the page before this one; null on the first page' }),
};

/** Fields of the answer of a list with `limit` and `offset`. */
export const pageOfList = {
  has_more: z
    .boolean()
    .meta({ description: 'Whether there is another page, at `next_cursor`, or at `offset` + `limit`' }),
  limit: z.int().meta({ description: 'Maximum number of items on a page' }),
  offset: z.int().meta({ description: 'Number of skipped items before this page' }),
  ...cursors,
};
