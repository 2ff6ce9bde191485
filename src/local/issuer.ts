/**
 * Stands in for the identity provider on a developer's machine: a key set over HTTP and tokens signed with its key, so
 * that the service's real verification runs. The service itself never issues tokens; nothing in production loads this.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { dirname } from 'node:path';
import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair, importPKCS8, SignJWT } from 'jose';
import type { CryptoKey, JWK } from 'jose';
import { freePort, wantedPort } from './ports.ts';

const KEY_SET_PATH = '/.well-known/jwks.json';
const DEFAULT_LIFETIME_SECONDS = 3_600;

export interface TokenClaims {
  readonly sub: string;
  readonly email: string;
  readonly azp?: string;
  readonly sid?: string;
  readonly metadata?: { readonly role?: string };
  readonly lifetimeSeconds?: number;
}

export interface LocalIssuer {
  /** What AUTH_ISSUER must be. */
  readonly issuer: string;
  /** What AUTH_JWKS_URL must be. */
  readonly jwksUrl: string;
  mint(claims: TokenClaims): Promise<string>;
  stop(): Promise<void>;
}

/** The private key of the file, made the first time: tokens stay good when the local system restarts. */
async function loadKey(file: string): Promise<CryptoKey> {
  if (!existsSync(file)) {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await exportPKCS8(privateKey), { mode: 0o600 });
  }
  return importPKCS8(readFileSync(file, 'utf8'), 'RS256', { extractable: true });
}

async function publicPart(key: CryptoKey): Promise<JWK> {
  const { kty, n, e } = await exportJWK(key);
  if (kty === undefined || n === undefined || e === undefined)
    throw new Error('the issuer key is not an RSA key');
  const bare = { kty, n, e };
  return { ...bare, kid: await calculateJwkThumbprint(bare), alg: 'RS256', use: 'sig' };
}

/**
 * Starts the issuer on loopback.
 * @param keyFile where its key is kept, mode 0600
 * @param authorizedParty people sign in there, too, and their tokens are for this web application; undefined: nobody does
 */
export async function startIssuer(keyFile: string, authorizedParty?: string): Promise<LocalIssuer> {
  const key = await loadKey(keyFile);
  const published = await publicPart(key);
  const keySet = JSON.stringify({ keys: [published] });
  let people: RequestListener | null = null;
  const server = createServer((request, response) => {
    if (people !== null) {
      people(request, response);
      return;
    }
    const found = request.method === 'GET' && request.url === KEY_SET_PATH;
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(found ? keySet : '{"error":"not found"}');
  });
  // Taken at once: what comes next takes a while, and another process looks for a port, too.
  const port = await freePort(wantedPort('LOCAL_ISSUER_PORT'));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${port}`;
  if (authorizedParty !== undefined) {
    // Loaded here alone: tests mint tokens, and nobody signs in.
    const { signIn } = await import('./sign-in.ts');
    people = signIn({
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
      const expires = Math.floor(Date.now() / 1000) + lifetimeSeconds;
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
