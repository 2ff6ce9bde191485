/** A wrong statement would be retried for ever, or an outage would be reported as a bug. */
import { expect, test } from 'vitest';
import { isTransientDatabaseError } from '../../../src/base/db/transient-error.ts';

const coded = (code: unknown): Error => Object.assign(new Error('words'), { code });

test.each(['08006', '25P03', '40001', '40P01', '53300', '55P03', '57014', '57P01', '58030', 'XX000'])(
  'SQLSTATE %s is transient',
  (code) => expect(isTransientDatabaseError(coded(code))).toBe(true),
);
test.each(['ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH', 'P1001', 'P2024'])(
  '%s of a socket or of Prisma is transient',
  (code) => expect(isTransientDatabaseError(coded(code))).toBe(true),
);
test.each(['22P05', '23505', '42P01', '55000', '25001', 'P2002', 'ENOENT', 'connection_lost', 57, ''])(
  'the code %s is not',
  (code) => expect(isTransientDatabaseError(coded(code))).toBe(false),
);

test('without a code, the exact messages of the driver count and nothing that sounds like them', () => {
  expect(isTransientDatabaseError(new Error('Connection terminated unexpectedly'))).toBe(true);
  expect(isTransientDatabaseError(new Error('timeout exceeded when trying to connect'))).toBe(true);
  expect(isTransientDatabaseError(new Error('The MCP connection was terminated'))).toBe(false);
  expect(isTransientDatabaseError('Connection terminated')).toBe(false);
});

test('a code decides, whatever the message says', () => {
  const error = Object.assign(new Error('Connection terminated'), { code: '23505' });
  expect(isTransientDatabaseError(error)).toBe(false);
});
