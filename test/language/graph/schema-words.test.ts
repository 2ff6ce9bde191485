/** A caller would read a library's English about JavaScript's types below a field, in the terminal or in an answer of the API. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { describeRawIssue } from '../../../src/language/graph/schema/schema-words.ts';

const mode = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('accepted') }),
  z.object({ mode: z.literal('result') }),
]);

it.each<[string, z.ZodType, unknown]>([
  ['is required', z.string(), undefined],
  ['is required', z.enum(['a', 'b']), undefined],
  ['is required', mode, {}],
  ['must be a string', z.string(), 3],
  ['must be a number', z.number(), '3'],
  ['must be an integer', z.int(), 1.5],
  ['must be true or false', z.boolean(), 'yes'],
  ['must be an array', z.array(z.string()), {}],
  ['must be an object', z.object({}), []],
  ['must be an object', z.record(z.string(), z.string()), 1],
  ['must be "accepted"', z.literal('accepted'), 'x'],
  ['must be one of: accepted, result', mode, { mode: 'x' }],
  ['must be one of: a, b', z.enum(['a', 'b']), 'c'],
  ['must not be empty', z.string().min(1), ''],
  ['must have at least 2 characters', z.string().min(2), 'a'],
  ['must have at most 1 character', z.string().max(1), 'ab'],
  ['must have exactly 3 characters', z.string().length(3), 'ab'],
  ['must have at least 1 item', z.array(z.string()).min(1), []],
  ['must have at most 2 items', z.array(z.string()).max(2), ['', '', '']],
  ['must be at least 1', z.number().min(1), 0],
  ['must be greater than 0', z.number().gt(0), 0],
  ['must be at most 5', z.number().max(5), 6],
  ['must be less than 5', z.number().lt(5), 5],
  ['must be a multiple of 2', z.number().multipleOf(2), 3],
  ['must be an email address', z.email(), 'x'],
  ['must be a URL', z.url(), 'x'],
  ['must be a UUID', z.guid(), 'x'],
  ['has unknown fields: a, b', z.strictObject({}), { a: 1, b: 1 }],
  ['has an invalid value', z.union([z.string(), z.number()]), true],
  ['must be a name', z.string().regex(/^a/, 'must be a name'), 'b'],
])('%s', (message, schema, value) => {
  const { error } = schema.safeParse(value, { error: describeRawIssue });
  expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
});
