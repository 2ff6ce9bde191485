/** The token endpoint of an OAuth provider: a code or a refresh token becomes tokens (RFC 6749, 4.1.3 and 6). */
import { z } from 'zod';
import type { Config, OAuthClient } from '../config/config.ts';
import { findIntegration, findScheme } from '../nodes/integrations/catalog.ts';
import type { OAuthProvider } from '../nodes/integrations/integration.ts';
import { portOf } from '../outbound/destinations.ts';
import { guardedAgent } from '../outbound/guarded-agent.ts';
import { guardedFetch } from '../outbound/guarded-fetch.ts';

/** A person waits for the answer, or a node does. */
const TIMEOUT_MS = 15_000;
/** A lifetime beyond it is a mistake of the provider's. */
const MAX_LIFETIME_SECONDS = 10 * 365 * 24 * 60 * 60;

/** Tokens as a credential holds them. */
export interface Tokens {
  readonly accessToken: string;
  /** Null: the provider gave none, or on renewal: the old one stays. */
  readonly refreshToken: string | null;
  /** Null: the access token does not end. */
  readonly expiresAt: Date | null;
  /** What was granted, if the provider says so. */
  readonly scopes: readonly string[] | null;
}

/** No tokens. `refused`: the provider said no, and will say so again; `reason` is its word for why. */
export class OAuthFailure extends Error {
  override readonly name = 'OAuthFailure';
  readonly refused: boolean;

  constructor(reason: string, refused: boolean) {
    super(reason);
    this.refused = refused;
  }
}

/** A provider and this service's registration with it. */
export interface OAuthParty {
  readonly provider: OAuthProvider;
  readonly client: OAuthClient;
}

function elsewhere(address: string, origin: string | null): string {
  const { pathname, search } = new URL(address);
  return origin === null ? address : `${origin}${pathname}${search}`;
}

/** @returns null when the integration takes no OAuth accounts, or no client is configured for it */
export function partyOf(config: Pick<Config, 'oauthClients'>, integration: string): OAuthParty | null {
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
      authorizationUrl: elsewhere(authorizationUrl, client.origin),
      tokenUrl: elsewhere(tokenUrl, client.origin),
      scopeSeparator,
    },
  };
}

const text = z.string().min(1).max(8_192);
const granted = z.looseObject({
  access_token: text,
  refresh_token: text.nullish(),
  expires_in: z.coerce.number().positive().max(MAX_LIFETIME_SECONDS).nullish(),
  scope: z.string().nullish(),
});

/** An error code of RFC 6749, 5.2; whatever else a provider says is not repeated. */
function reasonOf(body: unknown): string | null {
  const parsed = z.looseObject({ error: z.string().regex(/^[a-z0-9_]{1,64}$/) }).safeParse(body);
  return parsed.success ? parsed.data.error : null;
}

function readTokens(status: number, body: unknown, askedAt: number): Tokens {
  const reason = reasonOf(body);
  // Some providers refuse with status 200.
  if (reason !== null && status < 500) throw new OAuthFailure(reason, reason !== 'slow_down');
  if (status === 400 || status === 401 || status === 403) throw new OAuthFailure(`status ${status}`, true);
  const parsed = granted.safeParse(body);
  if (status !== 200 || !parsed.success) throw new OAuthFailure(`status ${status}`, false);
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, scope } = parsed.data;
  return {
    accessToken,
    refreshToken: refreshToken ?? null,
    expiresAt: seconds === null || seconds === undefined ? null : new Date(askedAt + seconds * 1_000),
    scopes: scope === null || scope === undefined ? null : scope.split(/[\s,]+/).filter(Boolean),
  };
}

/**
 * Asks for tokens. Redirects are not followed: what is sent would open the account to whoever gets it.
 * @param grant the fields of the grant; the client's are added
 * @throws OAuthFailure
 */
export async function requestTokens(
  config: Pick<Config, 'outboundAllow'>,
  { provider, client }: OAuthParty,
  grant: Readonly<Record<string, string>>,
): Promise<Tokens> {
  const url = new URL(provider.tokenUrl);
  // The operator chose an address elsewhere: it alone is exempt from the private-address block.
  const own = client.origin === null ? [] : [`${url.hostname}:${portOf(url)}`];
  const guarded = guardedAgent([...config.outboundAllow, ...own], false);
  const form = new URLSearchParams({
    ...grant,
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  try {
    const askedAt = Date.now();
    const response = await guardedFetch(guarded, { whose: 'OAuth provider' })(url, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body: unknown = await response.json().catch(() => null);
    return readTokens(response.status, body, askedAt);
  } catch (error) {
    if (error instanceof OAuthFailure) throw error;
    throw new OAuthFailure('the provider cannot be reached', false);
  } finally {
    await guarded.agent.destroy();
  }
}
