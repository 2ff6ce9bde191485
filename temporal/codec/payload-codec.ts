/**
 * What every payload passes on its way to Temporal: a size guard, and encryption at rest (AES-256-GCM). The key's id
 * travels in clear beside the ciphertext and is authenticated, so keys can be rotated.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ApplicationFailure, type Payload, type PayloadCodec } from '@temporalio/common';
import type { EncryptionKey } from '../../src/config/config.ts';

/** Far below Temporal's 2 MB: above that, the server's refusals are retried without end. */
export const MAX_PAYLOAD_BYTES = 131_072;

const ENCODING = 'encoding';
const ENCRYPTED = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';
const NONCE_BYTES = 12;
// Node accepts a tag cut to 4 bytes unless the length is demanded.
const TAG_BYTES = 16;

/** Refuses payloads that are too large before they reach the wire. Values travel in PostgreSQL, not in Temporal. */
export const sizeGuard: PayloadCodec = {
  async encode(payloads) {
    for (const payload of payloads) {
      const bytes = payload.data?.byteLength ?? 0;
      if (bytes > MAX_PAYLOAD_BYTES) {
        throw ApplicationFailure.nonRetryable(
          `A payload of ${bytes} bytes is above the limit of ${MAX_PAYLOAD_BYTES} bytes`,
          'PayloadTooLarge',
        );
      }
    }
    return payloads;
  },
  async decode(payloads) {
    return payloads;
  },
};

const aad = (keyId: string): Buffer => Buffer.from(`temporal-payload|v1|${keyId}`);

/** One payload as bytes: the length of its metadata (4 bytes), the metadata as JSON of base64 texts, the data. */
function pack(payload: Payload): Buffer {
  const metadata = Object.entries(payload.metadata ?? {}).map(([name, value]) => [
    name,
    Buffer.from(value ?? []).toString('base64'),
  ]);
  const head = Buffer.from(JSON.stringify(metadata));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, payload.data ?? Buffer.alloc(0)]);
}

function unpack(packed: Buffer): Payload {
  const headEnd = 4 + packed.readUInt32BE(0);
  const head = JSON.parse(packed.toString('utf8', 4, headEnd)) as [string, string][];
  const metadata = Object.fromEntries(
    head.map(([name, value]) => [name, new Uint8Array(Buffer.from(value, 'base64'))]),
  );
  return { metadata, data: new Uint8Array(packed.subarray(headEnd)) };
}

function seal(payload: Payload, key: EncryptionKey): Payload {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(aad(key.id));
  const sealed = Buffer.concat([cipher.update(pack(payload)), cipher.final()]);
  return {
    metadata: { [ENCODING]: Buffer.from(ENCRYPTED), [KEY_ID]: Buffer.from(key.id) },
    data: Buffer.concat([nonce, cipher.getAuthTag(), sealed]),
  };
}

const text = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString('utf8');

function open(payload: Payload, keys: ReadonlyMap<string, EncryptionKey>): Payload {
  const keyId = text(payload.metadata?.[KEY_ID]);
  const key = keys.get(keyId);
  if (key === undefined)
    throw new Error(`no encryption key with the id ${JSON.stringify(keyId)} is configured`);
  const data = Buffer.from(payload.data ?? []);
  const nonce = data.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key.key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(aad(key.id));
  decipher.setAuthTag(data.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return unpack(Buffer.concat([decipher.update(data.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]));
}

/**
 * Encrypts payloads with the first key; reads those of all keys, and payloads from before there were keys.
 * @param keys at least one
 */
export function encryptionCodec(keys: readonly [EncryptionKey, ...EncryptionKey[]]): PayloadCodec {
  const [first] = keys;
  const byId = new Map(keys.map((key) => [key.id, key]));
  return {
    async encode(payloads) {
      return payloads.map((payload) => seal(payload, first));
    },
    async decode(payloads) {
      return payloads.map((payload) =>
        text(payload.metadata?.[ENCODING]) === ENCRYPTED ? open(payload, byId) : payload,
      );
    },
  };
}
