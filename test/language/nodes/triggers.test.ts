/** If this fails, a definition with a trigger that could never start a run is deployed, or one with a right trigger is not. */
import { describe, expect, test } from 'vitest';
import { validate } from '../../../src/language/graph/checks/validate.ts';
import type { Json, JsonObject } from '../../../src/language/graph/values/value.ts';
import { kindRules } from '../../../src/language/nodes/registry.ts';
import { listTriggers, MAX_TRIGGERS } from '../../../src/language/nodes/triggers/triggers.ts';
import { chain, transform } from '../../support/definitions.ts';

const define = (triggers: Json): JsonObject => ({ ...chain(transform('t')), config: { triggers } });
const problemsOf = (triggers: Json) => validate(define(triggers), kindRules);

const HMAC = { header: 'x-signature', signed: '{body}' };

test('triggers of each type are right, and are listed with their defaults', () => {
  const definition = define({
    orders: { type: 'webhook' },
    signed: { type: 'webhook', verification: 'hmac', signature: HMAC, thread_id: '{{body.id}}' },
    'every-day': { type: 'schedule', cron_expression: ' 0  9 * * * ', timezone: 'europe/istanbul' },
  });
  expect(validate(definition, kindRules)).toEqual([]);
  expect(listTriggers(definition)).toMatchObject([
    {
      id: 'orders',
      type: 'webhook',
      verification: 'none',
      methods: ['POST', 'PUT'],
      deduplicate_by: 'sender_id',
    },
    { id: 'signed', signature: { ...HMAC, algorithm: 'sha256', encoding: 'hex' } },
    { id: 'every-day', cron_expression: '0 9 * * *', timezone: 'Europe/Istanbul', overlap_policy: 'skip' },
  ]);
  expect(listTriggers(chain(transform('t')))).toEqual([]);
  expect(problemsOf(null)).toEqual([]);
});

describe('a wrong trigger is an error at its place', () => {
  const WEBHOOK = { type: 'webhook' };
  const SCHEDULE = { type: 'schedule', cron_expression: '0 9 * * *' };
  test.each<[string, Json, readonly string[], RegExp]>([
    ['no object', [], [], /config\.triggers must be an object/],
    ['an id that is no name', { '1st': WEBHOOK }, ['1st'], /id that is no name/],
    ['no object as a trigger', { a: 'webhook' }, ['a'], /Trigger "a": must be an object/],
    ['no type', { a: {} }, ['a', 'type'], /type/],
    ['an unknown type', { a: { type: 'pigeon' } }, ['a', 'type'], /type/],
    ['an unknown field', { a: { ...WEBHOOK, filtr: null } }, ['a'], /filtr/],
    ['a filter that is no rule', { a: { ...WEBHOOK, filter: { left: 1 } } }, ['a', 'filter'], /filter/],
    [
      'a root that no request has',
      { a: { ...WEBHOOK, mapping: { x: '{{input.x}}' } } },
      ['a', 'mapping'],
      /unknown here/,
    ],
    ['a thread without a template', { a: { ...WEBHOOK, thread_id: '' } }, ['a', 'thread_id'], /thread_id/],
    [
      'hmac without a signature',
      { a: { ...WEBHOOK, verification: 'hmac' } },
      ['a', 'signature'],
      /Is required for hmac/,
    ],
    ['a signature for another one', { a: { ...WEBHOOK, signature: HMAC } }, ['a', 'signature'], /hmac alone/],
    [
      'a signature over nothing',
      { a: { ...WEBHOOK, verification: 'hmac', signature: { ...HMAC, signed: '{url}' } } },
      ['a', 'signature'],
      /\{body\}/,
    ],
    ['no expression', { a: { type: 'schedule' } }, ['a', 'cron_expression'], /cron_expression/],
    [
      'a day that never comes',
      { a: { ...SCHEDULE, cron_expression: '0 0 30 2 *' } },
      ['a', 'cron_expression'],
      /never matches/,
    ],
    [
      'six fields',
      { a: { ...SCHEDULE, cron_expression: '0 0 0 1 1 *' } },
      ['a', 'cron_expression'],
      /cron_expression/,
    ],
    ['no zone', { a: { ...SCHEDULE, timezone: 'Istanbul' } }, ['a', 'timezone'], /IANA/],
    ['a field of the environment', { a: { ...SCHEDULE, enabled: false } }, ['a'], /enabled/],
    [
      'a window of 9 seconds',
      { a: { ...SCHEDULE, catchup_window_seconds: 9 } },
      ['a', 'catchup_window_seconds'],
      /10/,
    ],
  ])('%s', (_, triggers, path, message) => {
    expect(problemsOf(triggers)).toEqual([
      {
        severity: 'error',
        code: 'invalid_trigger',
        message: expect.stringMatching(message),
        path: ['config', 'triggers', ...path],
      },
    ]);
  });

  test('more than a workflow can have', () => {
    const many = (count: number): JsonObject =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`t${at}`, { type: 'webhook' }]));
    expect(problemsOf(many(MAX_TRIGGERS))).toEqual([]);
    expect(problemsOf(many(MAX_TRIGGERS + 1))).toMatchObject([
      { code: 'invalid_trigger', path: ['config', 'triggers'] },
    ]);
  });
});
