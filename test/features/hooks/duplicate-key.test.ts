/** If this fails, an event that its sender repeats starts a second run, or two events are taken for one. */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/language/graph/values/value.ts';
import { computeDuplicateKey, type DeduplicateBy } from '../../../src/features/hooks/hook-request.ts';
import type { Verification } from '../../../src/language/nodes/triggers/choices.ts';

function compute(
  verification: Verification,
  {
    headers = {},
    query = {},
    body = null,
    bytes = JSON.stringify(body),
  }: { headers?: JsonObject; query?: JsonObject; body?: Json; bytes?: string },
  { by = 'sender_id', idHeader = null }: { by?: DeduplicateBy; idHeader?: string | null } = {},
): string | null {
  const request = { method: 'POST', headers, query, body };
  const sent = { headers: {}, body: Buffer.from(bytes) };
  return computeDuplicateKey({ verification, signature: null, deduplicateBy: by, idHeader }, request, sent);
}

describe('the id of the sender', () => {
  test.each([
    ['none', 'idempotency-key'],
    ['bearer', 'idempotency-key'],
    ['basic', 'idempotency-key'],
    ['standard', 'webhook-id'],
    ['gitlab', 'idempotency-key'],
  ] as const)('of %s is in the header %s', (verification, header) => {
    const first = compute(verification, { headers: { [header]: '1' }, body: { n: 1 } });
    expect(first).not.toBeNull();
    expect(compute(verification, { headers: { [header]: '1' }, body: { n: 2 } })).toBe(first);
    expect(compute(verification, { headers: { [header]: '2' }, body: { n: 1 } })).not.toBe(first);
    expect(compute(verification, { body: { n: 1 } })).toBeNull();
  });

  test.each([
    ['stripe', 'id'],
    ['slack', 'event_id'],
    ['telegram', 'update_id'],
  ] as const)('of %s is the field %s of the body', (verification, field) => {
    const first = compute(verification, { body: { [field]: '1', n: 1 } });
    expect(first).not.toBeNull();
    expect(compute(verification, { body: { [field]: '1', n: 2 } })).toBe(first);
    expect(compute(verification, { body: { [field]: '2', n: 1 } })).not.toBe(first);
    expect(compute(verification, { body: [field] })).toBeNull();
  });

  test('is in the header that the hook names, whatever its case', () => {
    const own = { idHeader: 'X-Event-Id' };
    const first = compute('stripe', { headers: { 'x-event-id': '1' }, body: { id: 'a' } }, own);
    expect(compute('stripe', { headers: { 'x-event-id': '1' }, body: { id: 'b' } }, own)).toBe(first);
    expect(compute('stripe', { body: { id: 'a' } }, own)).toBeNull();
  });
});

describe('the id of an event of GitHub', () => {
  const event = (id: string, more: { query?: JsonObject; bytes?: string } = {}) => ({
    headers: { 'x-github-delivery': id },
    body: { n: 1 },
    ...more,
  });

  test.each(['sender_id', 'content'] as const)('is its body, by %s: nothing else is signed', (by) => {
    const first = compute('github', event('1'), { by });
    expect(first).not.toBeNull();
    expect(compute('github', event('1'), { by })).toBe(first);
    expect(compute('github', event('2'), { by })).toBe(first);
    expect(compute('github', event('2', { query: { a: '1' } }), { by })).toBe(first);
    expect(compute('github', event('1', { bytes: '{"n": 1}' }), { by })).not.toBe(first);
  });

  test('is in the header that the hook names, for another sender with the signature of GitHub', () => {
    const own = { idHeader: 'X-Event-Id' };
    const send = (id: string, body: Json) => compute('github', { headers: { 'x-event-id': id }, body }, own);
    expect(send('1', { n: 2 })).toBe(send('1', { n: 1 }));
    expect(send('2', { n: 1 })).not.toBe(send('1', { n: 1 }));
  });
});

test('by content, method, query and body count, and headers do not', () => {
  const by = { by: 'content' } as const;
  const first = compute('none', { headers: { 'idempotency-key': '1' }, body: { n: 1 } }, by);
  expect(compute('none', { headers: { 'idempotency-key': '2' }, body: { n: 1 } }, by)).toBe(first);
  expect(compute('none', { body: { n: 2 } }, by)).not.toBe(first);
});

test('switched off, nothing is a duplicate', () => {
  expect(compute('none', { headers: { 'idempotency-key': '1' } }, { by: 'none' })).toBeNull();
});

test('of a sender that signs the body alone, the body is the event; with a time, both are', () => {
  for (const verification of ['shopify', 'typeform', 'twilio'] as const) {
    const first = compute(verification, { bytes: '{"n":1}' });
    expect(first).not.toBeNull();
    expect(compute(verification, { bytes: '{"n":1}', headers: { 'x-id': '2' } })).toBe(first);
    expect(compute(verification, { bytes: '{"n":2}' })).not.toBe(first);
  }
  expect(compute('typeform', { body: { event_id: 'a', n: 1 } })).toBe(
    compute('typeform', { body: { event_id: 'a', n: 2 } }),
  );
  expect(compute('telegram', { body: { update_id: 7, n: 1 } })).toBe(
    compute('telegram', { body: { update_id: 7, n: 2 } }),
  );
  const at = (time: string) =>
    computeDuplicateKey(
      { verification: 'calendly', signature: null, deduplicateBy: 'sender_id', idHeader: null },
      { method: 'POST', headers: {}, query: {}, body: null },
      { headers: { 'calendly-webhook-signature': `t=${time},v1=x` }, body: Buffer.from('{}') },
    );
  expect(at('1')).toBe(at('1'));
  expect(at('1')).not.toBe(at('2'));
});
