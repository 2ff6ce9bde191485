/** The configs of the transformer, one for each mode (SPEC DEF-2.7). */
import { z } from 'zod';
import { isForbiddenKey } from '../../graph/values/value.ts';
import { addProblem, anyJson, discriminator, jsonObject, orNull, ruleGroup } from '../read-config.ts';
import { formatConfig } from './format-config.ts';
import { parseConfig } from './parse-config.ts';
import { respondField } from './respond.ts';

/** Items of a list that a transformer reads or makes: as many as an output of the largest size has, if each is a small object. */
export const MAX_ITEMS = 100_000;
const MAX_NAMES = 1_000;
/** Levels that lists are flattened: as deep as JSON of a request may nest. */
const MAX_DEPTH = 64;

const source = anyJson.meta({ description: 'The array, or a template of it' });

export const AGGREGATES = ['count', 'sum', 'average', 'min', 'max', 'first', 'list'] as const;

/** A field of an item; `__proto__` is refused everywhere (SPEC SEC-P09). */
const fieldName = z
  .string()
  .min(1)
  .refine((name) => !isForbiddenKey(name), 'This name is not allowed');

const aggregate = z.object({
  name: fieldName.meta({ description: 'The field of the output item' }),
  op: z.enum(AGGREGATES).meta({ description: 'How the values of a group become one' }),
  of: orNull(anyJson).meta({
    description:
      'Template of the value of each item, with `item` and `index`; null: the item itself. Values that are null are left out, except in `list`',
  }),
});

/** Adds a problem for each name that a group would set twice. */
function checkNames(
  { keys, values }: { readonly keys: object; readonly values: readonly { readonly name: string }[] },
  ctx: z.core.$RefinementCtx,
): void {
  const taken = new Set(Object.keys(keys));
  for (const [index, { name }] of values.entries()) {
    if (taken.has(name))
      addProblem(ctx, {
        code: 'invalid_config',
        message: `The name ${JSON.stringify(name)} is already in use`,
        path: ['values', index, 'name'],
      });
    taken.add(name);
  }
}

/** Adds a problem for each new name that is given twice, and for too many. */
function checkRenames(names: Readonly<Record<string, string>>, ctx: z.core.$RefinementCtx): void {
  const taken = new Set<string>();
  for (const [from, to] of Object.entries(names)) {
    if (taken.has(to))
      addProblem(ctx, {
        code: 'invalid_config',
        message: `Two keys get the name ${JSON.stringify(to)}`,
        path: [from],
      });
    taken.add(to);
  }
  if (Object.keys(names).length > MAX_NAMES)
    addProblem(ctx, { code: 'invalid_config', message: `Must have at most ${MAX_NAMES} names`, path: [] });
}

export const config = z.discriminatedUnion('mode', [
  z.object({
    mode: discriminator('map'),
    fields: jsonObject.meta({ description: 'The fields of the output; values may be templates' }),
    ...respondField,
  }),
  z.object({
    mode: discriminator('list'),
    source,
    filter: ruleGroup
      .nullish()
      .meta({ description: 'Condition on each item, as `item` and `index`; null: keeps all items' }),
    sort: z
      .array(
        z.object({
          by: z.string().default('').meta({ description: 'Path into the item; empty: the item itself' }),
          order: z
            .enum(['asc', 'desc'])
            .default('asc')
            .meta({ description: 'Sort order; null comes last in both' }),
        }),
      )
      .nullish()
      .transform((sort) => sort ?? [])
      .meta({ description: 'Sort keys, the most significant first; null: keeps the order' }),
    limit: z.int().min(0).nullish().meta({ description: 'Maximum number of items; null: unlimited' }),
    select: orNull(anyJson).meta({
      description: 'Template of each output item, with `item` and `index`; null: the item itself',
    }),
    ...respondField,
  }),
  z.object({
    mode: discriminator('template'),
    template: z.string().meta({ description: 'A text with templates' }),
    parse_as: z.enum(['text', 'json']).default('text').meta({
      description:
        'Whether the output is the rendered text or its parsed JSON. In JSON, inserted values are escaped',
    }),
    ...respondField,
  }),
  z.object({
    mode: discriminator('merge'),
    sources: z.array(anyJson).meta({ description: 'The values to merge, in order; values may be templates' }),
    strategy: z.enum(['first_non_null', 'concat', 'deep_merge']).default('first_non_null').meta({
      description:
        'Takes the first value that is not null, concatenates arrays, or merges objects, where later ones win',
    }),
    ...respondField,
  }),
  z
    .object({
      mode: discriminator('group'),
      source,
      keys: jsonObject
        .nullish()
        .transform((keys) => keys ?? {})
        .meta({
          description:
            'The fields that tell groups apart, as templates with `item` and `index`; null: one group of all items. A number and its text are one key',
        }),
      values: z
        .array(aggregate)
        .max(MAX_NAMES)
        .nullish()
        .transform((values) => values ?? [])
        .meta({ description: 'The fields that are computed over the items of each group' }),
      ...respondField,
    })
    .superRefine(checkNames),
  z.object({
    mode: discriminator('join'),
    left: anyJson.meta({ description: 'The left array, or a template of it' }),
    right: anyJson.meta({ description: 'The right array, or a template of it' }),
    left_key: anyJson.meta({
      description: 'Template of the key of a left item, with `item` and `index`; an array for several keys',
    }),
    right_key: anyJson.meta({
      description:
        'Template of the key of a right item. A number and its text are one key; null matches nothing',
    }),
    join_type: z.enum(['inner', 'left', 'full']).default('inner').meta({
      description:
        'Whether only matches are kept, all left items, or all items of both; the missing side is null',
    }),
    select: orNull(anyJson).meta({
      description:
        'Template of each output item, with `item.left`, `item.right` and `index`; null: `{left, right}`',
    }),
    ...respondField,
  }),
  z.object({
    mode: discriminator('unique'),
    source,
    by: orNull(anyJson).meta({
      description:
        'Template of the key of each item, with `item` and `index`; null: the item itself. The first item of each key is kept',
    }),
    ...respondField,
  }),
  z.object({
    mode: discriminator('chunk'),
    source,
    size: z
      .int()
      .min(1)
      .max(MAX_ITEMS)
      .meta({ description: 'Items of each chunk; the last one may have fewer' }),
    ...respondField,
  }),
  z.object({
    mode: discriminator('flatten'),
    source,
    select: orNull(anyJson).meta({
      description:
        'Template of the list in each item, with `item` and `index`; null: the item itself. Null in place of a list is left out',
    }),
    depth: z
      .int()
      .min(1)
      .max(MAX_DEPTH)
      .default(1)
      .meta({ description: 'Levels of lists that are taken apart' }),
    ...respondField,
  }),
  z.object({
    mode: discriminator('pick'),
    source,
    keep: z
      .array(z.string())
      .min(1)
      .max(MAX_NAMES)
      .meta({ description: 'The keys of each item that are kept; those that an item lacks stay missing' }),
    ...respondField,
  }),
  z.object({
    mode: discriminator('rename'),
    source,
    names: z
      .record(z.string(), fieldName)
      .superRefine(checkRenames)
      .meta({ description: 'Old keys and their new names; other keys are kept' }),
    ...respondField,
  }),
  formatConfig,
  parseConfig,
]);
export type Config = z.output<typeof config>;
/** The config of one mode. */
export type ConfigOf<Mode extends Config['mode']> = Extract<Config, { mode: Mode }>;
