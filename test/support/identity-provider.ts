/** A stand-in identity provider with real keys over real HTTP: what it publishes and how it behaves is for a test to set. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export async function signingKey(kid: string, alg: 'RS256' | 'ES256' = 'RS256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

export type Claims = Record<string, unknown>;

export interface IdentityProvider {
  readonly issuer: string;
  readonly jwksUrl: string;
  readonly key: SigningKey;
  /** How often the key set was asked for. */
  fetches(): number;
  publish(keys: readonly object[]): void;
  /** Replaces the answer altogether. */
  answerWith(respond: ((response: ServerResponse) => void) | null): void;
  /** A token; a claim set to undefined is left out. */
  mint(claims?: Claims, by?: SigningKey): Promise<string>;
  stop(): Promise<void>;
}

export const APP_URL = 'https://app.example.test';

let firstKey: Promise<SigningKey> | undefined;

/** All providers of a process sign with one key: making an RSA key takes as long as most tests. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const key = await (firstKey ??= signingKey('key-1'));
  let published: readonly object[] = [key.jwk];
  let respond: ((response: ServerResponse) => void) | null = null;
  let count = 0;
  const server = createServer((_request, response) => {
    count += 1;
    if (respond !== null) respond(response);
    else response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: published }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    jwksUrl: `${issuer}/jwks.json`,
    key,
    fetches: () => count,
    publish(keys) {
      published = keys;
    },
    answerWith(next) {
      respond = next;
    },
    mint(claims = {}, by = key) {
      const now = Math.floor(Date.now() / 1000);
      const all: Claims = {
        iss: issuer,
        sub: `user_${crypto.randomUUID()}`,
        email: `${crypto.randomUUID()}@example.test`,
        email_verified: true,
        azp: APP_URL,
        iat: now,
        // Longer than any test at full size.
        exp: now + 6 * 3_600,
        ...claims,
      };
      const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
      return new SignJWT(given).setProtectedHeader({ alg: by.alg, kid: by.kid }).sign(by.privateKey);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
