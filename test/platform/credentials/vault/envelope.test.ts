/** A stored secret could be read by another organization or with a foreign key (SPEC SEC-Z04). */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  UnreadableError,
  open,
  rewrap,
  seal,
  type Envelope,
} from '../../../../src/platform/credentials/vault/envelope.ts';
import { keyring, type Keyring } from '../../../../src/platform/credentials/vault/keyring.ts';

const SECRET = 'CANARY-secret-value';
const OWNER = { organizationId: 'o1', credentialId: 'c1' };

function ringOf(...keys: { id: string; key: Buffer }[]): Keyring {
  const ring = keyring(keys);
  if (ring === null) throw new Error('a ring needs a key');
  return ring;
}
const k1 = { id: 'k1', key: randomBytes(32) };
const k2 = { id: 'k2', key: randomBytes(32) };
const ring = ringOf(k1);
const sealed = seal(ring, OWNER, SECRET);

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
};

test('what was sealed is opened by its owner', () => {
  expect(open(ring, OWNER, sealed)).toBe(SECRET);
  expect(Buffer.concat([sealed.ciphertext, sealed.wrappedKey]).toString('latin1')).not.toContain('CANARY');
});

test('the same secret is never the same bytes twice', () => {
  const again = seal(ring, OWNER, SECRET);
  expect(again.ciphertext.equals(sealed.ciphertext)).toBe(false);
  expect(again.wrappedKey.equals(sealed.wrappedKey)).toBe(false);
});

test.each<[string, Envelope]>([
  ['a flipped bit of the text', { ...sealed, ciphertext: flipped(sealed.ciphertext, 40) }],
  ['a flipped bit of the nonce', { ...sealed, ciphertext: flipped(sealed.ciphertext, 0) }],
  ['a flipped bit of the tag', { ...sealed, ciphertext: flipped(sealed.ciphertext, 12) }],
  ['a flipped bit of the wrapped key', { ...sealed, wrappedKey: flipped(sealed.wrappedKey, 40) }],
  ['a tag of four bytes', { ...sealed, ciphertext: sealed.ciphertext.subarray(0, 16) }],
  ['nothing', { ...sealed, ciphertext: Buffer.alloc(0) }],
])('SEC-Z04: %s is refused', (_, damaged) => {
  expect(() => open(ring, OWNER, damaged)).toThrow(UnreadableError);
});

test.each([
  ['organization', { ...OWNER, organizationId: 'o2' }],
  ['credential', { ...OWNER, credentialId: 'c2' }],
])('a row moved to another %s cannot be read', (_, other) => {
  expect(() => open(ring, other, sealed)).toThrow(UnreadableError);
});

test('a data key is not taken for the key of another row', () => {
  const other = seal(ring, { ...OWNER, credentialId: 'c2' }, 'other');
  expect(() => open(ring, OWNER, { ...sealed, wrappedKey: other.wrappedKey })).toThrow(UnreadableError);
});

test('all configured keys read, the first one writes', () => {
  const both = ringOf(k2, k1);
  expect(open(both, OWNER, sealed)).toBe(SECRET);
  expect(seal(both, OWNER, SECRET).keyId).toBe('k2');
  expect(() => open(ringOf(k2), OWNER, sealed)).toThrow('"k1" is not configured');
});

test('a key of the same name but of other bytes reads nothing', () => {
  expect(() => open(ringOf({ id: 'k1', key: randomBytes(32) }), OWNER, sealed)).toThrow(UnreadableError);
});

test('re-wrapping moves the data key to the first key and leaves the text as it is', () => {
  const moved = { ...sealed, ...rewrap(ringOf(k2, k1), OWNER, sealed) };
  expect(moved.keyId).toBe('k2');
  expect(open(ringOf(k2), OWNER, moved)).toBe(SECRET);
  expect(() => open(ringOf(k1), OWNER, moved)).toThrow(UnreadableError);
});
