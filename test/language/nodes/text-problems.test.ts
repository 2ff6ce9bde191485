/** A mistake in a text of another language would be found by the first run that reaches it. */
import { expect, test } from 'vitest';
import { validate } from '../../../src/language/graph/checks/validate.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { kindRules, systemRules } from '../../../src/language/nodes/registry.ts';

const model = { provider: 'openai', model: 'm', messages: [{ role: 'user', content: 'x' }] };
const form = (schema: JsonObject): JsonObject => ({ kind: 'input', title: 'x', form: schema });
const code = 'export default () => 1';
const rule = { left: '{{input.x}}', op: 'matches', right: '(' };
const cases = (rules: unknown): JsonObject => ({ cases: [{ id: 'a', rules }] }) as JsonObject;

const check = (type: string, config: JsonObject, rules = kindRules): string[] =>
  validate({ nodes: [{ id: 'n', type, config }], edges: [{ source: '__start__', target: 'n' }] }, rules)
    .filter(({ severity }) => severity === 'error')
    .map(({ code: found, path }) => `${found} /${path.join('/')}`);

test.each<[language: string, type: string, config: JsonObject, problem: string]>([
  ['JavaScript', 'function', { code: 'export default ({n}) => {' }, 'invalid_code /nodes/0/config/code'],
  [
    'JSON Schema: an unknown type',
    'function',
    { code, output_schema: { type: 'strng' } },
    'invalid_schema /nodes/0/config/output_schema/type',
  ],
  [
    'JSON Schema of a form',
    'interrupt',
    form({ properties: { a: { type: 'string', minLength: '3' } } }),
    'invalid_schema /nodes/0/config/form/properties/a/minLength',
  ],
  [
    'JSON Schema of an answer',
    'llm',
    { ...model, response_format: { type: 'json_schema', schema: { required: true } } },
    'invalid_schema /nodes/0/config/response_format/schema/required',
  ],
  [
    'JSON Schema of a tool',
    'agent',
    {
      ...model,
      tools: [
        {
          kind: 'http',
          name: 't',
          url: 'https://x.example',
          method: 'GET',
          input_schema: { $ref: '#/$defs/gone' },
        },
      ],
    },
    'invalid_schema /nodes/0/config/tools/0/input_schema/$ref',
  ],
  [
    'JSON Schema of a check',
    'guardrails',
    { input: 'x', checks: [{ type: 'json_schema', schema: { items: [1] }, action: 'block' }] },
    'invalid_schema /nodes/0/config/checks/0/schema/items',
  ],
  [
    'a pattern within a schema',
    'interrupt',
    form({ properties: { a: { pattern: '(' } } }),
    'invalid_pattern /nodes/0/config/form/properties/a/pattern',
  ],
  [
    'a pattern of a rule',
    'conditional',
    cases([rule]),
    'invalid_pattern /nodes/0/config/cases/0/rules/0/right',
  ],
  [
    'a rule',
    'conditional',
    cases([{ left: 1, op: 'resembles', right: 2 }]),
    'invalid_rule /nodes/0/config/cases/0/rules/0/op',
  ],
  [
    'a template',
    'transformer',
    { mode: 'template', template: '{{input.x' },
    'invalid_template /nodes/0/config/template',
  ],
  [
    'a filter of a template',
    'transformer',
    { mode: 'template', template: '{{input.x | shout}}' },
    'invalid_template /nodes/0/config/template',
  ],
])('%s is checked when the definition is', (_language, type, config, problem) => {
  expect(check(type, config)).toEqual([problem]);
});
test.each<[string, JsonObject]>([
  ['a boolean schema', { properties: { a: true }, additionalProperties: false }],
  [
    'a list of types and a recursive reference',
    { type: ['object', 'null'], properties: { a: { $ref: '#' } } },
  ],
  ['names that are keywords', { properties: { type: { type: 'string' }, required: { enum: [true] } } }],
  ['data that looks like a schema', { default: { type: 'strng' }, enum: [{ type: 'strng' }] }],
  ['a keyword that is not known', { 'x-order': 1, format: 'email', nullable: true }],
  ['a reference to a definition', { $defs: { a: { type: 'string' } }, items: { $ref: '#/$defs/a' } }],
])('%s is no problem of a schema', (_name, schema) => {
  expect(check('interrupt', form(schema))).toEqual([]);
});
test('a definition that was checked by an earlier version still compiles', () => {
  expect(check('function', { code: 'export default (' }, systemRules)).toEqual([]);
});
