/**
 * The authorization code flow of OAuth 2 with PKCE. The provider redirects the browser to the web application, which finishes
 * the authorization here, as the same user and in the same organization.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { systemClock } from '../../../base/clock.ts';
import type { Scope } from '../../access/caller.ts';
import { Prisma, type OauthAuthorization } from '../../../base/db/generated/client.ts';
import { badRequest, invalid, notFound, refuseWith } from '../../../base/errors.ts';
import { isObject, type JsonObject } from '../../../language/graph/values/value.ts';
import type { AuthScheme } from '../../../language/nodes/integrations/integration.ts';
import { findScheme } from '../../../language/nodes/integrations/catalog.ts';
import { exchangeCode, OAuthFailure } from '../oauth-client.ts';
import type { Tokens } from '../oauth-client.ts';
import { findOAuthParty, type OAuthParty, type TypeWithClient } from '../oauth-party.ts';
import { findTypeWithClient } from '../find-type.ts';
import { withTokens } from '../vault/oauth-data.ts';
import { readAccount, type CheckedAccount } from './account.ts';
import { pickAskedFields, requireAskedFields } from './asked-fields.ts';
import type { AuthorizationEnd, NewAuthorization } from './schema.ts';
import { findCredential, IN_USE, sealAccount, requireVault, type CredentialDeps } from './service.ts';
import { lockCredential, WITHOUT_SECRET, type CredentialRow } from './store.ts';

/** How long a person may take at the provider. */
const LIFETIME_MS = 10 * 60_000;
/** RFC 7636 recommends 32 octets. */
const RANDOM_BYTES = 32;
/** Path in the web application, registered with each provider. */
const REDIRECT_PATH = '/oauth/callback';

const random = (): string => randomBytes(RANDOM_BYTES).toString('base64url');
const sha256 = (text: string) => createHash('sha256').update(text).digest();

function buildRedirectUri({ config }: CredentialDeps): string {
  if (config.appUrl === undefined)
    throw refuseWith(503, 'app_url_not_configured', 'OAuth is not available: the server has no APP_URL');
  return `${config.appUrl.replace(/\/+$/, '')}${REDIRECT_PATH}`;
}

interface Authorizable extends TypeWithClient {
  readonly scheme: AuthScheme;
  readonly party: OAuthParty;
}

async function requireParty(
  deps: CredentialDeps,
  organizationId: string,
  name: string,
): Promise<Authorizable> {
  const found = await findTypeWithClient(deps.db.prisma, requireVault(deps), { organizationId, name });
  const scheme = found === null ? null : findScheme(found.type, 'oauth2');
  if (found === null || scheme === null) {
    const msg = found === null ? 'Unknown integration' : 'This integration takes no OAuth accounts';
    throw invalid([{ loc: ['body', 'integration'], msg, type: 'unknown_integration' }]);
  }
  const party = findOAuthParty(deps.config, { ...found, authType: 'oauth2', data: {} });
  if (party === null)
    throw refuseWith(
      503,
      'oauth_client_not_configured',
      `OAuth is not available for ${found.type.displayName}: the server has no client for it in OAUTH_CLIENTS`,
    );
  return { ...found, scheme, party };
}

/** Finds the credential that is authorized again; null for a new one. */
async function findRenewed(
  deps: CredentialDeps,
  scope: Scope,
  { credential_id: credentialId, integration }: NewAuthorization,
): Promise<CredentialRow | null> {
  if (credentialId === undefined) return null;
  const row = await findCredential(deps, scope, credentialId);
  if (row.integration === integration && row.authType === 'oauth2') return row;
  throw notFound('Credential');
}

/**
 * Begins an authorization; returns the provider's URL and the state that its callback has to repeat.
 * @throws ApiError 404 for a credential that is no OAuth account of the integration, 422 for an integration that takes
 *   none or a name that is missing, 503 when the OAuth client or the web application is not configured
 */
export async function beginAuthorization(
  deps: CredentialDeps,
  scope: Scope,
  body: NewAuthorization,
): Promise<JsonObject> {
  const { organizationId } = scope;
  const { party, scheme } = await requireParty(deps, organizationId, body.integration);
  const { provider, client } = party;
  const redirect = buildRedirectUri(deps);
  const vault = requireVault(deps);
  const old = await findRenewed(deps, scope, body);
  const name = body.name ?? old?.name;
  if (name === undefined) throw invalid([{ loc: ['body', 'name'], msg: 'Field required', type: 'missing' }]);
  const scopes = body.scopes ?? (old === null ? party.scopes : old.scopes);
  const [state, verifier] = [random(), random()];
  const credentialId = old?.id ?? randomUUID();
  const owner = { organizationId, credentialId };
  const kept = old === null ? {} : pickAskedFields(scheme, (await vault.find(owner))?.data ?? {});
  const data = requireAskedFields(scheme, { ...kept, ...body.data });
  const { keyId, wrappedKey, ciphertext } = vault.seal(owner, { verifier, data });
  const now = new Date(systemClock.now());
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  const { oauthAuthorization } = deps.db.prisma;
  // Deletes the expired ones of all organizations: no job does.
  await oauthAuthorization.deleteMany({ where: { expiresAt: { lt: now } } });
  await oauthAuthorization.create({
    data: {
      stateHash: new Uint8Array(sha256(state)),
      organizationId,
      userId: scope.caller.userId,
      credentialId,
      renews: old !== null,
      integration: body.integration,
      name,
      scopes: [...scopes],
      keyId,
      wrappedKey: new Uint8Array(wrappedKey),
      ciphertext: new Uint8Array(ciphertext),
      expiresAt,
    },
  });
  const url = new URL(provider.authorizationUrl);
  const query: Record<string, string> = {
    ...provider.authorizationParameters,
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirect,
    scope: scopes.join(provider.scopeSeparator),
    state,
    code_challenge: sha256(verifier).toString('base64url'),
    code_challenge_method: 'S256',
  };
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
  return { authorization_url: url.href, state, expires_at: expiresAt.toISOString() };
}

/**
 * Finishes an authorization: consumes its state and exchanges the code for the tokens of a credential.
 * @throws ApiError 400 for a state that is unknown, another user's, expired or used, and for a refusal by the provider; 404
 *   when the credential was deleted meanwhile; 503 when the provider cannot be reached; the authorization has to begin again
 */
export async function endAuthorization(
  deps: CredentialDeps,
  scope: Scope,
  body: AuthorizationEnd,
): Promise<CredentialRow> {
  const begun = await takeAuthorization(deps, scope, body.state);
  if (begun === null)
    throw badRequest(
      'authorization_unknown',
      'The authorization has expired or was already used. Start again',
    );
  if (body.code === undefined)
    throw badRequest('authorization_declined', 'Access was denied at the provider');
  const authorizable = await requireParty(deps, begun.organizationId, begun.integration);
  const { verifier, data } = openAuthorization(deps, begun);
  const tokens = await exchange(deps, authorizable.party, { code: body.code, verifier });
  const account = buildAccount(authorizable, { begun, tokens, data });
  return begun.renews ? renew(deps, begun, { tokens, account }) : create(deps, begun, { tokens, account });
}

/** Deletes and returns an authorization in one statement, so that of two callbacks one gets it. */
async function takeAuthorization(
  { db }: CredentialDeps,
  { organizationId, caller }: Scope,
  state: string,
): Promise<OauthAuthorization | null> {
  const stateHash = new Uint8Array(sha256(state));
  const where = {
    stateHash,
    organizationId,
    userId: caller.userId,
    expiresAt: { gt: new Date(systemClock.now()) },
  };
  try {
    return await db.prisma.oauthAuthorization.delete({ where });
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2025') return null;
    throw error;
  }
}

/** Unseals the verifier of PKCE and the fields that were asked for; authorizations of an earlier release have none. */
function openAuthorization(
  deps: CredentialDeps,
  begun: OauthAuthorization,
): { readonly verifier: string; readonly data: JsonObject } {
  const { keyId } = begun;
  const [wrappedKey, ciphertext] = [Buffer.from(begun.wrappedKey), Buffer.from(begun.ciphertext)];
  const { verifier, data } = requireVault(deps).unseal(begun, { keyId, wrappedKey, ciphertext });
  return { verifier: typeof verifier === 'string' ? verifier : '', data: isObject(data) ? data : {} };
}

async function exchange(
  deps: CredentialDeps,
  party: OAuthParty,
  { code, verifier }: { readonly code: string; readonly verifier: string },
): Promise<Tokens> {
  try {
    return await exchangeCode(deps.config, party, {
      code,
      redirect_uri: buildRedirectUri(deps),
      code_verifier: verifier,
    });
  } catch (error) {
    if (!(error instanceof OAuthFailure)) throw error;
    if (error.refused)
      throw badRequest('authorization_refused', `The provider rejected the authorization: ${error.message}`);
    throw refuseWith(503, 'authorization_unavailable', 'The provider is unreachable. Start again');
  }
}

function buildAccount(
  { type, party }: Authorizable,
  {
    begun,
    tokens,
    data: asked,
  }: { readonly begun: OauthAuthorization; readonly tokens: Tokens; readonly data: JsonObject },
) {
  const { baseUrl } = party.client;
  const base: JsonObject = baseUrl === null ? asked : { ...asked, base_url: baseUrl };
  const data = withTokens(base, tokens);
  const account = readAccount(type, { authType: 'oauth2', data, allowedHosts: null });
  return { ...account, scopes: tokens.scopes ?? begun.scopes };
}

/** Tokens with the account that they make. */
interface NewAccount {
  readonly tokens: Tokens;
  readonly account: CheckedAccount;
}

/** Without a refresh token the credential expires with its access token. */
const findExpiry = ({ refreshToken, expiresAt }: Tokens): Date | null =>
  refreshToken === null ? expiresAt : null;

function create(
  deps: CredentialDeps,
  begun: OauthAuthorization,
  { tokens, account }: NewAccount,
): Promise<CredentialRow> {
  const { credentialId: id, organizationId, integration, name, userId: createdBy } = begun;
  const made = {
    id,
    organizationId,
    integration,
    name,
    createdBy,
    authType: 'oauth2',
    expiresAt: findExpiry(tokens),
  };
  const sealed = sealAccount(requireVault(deps), begun, account);
  return deps.db.prisma.credential.create({ ...WITHOUT_SECRET, data: { ...made, ...sealed } });
}

function renew(
  deps: CredentialDeps,
  begun: OauthAuthorization,
  { tokens, account }: NewAccount,
): Promise<CredentialRow> {
  const { credentialId: id, organizationId, name } = begun;
  return deps.db.prisma.$transaction(async (tx) => {
    await lockCredential(tx, begun);
    const sealed = sealAccount(requireVault(deps), begun, account);
    return tx.credential.update({
      ...WITHOUT_SECRET,
      where: { id, organizationId },
      data: {
        ...IN_USE,
        ...sealed,
        name,
        expiresAt: findExpiry(tokens),
        updatedAt: new Date(systemClock.now()),
      },
    });
  });
}
