/** Reads private keys for assertions (RFC 7523). */
import { createPrivateKey, type webcrypto } from 'node:crypto';
import { importPKCS8 } from 'jose';

/** A key and its algorithm (RFC 7518, 3.1). */
interface SigningKey {
  readonly key: webcrypto.CryptoKey;
  readonly alg: 'RS256' | 'ES256' | 'EdDSA';
}

const ALGORITHMS: Readonly<Record<string, SigningKey['alg']>> = {
  rsa: 'RS256',
  ec: 'ES256',
  ed25519: 'EdDSA',
};

/**
 * Reads PEM text, PKCS #8 or older.
 * @throws Error for a text that is no private key, an encrypted one, or one of another kind
 */
export async function readSigningKey(pem: string): Promise<SigningKey> {
  const parsed = createPrivateKey(pem);
  const alg = ALGORITHMS[parsed.asymmetricKeyType ?? ''];
  if (alg === undefined) throw new Error('The private key has an unsupported type');
  // Older tools write PKCS #1 and SEC 1, which Web Crypto does not read.
  const pkcs8 = parsed.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { key: await importPKCS8(pkcs8, alg), alg };
}
