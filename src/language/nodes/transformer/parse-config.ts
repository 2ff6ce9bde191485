/** The config of the mode `parse` (SPEC DEF-2.7). */
import { compile } from 'css-select';
import { z } from 'zod';
import { findLocale } from '../../graph/filters/locale-numbers.ts';
import { addProblem, anyJson, discriminator, orNull } from '../read-config.ts';
import { respondField } from './respond.ts';

const MAX_SELECTOR = 500;
const MAX_FIELDS = 50;
/** The task of a process is one argument of its command, of 128 KiB at most. */
const MAX_FIELDS_CHARS = 16_000;
const MAX_LISTS = 100;
const MAX_NAME = 200;
const MAX_SKIPPED = 1_000;
const MAX_CHARSET = 40;

/** A selector, and the attribute that is read in place of the text: `a.more@href`. */
const FIELD = /^(.*?)(?:@([\w:.-]+))?$/su;

/** Splits the selector of a field from its attribute. An empty selector is the item itself. */
export function readFieldSelector(field: string): {
  readonly selector: string;
  readonly attribute: string | null;
} {
  const [, selector = '', attribute] = FIELD.exec(field) ?? [];
  return { selector: selector.trim(), attribute: attribute ?? null };
}

function isSelector(selector: string): boolean {
  try {
    compile(selector);
    return true;
  } catch {
    return false;
  }
}

const selector = z.string().max(MAX_SELECTOR).refine(isSelector, 'must be a CSS selector');

function checkFields(fields: Readonly<Record<string, string>>, ctx: z.core.$RefinementCtx): void {
  for (const [name, field] of Object.entries(fields)) {
    const { selector: inner } = readFieldSelector(field);
    if (inner !== '' && !isSelector(inner))
      addProblem(ctx, { code: 'invalid_config', message: 'must be a CSS selector', path: [name] });
  }
  if (Object.keys(fields).length > MAX_FIELDS || JSON.stringify(fields).length > MAX_FIELDS_CHARS)
    addProblem(ctx, {
      code: 'invalid_config',
      message: `Must have at most ${MAX_FIELDS} fields, of ${MAX_FIELDS_CHARS} characters together`,
      path: [],
    });
}

function isCharset(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== '';
  } catch {
    return false;
  }
}

export const parseConfig = z.object({
  mode: discriminator('parse'),
  format: z
    .enum(['csv', 'xlsx', 'json', 'yaml', 'front_matter', 'xml', 'html', 'html_table', 'feed', 'email'])
    .meta({ description: 'The format of the source. `feed` is RSS or Atom, `email` a message as `.eml`' }),
  source: anyJson.meta({
    description:
      'The text, or a file `{base64}` such as the `data` of an HTTP tool has. A template of it, usually; at most 8 MiB',
  }),
  charset: orNull(z.string().max(MAX_CHARSET).refine(isCharset, 'must be the name of a charset')).meta({
    description:
      'The charset of a file, such as `windows-1252`; null: that of its byte order mark or declaration, else UTF-8',
  }),
  header: z
    .boolean()
    .default(true)
    .meta({ description: 'Whether the first row of a table has the names of its columns' }),
  delimiter: z.enum(['auto', ',', ';', '\t', '|']).default('auto').meta({
    description: 'The sign between the cells of a CSV; `auto`: the most frequent in its first line',
  }),
  quote: z.enum(['double', 'single']).default('double').meta({ description: 'The quotation marks of a CSV' }),
  skip_rows: z
    .int()
    .min(0)
    .max(MAX_SKIPPED)
    .default(0)
    .meta({ description: 'Lines of a CSV, or rows of a sheet, that are left out before its header' }),
  numbers: orNull(
    z
      .string()
      .refine((name) => findLocale(name) !== null, 'must be a language or locale such as en, de or de-CH'),
  ).meta({
    description:
      'The locale of the numbers in cells: texts that are numbers in it become numbers, but for those that begin with a needless 0; null: cells of texts stay texts',
  }),
  sheet: orNull(z.string().max(MAX_NAME)).meta({
    description: 'The name of the sheet of a workbook; null: the first one',
  }),
  lists: z
    .array(z.string().max(MAX_NAME))
    .max(MAX_LISTS)
    .nullish()
    .transform((lists) => lists ?? [])
    .meta({ description: 'The elements of XML that are always a list, also where there is only one' }),
  selector: orNull(selector).meta({
    description:
      'CSS selector of the items of HTML, or of the table; null: the whole document, or the first table',
  }),
  fields: z
    .record(z.string().min(1).max(MAX_NAME), z.string().max(MAX_SELECTOR))
    .superRefine(checkFields)
    .nullish()
    .transform((fields) => fields ?? null)
    .meta({
      description:
        'The fields of an item of HTML: CSS selectors inside of it, whose text is read, or an attribute behind `@` (`a@href`, `@data-id`); null: the text of the item',
    }),
  ...respondField,
});

type ParseConfig = z.output<typeof parseConfig>;

/** The work of a process: all but what the run has to say. */
export type ParseTask = Omit<ParseConfig, 'mode' | 'source' | 'respond'> & {
  /** The source was a text: its bytes are UTF-8, whatever it declares. */
  readonly isText: boolean;
};
