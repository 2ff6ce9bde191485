/**
 * Fetches the identity provider's key set as one expects from a stranger: two seconds, 256 kB, no redirects; keeps
 * only public signature keys with a key id, each with the one algorithm that it is for.
 */
import { importJWK, type CryptoKey, type JWK } from 'jose';
import { request } from 'undici';
import { z } from 'zod';

const TIMEOUT_MS = 2_000;
const MAX_BYTES = 256 * 1024;

export interface VerificationKey {
  readonly algorithm: string;
  readonly key: CryptoKey;
}

const jwks = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** Asymmetric only: a symmetric key in a public set, or an algorithm chosen by the token, would let anyone sign. */
function algorithmOf(jwk: JWK): string | null {
  if (jwk.use !== undefined && jwk.use !== 'sig') return null;
  const algorithm = jwk.kty === 'RSA' ? 'RS256' : jwk.kty === 'EC' && jwk.crv === 'P-256' ? 'ES256' : null;
  return jwk.alg === undefined || jwk.alg === algorithm ? algorithm : null;
}

async function readCapped(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the key set is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * @returns the usable keys by key id
 * @throws Error when there is no answer in time, or none that is a key set
 */
export async function fetchKeys(url: string): Promise<ReadonlyMap<string, VerificationKey>> {
  const response = await request(url, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.statusCode !== 200) {
    await response.body.dump();
    throw new Error(`the key set address answered ${response.statusCode}`);
  }
  const { keys } = jwks.parse(JSON.parse(await readCapped(response.body)));
  const usable = new Map<string, VerificationKey>();
  for (const jwk of keys) {
    const algorithm = algorithmOf(jwk);
    if (algorithm === null || typeof jwk['kid'] !== 'string') continue;
    // Only the public part, should the provider ever publish more.
    const publicPart = jwk.kty === 'RSA' ? pick(jwk, ['kty', 'n', 'e']) : pick(jwk, ['kty', 'crv', 'x', 'y']);
    const key = await importJWK(publicPart, algorithm).catch(() => null);
    if (key !== null && !(key instanceof Uint8Array)) usable.set(jwk['kid'], { algorithm, key });
  }
  return usable;
}

function pick(jwk: JWK, names: readonly string[]): JWK {
  return Object.fromEntries(Object.entries(jwk).filter(([name]) => names.includes(name)));
}
