/** Payloads in Temporal would be readable without a key, or unreadable after keys are rotated. */
import { createRequire } from 'node:module';
import { ApplicationFailure, defaultPayloadConverter, type Payload } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import type { EncryptionKey } from '../../src/base/config/config.ts';
import { dataConverterOptions } from '../../temporal/codec/data-converter.ts';
import { encryptionCodec, MAX_PAYLOAD_BYTES, sizeGuard } from '../../temporal/codec/payload-codec.ts';

const key = (id: string, byte: number): EncryptionKey => ({ id, key: Buffer.alloc(32, byte) });
const [first, second] = [key('k1', 1), key('k2', 2)];
const payload = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);

describe('encryption', () => {
  test('opens what it sealed: metadata, data and all', async () => {
    const codec = encryptionCodec([first]);
    for (const value of [{ secret: 'näïve' }, null, undefined, new Uint8Array([0, 255])]) {
      const [sealed = {}] = await codec.encode([payload(value)]);
      expect(Buffer.from(sealed.data ?? []).toString('latin1')).not.toContain('secret');
      const [opened = {}] = await codec.decode([sealed]);
      expect(defaultPayloadConverter.fromPayload(opened)).toEqual(value);
    }
  });

  test('keys rotate: the first writes, all read', async () => {
    const sealed = await encryptionCodec([first]).encode([payload('old')]);
    const rotated = encryptionCodec([second, first]);
    expect(defaultPayloadConverter.fromPayload((await rotated.decode(sealed))[0] ?? {})).toBe('old');
    const fresh = await rotated.encode([payload('new')]);
    await expect(encryptionCodec([first]).decode(fresh)).rejects.toThrow(
      /no encryption key with the id "k2"/,
    );
  });

  test('reads payloads from before there were keys', async () => {
    const plain = [payload('plain')];
    expect(await encryptionCodec([first]).decode(plain)).toEqual(plain);
  });

  test('refuses a flipped bit, a cut tag and another key id', async () => {
    const codec = encryptionCodec([first, { ...first, id: 'twin' }]);
    const [sealed = {}] = await codec.encode([payload('x')]);
    const data = Buffer.from(sealed.data ?? []);
    const flipped = Buffer.from(data);
    flipped.writeUInt8(flipped.readUInt8(30) ^ 1, 30);
    await expect(codec.decode([{ ...sealed, data: flipped }])).rejects.toThrow();
    await expect(codec.decode([{ ...sealed, data: data.subarray(0, 16) }])).rejects.toThrow();
    const renamed = { ...sealed.metadata, 'encryption-key-id': Buffer.from('twin') };
    await expect(codec.decode([{ ...sealed, metadata: renamed }])).rejects.toThrow();
  });

  test('never uses a nonce twice', async () => {
    const sealed = await encryptionCodec([first]).encode(Array.from({ length: 1_000 }, () => payload('x')));
    expect(new Set(sealed.map(({ data }) => Buffer.from(data ?? []).toString('hex', 0, 12))).size).toBe(
      1_000,
    );
  });
});

describe('size guard', () => {
  test('lets the limit pass and refuses one byte more, for good', async () => {
    const of = (bytes: number): Payload => ({ data: new Uint8Array(bytes) });
    expect(await sizeGuard.encode([of(MAX_PAYLOAD_BYTES)])).toHaveLength(1);
    const refused = sizeGuard.encode([of(MAX_PAYLOAD_BYTES + 1)]);
    await expect(refused).rejects.toBeInstanceOf(ApplicationFailure);
    await expect(refused).rejects.toMatchObject({ type: 'PayloadTooLarge', nonRetryable: true });
  });
});

describe('failure converter', () => {
  test('the SDK finds it by path, and messages go into the payload', () => {
    const { failureConverterPath = '' } = dataConverterOptions({ encryptionKeys: [first] });
    const loaded = createRequire(import.meta.url)(failureConverterPath);
    const failure = loaded.failureConverter.errorToFailure(new Error('secret'), defaultPayloadConverter);
    expect(failure.message).toBe('Encoded failure');
    expect(dataConverterOptions({ encryptionKeys: [] }).failureConverterPath).toBeUndefined();
  });
});
