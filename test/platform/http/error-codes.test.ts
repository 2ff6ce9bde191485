/** The documented table of error codes would miss a code that clients get, or list one that does not exist. */
import { expect, test } from 'vitest';
import { LAYER_BY_CODE, STATUS_BY_LAYER } from '../../../src/base/errors.ts';
import { ERROR_CODES } from '../../../src/base/error-codes.ts';
import { listErrorCodes, readLimits, readMissing, refusingSource } from '../../support/error-codes.ts';

const CODES = Object.values(listErrorCodes()).flatMap((codes) => Object.keys(codes));

test('API-error-codes: no code stands for two refusals', () => {
  expect(CODES.filter((code, at) => CODES.indexOf(code) !== at)).toEqual([]);
});

test('API-error-codes: every documented code is that of a refusal', () => {
  const text = refusingSource();
  const made = { ...readMissing(text), ...readLimits(text) };
  const isUsed = (code: string): boolean =>
    text.includes(`'${code}'`) || code in LAYER_BY_CODE || code in made;
  expect(CODES.filter((code) => !isUsed(code))).toEqual([]);
});

test('API-error-codes: the codes of the billing gate stand at the status of their layer', () => {
  for (const [code, layer] of Object.entries(LAYER_BY_CODE))
    expect(Object.keys(ERROR_CODES[STATUS_BY_LAYER[layer]])).toContain(code);
});

test('API-error-codes: what is missing or too many is named by literals, which the documentation finds', () => {
  expect(readMissing(`throw notFound('API key'); throw notFound('Workflow run', 'run')`)).toEqual({
    api_key_not_found: 'no such API key',
    run_not_found: 'no such workflow run',
  });
  expect(() => readMissing('throw notFound(what)')).toThrow('no literals');
  expect(readLimits(`throw limitReached(MAX_ALERTS, 'alert')`)).toEqual({
    alert_limit_reached: 'the organization has the maximum number of alerts',
  });
});
