/** The config of the mode `format` (SPEC DEF-2.7). */
import { z } from 'zod';
import { anyJson, discriminator, orNull } from '../read-config.ts';
import { respondField } from './respond.ts';
import { XML_NAME } from './xml-name.ts';

/** Columns of a table: as many as a sheet of LibreOffice Calc once had, and few enough that one row fits in memory. */
export const MAX_COLUMNS = 1_000;

/** The signs that part the cells of a row. */
const DELIMITERS = [',', ';', '\t', '|'] as const;

export const formatConfig = z.object({
  mode: discriminator('format'),
  format: z.enum(['csv', 'html', 'markdown', 'xml']).meta({
    description: 'CSV, a table of HTML or Markdown, or XML',
  }),
  source: anyJson.meta({
    description:
      'The rows of a table, a list of objects or of lists; for `xml` any value. A template of it, usually',
  }),
  columns: z
    .array(z.string())
    .min(1)
    .max(MAX_COLUMNS)
    .nullish()
    .transform((columns) => columns ?? null)
    .meta({
      description:
        'The keys of the columns of a table, in order, or the names of the places of rows that are lists; null: all keys, as they first appear',
    }),
  header: z
    .boolean()
    .default(true)
    .meta({ description: 'Whether a CSV begins with the names of its columns' }),
  delimiter: z.enum(DELIMITERS).default(',').meta({ description: 'The sign between the cells of a CSV' }),
  decimal: z
    .enum(['.', ','])
    .default('.')
    .meta({ description: 'The decimal sign of numbers in a CSV; texts stay as they are' }),
  formulas: z.enum(['escape', 'keep']).default('escape').meta({
    description:
      "What becomes of a text in a CSV that spreadsheets would run as a formula (`=`, `+`, `-`, `@`): `escape` puts a `'` before it",
  }),
  // No pattern of the document: Python's regular expressions have no classes of letters.
  root: orNull(z.string().refine((name) => XML_NAME.test(name), 'must be a name in XML')).meta({
    description: 'The name of the outermost element of XML; null: the one key of the source',
  }),
  ...respondField,
});
