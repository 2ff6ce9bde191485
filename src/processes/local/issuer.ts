/**
 * Local stand-in for the identity provider: serves a key set and signs tokens, so that the service's real verification runs.
 * The service never issues tokens, and production does not load this file.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { dirname } from 'node:path';
import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair, importPKCS8, SignJWT } from 'jose';
import type { CryptoKey, JWK } from 'jose';
import { systemClock } from '../../base/clock.ts';
import { listenOnFreePort, readPort } from './ports.ts';

const KEY_SET_PATH = '/.well-known/jwks.json';
const DEFAULT_LIFETIME_SECONDS = 3_600;

interface TokenClaims {
  readonly sub: string;
  readonly email: string;
  readonly azp?: string;
  readonly sid?: string;
  readonly metadata?: { readonly role?: string };
  readonly lifetimeSeconds?: number;
}

export interface LocalIssuer {
  /** Value of AUTH_ISSUER. */
  readonly issuer: string;
  /** Value of AUTH_JWKS_URL. */
  readonly jwksUrl: string;
  mint(claims: TokenClaims): Promise<string>;
  stop(): Promise<void>;
}

/** Loads the private key, which it creates the first time: tokens stay valid after a restart. */
async function loadKey(file: string): Promise<CryptoKey> {
  if (!existsSync(file)) {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await exportPKCS8(privateKey), { mode: 0o600 });
  }
  return importPKCS8(readFileSync(file, 'utf8'), 'RS256', { extractable: true });
}

async function exportPublicKey(key: CryptoKey): Promise<JWK> {
  const { kty, n, e } = await exportJWK(key);
  if (kty === undefined || n === undefined || e === undefined)
    throw new Error('the issuer key is not an RSA key');
  const bare = { kty, n, e };
  return { ...bare, kid: await calculateJwkThumbprint(bare), alg: 'RS256', use: 'sig' };
}

/**
 * Starts the issuer on loopback.
 * @param keyFile file of its private key, mode 0600
 * @param authorizedParty `azp` of tokens from the sign-in page; undefined: no sign-in page
 */
export async function startIssuer(keyFile: string, authorizedParty?: string): Promise<LocalIssuer> {
  const key = await loadKey(keyFile);
  const published = await exportPublicKey(key);
  const keySet = JSON.stringify({ keys: [published] });
  let signInListener: RequestListener | null = null;
  const server = createServer((request, response) => {
    if (signInListener !== null) {
      signInListener(request, response);
      return;
    }
    const found = request.method === 'GET' && request.url === KEY_SET_PATH;
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(found ? keySet : '{"error":"not found"}');
  });
  const port = await listenOnFreePort(server, readPort('LOCAL_ISSUER_PORT'));
  const issuer = `http://127.0.0.1:${port}`;
  if (authorizedParty !== undefined) {
    // Loaded on demand: tests only mint tokens.
    const { createSignIn } = await import('./sign-in.ts');
    signInListener = createSignIn({
      issuer,
      keySetPath: KEY_SET_PATH,
      key: { ...(await exportJWK(key)), ...published } as JWK & { kty: 'RSA' },
      authorizedParty,
    });
  }
  return {
    issuer,
    jwksUrl: `${issuer}${KEY_SET_PATH}`,
    mint({ lifetimeSeconds = DEFAULT_LIFETIME_SECONDS, ...claims }) {
      const expires = Math.floor(systemClock.now() / 1000) + lifetimeSeconds;
      return new SignJWT({ email_verified: true, ...claims })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: published.kid ?? '' })
        .setIssuer(issuer)
        .setIssuedAt()
        .setExpirationTime(expires)
        .sign(key);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
