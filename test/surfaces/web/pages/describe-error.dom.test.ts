/** A person would read paths of a request or codes of the billing gate in place of a sentence. */
import { expect, test } from 'vitest';
import { WorkflowApiError } from '../../../../src/surfaces/client/client.ts';
import { describeError } from '../../../../src/surfaces/web/kit/describe-error.ts';

const missing = { msg: 'Field required', type: 'missing' };

test('errors of fields are sentences with the names of the fields, never with paths', () => {
  const problems = [
    { ...missing, loc: ['body', 'cron_expression'] },
    { loc: ['body', 'workflow_ids', 1], msg: 'Must be a UUID', type: 'uuid_parsing' },
  ];
  const error = new WorkflowApiError({ status: 422, code: 'validation_failed', detail: 'body.…', problems });
  expect(describeError(error)).toBe('Cron expression: Field required. Workflow ids: Must be a UUID');
});

test.each([
  ['credit_plan_exhausted', 402],
  ['quota_exceeded', 403],
  ['rate_limit_exceeded', 429],
  ['upgrade_payment_failed', 402],
  ['wallet_insufficient', 402],
  ['wallet_overage_disabled', 402],
])('the denial %s is a sentence', (code, status) => {
  expect(describeError(new WorkflowApiError({ status, code, detail: code }))).toMatch(/^[A-Z][^_]+\.$/);
});
