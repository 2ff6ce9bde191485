/** Requests tokens from an OAuth provider for a code or a refresh token (RFC 6749, 4.1.3 and 6). */
import { z } from 'zod';
import { systemClock } from '../../base/clock.ts';
import type { Config, OAuthClient } from '../../base/config/config.ts';
import { findIntegration, findScheme } from '../../language/nodes/integrations/catalog.ts';
import type { OAuthProvider } from '../../language/nodes/integrations/integration.ts';
import { resolvePort } from '../outbound/destinations.ts';
import { createGuardedAgent } from '../outbound/guarded-agent.ts';
import { guardedFetch } from '../outbound/guarded-fetch.ts';

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

/** A provider and this service's client registration with it. */
export interface OAuthParty {
  readonly provider: OAuthProvider;
  readonly client: OAuthClient;
}

function replaceOrigin(address: string, origin: string | null): string {
  const { pathname, search } = new URL(address);
  return origin === null ? address : `${origin}${pathname}${search}`;
}

/** @returns null when the integration has no OAuth, or no client is configured for it */
export function findOAuthParty(config: Pick<Config, 'oauthClients'>, integration: string): OAuthParty | null {
  const entry = findIntegration(integration);
  const provider = entry === null ? undefined : findScheme(entry, 'oauth2')?.oauth;
  const client = Object.hasOwn(config.oauthClients, integration)
    ? config.oauthClients[integration]
    : undefined;
  if (provider === undefined || client === undefined) return null;
  const { authorizationUrl, tokenUrl, scopeSeparator } = provider;
  return {
    client,
    provider: {
      authorizationUrl: replaceOrigin(authorizationUrl, client.origin),
      tokenUrl: replaceOrigin(tokenUrl, client.origin),
      scopeSeparator,
    },
  };
}

const text = z.string().min(1).max(8_192);
const tokenResponse = z.looseObject({
  access_token: text,
  refresh_token: text.nullish(),
  expires_in: z.coerce.number().positive().max(MAX_LIFETIME_SECONDS).nullish(),
  scope: z.string().nullish(),
});

/** Parses the error code (RFC 6749, 5.2); no other text of a provider is quoted. */
function parseErrorCode(body: unknown): string | null {
  const parsed = z.looseObject({ error: z.string().regex(/^[a-z0-9_]{1,64}$/) }).safeParse(body);
  return parsed.success ? parsed.data.error : null;
}

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
    scopes: scope === null || scope === undefined ? null : scope.split(/[\s,]+/).filter(Boolean),
  };
}

/**
 * Requests tokens. Redirects are not followed, because the request contains the client's secret.
 * @param grant fields of the grant; the client's are added
 * @throws OAuthFailure
 */
export async function requestTokens(
  config: Pick<Config, 'outboundAllow'>,
  { provider, client }: OAuthParty,
  grant: Readonly<Record<string, string>>,
): Promise<Tokens> {
  const url = new URL(provider.tokenUrl);
  // The operator chose this address, so it alone is exempt from the private-address block.
  const own = client.origin === null ? [] : [`${url.hostname}:${resolvePort(url)}`];
  const guarded = createGuardedAgent([...config.outboundAllow, ...own], { keepAlive: false });
  const form = new URLSearchParams({
    ...grant,
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  try {
    const sentAt = systemClock.now();
    const response = await guardedFetch(guarded, { peer: 'OAuth provider' })(url, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body: unknown = await response.json().catch(() => null);
    return readTokens(response.status, body, sentAt);
  } catch (error) {
    if (error instanceof OAuthFailure) throw error;
    throw new OAuthFailure('the provider cannot be reached', false);
  } finally {
    await guarded.agent.destroy();
  }
}
