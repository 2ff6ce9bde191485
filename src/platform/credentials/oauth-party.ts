/** Finds an OAuth provider with the client that this service is there: the operator's, the organization's, or the credential's own. */
import type { Config } from '../../base/config/config.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import { ownValue } from '../../language/graph/values/value.ts';
import { findScheme } from '../../language/nodes/integrations/catalog.ts';
import type { Integration, OAuthProvider } from '../../language/nodes/integrations/integration.ts';

/** A registration at a provider. */
export interface ProviderClient {
  readonly clientId: string;
  /** A secret, or the PEM text of a private key; null for assertions, which need no client. */
  readonly clientSecret: string | null;
  readonly privateKey: string | null;
  readonly keyId: string | null;
  /** Origin of the provider and base URL of its API, if the operator set others than the catalog's. */
  readonly origin: string | null;
  readonly baseUrl: string | null;
}

/** A provider and a client registration with it. */
export interface OAuthParty {
  readonly provider: OAuthProvider;
  readonly client: ProviderClient;
  readonly scopes: readonly string[];
}

/** A type with the client that its organization registered; null: none. */
export interface TypeWithClient {
  readonly type: Integration;
  readonly ownClient: ProviderClient | null;
}

/** The tokens of an account: how it signs in, and its data, which has the client of some grants. */
interface TokenSource extends TypeWithClient {
  readonly authType: string;
  readonly data: JsonObject;
}

function replaceOrigin(address: string, origin: string | null): string {
  const { pathname, search } = new URL(address);
  return origin === null ? address : `${origin}${pathname}${search}`;
}

const readText = (data: JsonObject, field: string): string | null => {
  const value = ownValue(data, field);
  return typeof value === 'string' ? value : null;
};

function findOperatorsClient(
  { oauthClients }: Pick<Config, 'oauthClients'>,
  name: string,
): ProviderClient | null {
  const client = Object.hasOwn(oauthClients, name) ? oauthClients[name] : undefined;
  return client === undefined ? null : { ...client, privateKey: null, keyId: null };
}

/** @returns null when the authentication type has no tokens, or no client is known for it */
export function findOAuthParty(
  config: Pick<Config, 'oauthClients'>,
  { type, ownClient, authType, data }: TokenSource,
): OAuthParty | null {
  const scheme = findScheme(type, authType);
  const provider = scheme?.oauth;
  if (scheme === null || provider === undefined) return null;
  const { scopes } = scheme;
  if (provider.grant !== undefined && provider.grant !== 'authorization_code') {
    const client = {
      clientId: readText(data, 'client_id') ?? readText(data, 'issuer') ?? '',
      clientSecret: readText(data, 'client_secret'),
      privateKey: readText(data, 'private_key'),
      keyId: readText(data, 'key_id'),
      origin: null,
      baseUrl: null,
    };
    return { provider, client, scopes };
  }
  const client = ownClient ?? findOperatorsClient(config, type.name);
  if (client === null) return null;
  return {
    client,
    scopes,
    provider: {
      ...provider,
      authorizationUrl: replaceOrigin(provider.authorizationUrl, client.origin),
      tokenUrl: replaceOrigin(provider.tokenUrl, client.origin),
    },
  };
}
