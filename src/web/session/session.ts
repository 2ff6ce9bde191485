/**
 * The session of the signed-in person: OpenID Connect, authorization code with PKCE. Tokens live in memory alone; a reload
 * asks the provider again, which knows its user. Edits made meanwhile are kept by the canvas client and sent later.
 */
import * as oauth from 'oauth4webapi';
import { systemClock } from '../../clock.ts';
import { BASE, CALLBACK, safeReturn } from './return-address.ts';

/** GET /app/config.json. */
export interface AppConfig {
  readonly issuer: string | null;
  readonly client_id: string;
  readonly realtime_url: string | null;
  readonly temporal_ui_url: string | null;
  readonly temporal_namespace: string;
}

export type SignInState =
  | { readonly kind: 'signed_in'; readonly session: UserSession }
  | { readonly kind: 'signed_out'; readonly problem: string | null };

/** A begun sign-in, kept in sessionStorage under its `state`. */
interface Begun {
  readonly verifier: string;
  readonly nonce: string;
  readonly returnTo: string;
  readonly isSilent: boolean;
}

const KEY = 'sign-in:';
/** Set while somebody is signed in: a reload then asks the provider before it asks a person. */
const WAS_SIGNED_IN = 'was-signed-in';
const SCOPE = 'openid email offline_access';
/** A token is renewed so long before it ends. */
const EARLY_MS = 30_000;

const isLoopback = (issuer: URL): boolean =>
  issuer.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(issuer.hostname);

export class UserSession {
  readonly #provider: Provider;
  #tokens: Tokens;
  #renewing: Promise<string> | null = null;

  constructor(provider: Provider, tokens: Tokens) {
    this.#provider = provider;
    this.#tokens = tokens;
  }

  /** @returns a token that is good; callers at the same time share one renewal */
  token(): Promise<string> {
    if (systemClock.now() < this.#tokens.expiresAtMs - EARLY_MS) return Promise.resolve(this.#tokens.access);
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #renew(): Promise<string> {
    const { refresh } = this.#tokens;
    try {
      if (refresh === null) throw new Error('The provider gave no refresh token');
      this.#tokens = await this.#provider.renew(refresh);
      return this.#tokens.access;
    } catch {
      // The provider may still know its user; the page comes back to where it was.
      await this.#provider.begin({ isSilent: true });
      return new Promise<string>(() => undefined);
    }
  }

  async signOut(): Promise<void> {
    sessionStorage.clear();
    location.assign(await this.#provider.endAddress(this.#tokens.id));
  }
}

interface Tokens {
  readonly access: string;
  readonly refresh: string | null;
  readonly id: string | null;
  readonly expiresAtMs: number;
}

export class Provider {
  readonly #server: oauth.AuthorizationServer;
  readonly #client: oauth.Client;
  readonly #http: { readonly [oauth.allowInsecureRequests]?: boolean };

  private constructor(server: oauth.AuthorizationServer, clientId: string, isInsecure: boolean) {
    this.#server = server;
    this.#client = { client_id: clientId };
    this.#http = isInsecure ? { [oauth.allowInsecureRequests]: true } : {};
  }

  /** @throws Error when the provider cannot be found */
  static async discover(issuer: string, clientId: string): Promise<Provider> {
    const url = new URL(issuer);
    const isInsecure = isLoopback(url);
    const options = isInsecure ? { [oauth.allowInsecureRequests]: true } : {};
    const answer = await oauth.discoveryRequest(url, { ...options, algorithm: 'oidc' });
    return new Provider(await oauth.processDiscoveryResponse(url, answer), clientId, isInsecure);
  }

  /** Goes to the provider; the page comes back to where it is. @param how `isSilent`: without a form of the provider */
  async begin({ isSilent }: { readonly isSilent: boolean }): Promise<void> {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const nonce = oauth.generateRandomNonce();
    const returnTo = safeReturn(location.pathname + location.search, location.origin);
    const begun: Begun = { verifier, nonce, returnTo, isSilent };
    sessionStorage.setItem(KEY + state, JSON.stringify(begun));
    const url = new URL(this.#server.authorization_endpoint ?? '');
    const parameters = {
      client_id: this.#client.client_id,
      redirect_uri: location.origin + CALLBACK,
      response_type: 'code',
      scope: SCOPE,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(isSilent ? { prompt: 'none' } : {}),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    location.assign(url.href);
  }

  /** The provider has sent its user back. @throws Error when it, or somebody in between, says no */
  async finish(): Promise<SignInState> {
    const given = new URL(location.href);
    const state = given.searchParams.get('state') ?? '';
    const kept = sessionStorage.getItem(KEY + state);
    sessionStorage.removeItem(KEY + state);
    if (kept === null) {
      history.replaceState(null, '', `${BASE}/`);
      return { kind: 'signed_out', problem: null };
    }
    const { verifier, nonce, returnTo, isSilent } = JSON.parse(kept) as Begun;
    history.replaceState(null, '', returnTo);
    try {
      const parameters = oauth.validateAuthResponse(this.#server, this.#client, given, state);
      const answer = await oauth.authorizationCodeGrantRequest(
        this.#server,
        this.#client,
        oauth.None(),
        parameters,
        location.origin + CALLBACK,
        verifier,
        this.#http,
      );
      const grant = await oauth.processAuthorizationCodeResponse(this.#server, this.#client, answer, {
        expectedNonce: nonce,
        requireIdToken: true,
      });
      sessionStorage.setItem(WAS_SIGNED_IN, '1');
      return { kind: 'signed_in', session: new UserSession(this, readTokens(grant, null)) };
    } catch (error) {
      sessionStorage.removeItem(WAS_SIGNED_IN);
      if (isSilent) return { kind: 'signed_out', problem: null };
      throw error;
    }
  }

  async renew(refresh: string): Promise<Tokens> {
    const answer = await oauth.refreshTokenGrantRequest(
      this.#server,
      this.#client,
      oauth.None(),
      refresh,
      this.#http,
    );
    const grant = await oauth.processRefreshTokenResponse(this.#server, this.#client, answer);
    return readTokens(grant, refresh);
  }

  /** Where a sign-out goes. */
  endAddress(idToken: string | null): Promise<string> {
    const end = this.#server.end_session_endpoint;
    if (end === undefined) return Promise.resolve(`${BASE}/`);
    const url = new URL(end);
    url.searchParams.set('client_id', this.#client.client_id);
    url.searchParams.set('post_logout_redirect_uri', `${location.origin}${BASE}/`);
    if (idToken !== null) url.searchParams.set('id_token_hint', idToken);
    return Promise.resolve(url.href);
  }
}

function readTokens(grant: oauth.TokenEndpointResponse, refresh: string | null): Tokens {
  return {
    access: grant.access_token,
    refresh: grant.refresh_token ?? refresh,
    id: grant.id_token ?? null,
    expiresAtMs: systemClock.now() + (grant.expires_in ?? 300) * 1_000,
  };
}

/** Finishes a sign-in that comes back, or tries one in silence. */
export async function start(provider: Provider): Promise<SignInState> {
  if (location.pathname === CALLBACK) return provider.finish();
  if (sessionStorage.getItem(WAS_SIGNED_IN) !== null) {
    await provider.begin({ isSilent: true });
    return new Promise<SignInState>(() => undefined);
  }
  return { kind: 'signed_out', problem: null };
}
