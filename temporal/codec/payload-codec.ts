/**
 * The codecs of payloads to Temporal: a size guard, and encryption at rest (AES-256-GCM). The key's id is stored in clear beside
 * the ciphertext and is authenticated, so that keys can be rotated.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ApplicationFailure, type Payload, type PayloadCodec } from '@temporalio/common';
import type { EncryptionKey } from '../../src/base/config/config.ts';
import { MISSING_KEY } from '../contract.ts';

/** Far below Temporal's 2 MB: above that, the server's refusals are retried without end. */
export const MAX_PAYLOAD_BYTES = 131_072;

const ENCODING = 'encoding';
const ENCRYPTED = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';
const NONCE_BYTES = 12;
// Node accepts a tag cut to 4 bytes unless the length is demanded.
const TAG_BYTES = 16;
const NO_DATA = new Uint8Array();

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

/** A key, with the data that all its payloads share. */
interface PayloadKey {
  readonly key: EncryptionKey['key'];
  readonly aad: Buffer;
  readonly metadata: Readonly<Record<string, Uint8Array>>;
}

const toPayloadKey = ({ id, key }: EncryptionKey): PayloadKey => ({
  key,
  aad: Buffer.from(`temporal-payload|v1|${id}`),
  metadata: { [ENCODING]: Buffer.from(ENCRYPTED), [KEY_ID]: Buffer.from(id) },
});

/** The head of a payload as bytes: the length of its metadata (4 bytes), the metadata as JSON of base64 texts. Its data follows. */
function packHead(payload: Payload): Buffer {
  const metadata = Object.entries(payload.metadata ?? {}).map(([name, value]) => [
    name,
    Buffer.from(value ?? []).toString('base64'),
  ]);
  // Base64 is ASCII, names may be longer in bytes than in characters.
  const text = JSON.stringify(metadata);
  const head = Buffer.allocUnsafe(4 + Buffer.byteLength(text));
  head.writeUInt32BE(head.length - 4);
  head.write(text, 4);
  return head;
}

function unpack(packed: Buffer): Payload {
  const headEnd = 4 + packed.readUInt32BE(0);
  const head = JSON.parse(packed.toString('utf8', 4, headEnd)) as [string, string][];
  const metadata = Object.fromEntries(
    head.map(([name, value]) => [name, new Uint8Array(Buffer.from(value, 'base64'))]),
  );
  return { metadata, data: new Uint8Array(packed.subarray(headEnd)) };
}

function seal(payload: Payload, { key, aad, metadata }: PayloadKey): Payload {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(aad);
  const sealed = [cipher.update(packHead(payload)), cipher.update(payload.data ?? NO_DATA), cipher.final()];
  return { metadata: { ...metadata }, data: Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]) };
}

const text = (bytes: Uint8Array = NO_DATA): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

function open(payload: Payload, keys: ReadonlyMap<string, PayloadKey>): Payload {
  const keyId = text(payload.metadata?.[KEY_ID]);
  const key = keys.get(keyId);
  if (key === undefined) {
    const message = `no encryption key with the id ${JSON.stringify(keyId)} is configured`;
    throw ApplicationFailure.retryable(message, MISSING_KEY);
  }
  const data = payload.data ?? NO_DATA;
  const nonce = data.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key.key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(key.aad);
  decipher.setAuthTag(data.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return unpack(Buffer.concat([decipher.update(data.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]));
}

/** Reads the id of the key of an encrypted payload; null for a plain one. */
export function readKeyId({ metadata }: Payload): string | null {
  return text(metadata?.[ENCODING]) === ENCRYPTED ? text(metadata?.[KEY_ID]) : null;
}

/**
 * Encrypts payloads with the first key; reads those of all keys, and payloads from before there were keys.
 * @param keys at least one
 */
export function encryptionCodec(keys: readonly [EncryptionKey, ...EncryptionKey[]]): PayloadCodec {
  const first = toPayloadKey(keys[0]);
  const byId = new Map(keys.map((key) => [key.id, toPayloadKey(key)]));
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
