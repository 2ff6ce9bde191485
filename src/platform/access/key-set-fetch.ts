/** Fetches the identity provider's key set: public signature keys with a key id, each with its one algorithm. */
import { importJWK, type CryptoKey, type JWK } from 'jose';
import { z } from 'zod';
import { fetchProviderJson } from './provider-json.ts';

export interface VerificationKey {
  readonly algorithm: string;
  readonly key: CryptoKey;
}

const jwks = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** Returns RS256 or ES256, else null: a symmetric key in a public set would let anyone sign tokens. */
function chooseAlgorithm(jwk: JWK): string | null {
  if (jwk.use !== undefined && jwk.use !== 'sig') return null;
  const algorithm = jwk.kty === 'RSA' ? 'RS256' : jwk.kty === 'EC' && jwk.crv === 'P-256' ? 'ES256' : null;
  return jwk.alg === undefined || jwk.alg === algorithm ? algorithm : null;
}

/**
 * Fetches the keys.
 * @returns the usable keys by key id
 * @throws Error without an answer in time, or when it is not a key set
 */
export async function fetchKeys(url: string): Promise<ReadonlyMap<string, VerificationKey>> {
  const { keys } = jwks.parse(await fetchProviderJson(url));
  const usable = new Map<string, VerificationKey>();
  for (const jwk of keys) {
    const algorithm = chooseAlgorithm(jwk);
    if (algorithm === null || typeof jwk['kid'] !== 'string') continue;
    // Only the public part is imported, even if the provider publishes more.
    const publicPart = jwk.kty === 'RSA' ? pick(jwk, ['kty', 'n', 'e']) : pick(jwk, ['kty', 'crv', 'x', 'y']);
    const key = await importJWK(publicPart, algorithm).catch(() => null);
    if (key !== null && !(key instanceof Uint8Array)) usable.set(jwk['kid'], { algorithm, key });
  }
  return usable;
}

function pick(jwk: JWK, names: readonly string[]): JWK {
  return Object.fromEntries(Object.entries(jwk).filter(([name]) => names.includes(name)));
}
