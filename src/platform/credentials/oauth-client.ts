/** Requests tokens from an OAuth provider: for a code, a refresh token, a client, or an assertion (RFC 6749, RFC 7523). */
import { SignJWT } from 'jose';
import * as oauth from 'oauth4webapi';
import { z } from 'zod';
import { systemClock } from '../../base/clock.ts';
import type { Config } from '../../base/config/config.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import { resolvePort } from '../outbound/destinations.ts';
import { createGuardedAgent } from '../outbound/guarded-agent.ts';
import { guardedFetch } from '../outbound/guarded-fetch.ts';
import type { OAuthParty } from './oauth-party.ts';
import { readSigningKey } from './sign-key.ts';
import { readRenewal } from './vault/oauth-data.ts';

/** A person or a node waits for the response. */
const TIMEOUT_MS = 15_000;
/** A longer lifetime is an error of the provider. */
const MAX_LIFETIME_SECONDS = 10 * 365 * 24 * 60 * 60;

/** Tokens of a provider's response. */
export interface Tokens {
  readonly accessToken: string;
  /** Null when the response has none; after a renewal the old one stays valid. */
  readonly refreshToken: string | null;
  /** Null when the access token does not expire. */
  readonly expiresAt: Date | null;
  /** Granted scopes; null when the provider does not return them. */
  readonly scopes: readonly string[] | null;
}

/** A failed token request. `refused` is final: the provider would refuse again. The message is the provider's error code. */
export class OAuthFailure extends Error {
  override readonly name = 'OAuthFailure';
  readonly refused: boolean;

  constructor(reason: string, refused: boolean) {
    super(reason);
    this.refused = refused;
  }
}

const text = z.string().min(1).max(8_192);
const tokenResponse = z.looseObject({
  access_token: text,
  refresh_token: text.nullish(),
  expires_in: z.coerce.number().positive().max(MAX_LIFETIME_SECONDS).nullish(),
  // A list, though the standard says a text (RFC 6749, 3.3).
  scope: z.union([z.string(), z.array(z.string().max(1_024)).max(1_000)]).nullish(),
});

/** Parses the error code (RFC 6749, 5.2); no other text of a provider is quoted. */
function parseErrorCode(body: unknown): string | null {
  const parsed = z.looseObject({ error: z.string().regex(/^[a-z0-9_]{1,64}$/) }).safeParse(body);
  return parsed.success ? parsed.data.error : null;
}

const splitScopes = (scope: string | readonly string[]): string[] =>
  (typeof scope === 'string' ? scope.split(/[\s,]+/) : scope).filter(Boolean);

function readTokens(status: number, body: unknown, sentAt: number): Tokens {
  const reason = parseErrorCode(body);
  // Some providers return errors with status 200.
  if (reason !== null && status < 500) throw new OAuthFailure(reason, reason !== 'slow_down');
  if (status === 400 || status === 401 || status === 403) throw new OAuthFailure(`status ${status}`, true);
  const parsed = tokenResponse.safeParse(body);
  if (status !== 200 || !parsed.success) throw new OAuthFailure(`status ${status}`, false);
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, scope } = parsed.data;
  return {
    accessToken,
    refreshToken: refreshToken ?? null,
    expiresAt: seconds === null || seconds === undefined ? null : new Date(sentAt + seconds * 1_000),
    scopes: scope === null || scope === undefined ? null : splitScopes(scope),
  };
}

/** Assertions are used at once; providers refuse those of more than an hour. */
const ASSERTION_SECONDS = 300;

/** @throws OAuthFailure, final, for a key that cannot be read */
async function requireKey(pem: string | null): ReturnType<typeof readSigningKey> {
  try {
    return await readSigningKey(pem ?? '');
  } catch {
    throw new OAuthFailure('invalid_private_key', true);
  }
}

async function authenticate({ provider, client }: OAuthParty): Promise<oauth.ClientAuth> {
  // An assertion names its issuer, and needs no client.
  if (provider.grant === 'jwt_bearer') return () => undefined;
  switch (provider.clientAuthentication ?? 'body') {
    case 'basic':
      return oauth.ClientSecretBasic(client.clientSecret ?? '');
    case 'private_key_jwt': {
      const { key } = await requireKey(client.privateKey);
      return oauth.PrivateKeyJwt({ key, ...(client.keyId !== null && { kid: client.keyId }) });
    }
    case 'body':
      return client.clientSecret === null ? oauth.None() : oauth.ClientSecretPost(client.clientSecret);
  }
}

/** The name and the fields of a grant. */
interface Grant {
  readonly type: string;
  readonly fields: Readonly<Record<string, string>>;
}

async function signAssertion({ provider, client, scopes }: OAuthParty, data: JsonObject): Promise<string> {
  const { key, alg } = await requireKey(client.privateKey);
  const now = Math.floor(systemClock.now() / 1_000);
  const subject = data['subject'];
  // Google reads the scope in the assertion, others beside it.
  const claims = scopes.length === 0 ? {} : { scope: scopes.join(provider.scopeSeparator) };
  const assertion = new SignJWT(claims)
    .setProtectedHeader({ alg, typ: 'JWT', ...(client.keyId !== null && { kid: client.keyId }) })
    .setIssuer(client.clientId)
    .setAudience(provider.audience ?? provider.tokenUrl)
    .setIssuedAt(now)
    .setExpirationTime(now + ASSERTION_SECONDS);
  if (typeof subject === 'string') assertion.setSubject(subject);
  return assertion.sign(key);
}

/** The grant that gives the next token of a credential; null when a person has to authorize it. */
async function buildGrant(party: OAuthParty, data: JsonObject): Promise<Grant | null> {
  const { provider, scopes } = party;
  const scope = scopes.length === 0 ? {} : { scope: scopes.join(provider.scopeSeparator) };
  switch (provider.grant ?? 'authorization_code') {
    case 'authorization_code': {
      const { refreshToken } = readRenewal(data);
      return refreshToken === null
        ? null
        : { type: 'refresh_token', fields: { refresh_token: refreshToken } };
    }
    case 'client_credentials':
      return { type: 'client_credentials', fields: scope };
    case 'jwt_bearer': {
      const assertion = await signAssertion(party, data);
      return { type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', fields: { assertion } };
    }
  }
}

type Outbound = Pick<Config, 'outboundAllow'>;

/**
 * Requests tokens. Redirects are not followed, because the request contains the client's secret.
 * @throws OAuthFailure
 */
async function requestTokens(config: Outbound, party: OAuthParty, grant: Grant): Promise<Tokens> {
  const { provider, client } = party;
  const url = new URL(provider.tokenUrl);
  // The operator chose this address, so it alone is exempt from the private-address block.
  const own = client.origin === null ? [] : [`${url.hostname}:${resolvePort(url)}`];
  const guarded = createGuardedAgent([...config.outboundAllow, ...own], { keepAlive: false });
  const send = guardedFetch(guarded, { peer: 'OAuth provider' });
  try {
    const sentAt = systemClock.now();
    const response = await oauth.genericTokenEndpointRequest(
      { issuer: url.origin, token_endpoint: url.href },
      { client_id: client.clientId },
      await authenticate(party),
      grant.type,
      { ...provider.tokenParameters, ...grant.fields },
      {
        signal: AbortSignal.timeout(TIMEOUT_MS),
        // Plain http is for hosts that the type names with their port (api/own-types/schema.ts).
        [oauth.allowInsecureRequests]: true,
        [oauth.customFetch]: (address, { method, headers, body, signal }) =>
          send(address, { method, headers, body: body?.toString() ?? '', signal: signal ?? null }),
      },
    );
    const body: unknown = await response.json().catch(() => null);
    return readTokens(response.status, body, sentAt);
  } catch (error) {
    if (error instanceof OAuthFailure) throw error;
    throw new OAuthFailure('the provider cannot be reached', false);
  } finally {
    await guarded.agent.destroy();
  }
}

/** Exchanges a code for tokens. @param fields of the grant; the client's are added @throws OAuthFailure */
export const exchangeCode = (
  config: Outbound,
  party: OAuthParty,
  fields: Readonly<Record<string, string>>,
): Promise<Tokens> => requestTokens(config, party, { type: 'authorization_code', fields });

/** Requests the next tokens of a credential. @throws OAuthFailure */
export async function renewTokens(config: Outbound, party: OAuthParty, data: JsonObject): Promise<Tokens> {
  const grant = await buildGrant(party, data);
  if (grant === null) throw new OAuthFailure('no refresh token', true);
  return requestTokens(config, party, grant);
}
