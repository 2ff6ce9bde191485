/**
 * The session of the signed-in person: OpenID Connect, authorization code with PKCE. Tokens live in memory alone; a reload
 * or a new tab asks the provider, which knows its user. An expired session is renewed in a window of its own, so that the
 * page keeps what was typed.
 */
import * as oauth from 'oauth4webapi';
import { systemClock } from '../../../base/clock.ts';
import { forgetTab, keptAt, type KeptEntry } from '../kit/kept-state.ts';
import { awaitResponse, isLoopback } from './authorization.ts';
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

interface Secrets {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
}

interface AuthorizationRequest extends Secrets {
  readonly url: string;
}

/** A begun sign-in, kept in the tab under its `state`. */
interface StartedSignIn extends Omit<Secrets, 'state'> {
  readonly returnTo: string;
  readonly isSilent: boolean;
}

/** `none`: the provider shows no form; `login`: it shows one even to somebody whom it knows. */
type Prompt = 'none' | 'login';

/** Set in this browser from a sign-in to the sign-out: a page then tries to sign in without a form. */
const signedIn = (): KeptEntry => keptAt('signed-in', null);
const begunSignIn = (state: string): KeptEntry => keptAt('sign-in', null, state);
const SCOPE = 'openid email offline_access';
/** Covers the time that a request needs to arrive. */
const RENEWAL_MARGIN_MS = 30_000;
/** Between attempts to renew while the provider cannot be reached. */
const RENEWAL_RETRY_MS = 5_000;
const WINDOW = 'popup,width=480,height=680';

/** Thrown when the browser opens no window. */
export class WindowBlocked extends Error {
  override readonly name = 'WindowBlocked';
}

export class UserSession {
  readonly #provider: Provider;
  readonly #listeners = new Set<() => void>();
  readonly #waiting: ((token: string) => void)[] = [];
  #tokens: Tokens;
  #renewing: Promise<string> | null = null;
  #isExpired = false;

  constructor(provider: Provider, tokens: Tokens) {
    this.#provider = provider;
    this.#tokens = tokens;
    // Another tab has signed out: the same person is not signed in here any longer.
    addEventListener('storage', ({ key, newValue }) => {
      if (key === signedIn().key && newValue === null) this.#setExpired(true);
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The person at the provider. */
  get subject(): string {
    return this.#tokens.subject ?? '';
  }

  /** True while requests wait until the person has signed in again. */
  get isExpired(): boolean {
    return this.#isExpired;
  }

  /** @returns a valid token; concurrent callers share one renewal */
  token(): Promise<string> {
    const isValid = systemClock.now() < this.#tokens.expiresAtMs - RENEWAL_MARGIN_MS;
    if (isValid && !this.#isExpired) return Promise.resolve(this.#tokens.access);
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #renew(): Promise<string> {
    const { refresh } = this.#tokens;
    while (refresh !== null && !this.#isExpired) {
      try {
        this.#tokens = await this.#provider.renew(this.#tokens, refresh);
        return this.#tokens.access;
      } catch (error) {
        // A TypeError of fetch: the provider cannot be reached, which says nothing about the session.
        if (!(error instanceof TypeError)) break;
        await new Promise((resolve) => setTimeout(resolve, RENEWAL_RETRY_MS));
      }
    }
    return new Promise<string>((resolve) => {
      this.#waiting.push(resolve);
      this.#setExpired(true);
    });
  }

  /** The service does not take the token of this session, however valid it looks: the person signs in again. */
  refuse(): void {
    this.#setExpired(true);
  }

  /** Called by a click, because browsers open no window otherwise. @throws Error when the sign-in fails or is given up */
  async signInAgain(signal: AbortSignal): Promise<void> {
    const tokens = await this.#provider.signInByWindow(signal);
    if (tokens.subject !== this.#tokens.subject) {
      // The page shows what another person may see.
      location.assign(`${BASE}/`);
      return;
    }
    signedIn().write('1');
    this.#tokens = tokens;
    this.#setExpired(false);
    for (const resume of this.#waiting.splice(0)) resume(tokens.access);
  }

  #setExpired(isExpired: boolean): void {
    this.#isExpired = isExpired;
    for (const listener of this.#listeners) listener();
  }

  /** Signs in with another account and returns here. */
  switchAccount(): Promise<void> {
    return this.#provider.begin({ prompt: 'login' });
  }

  /** Leaves without a question: what is not saved is discarded. */
  async signOut(): Promise<void> {
    const address = await this.#provider.endAddress(this.#tokens.id);
    addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true);
    // An open canvas keeps its edits as the page goes, and the next person would send them.
    addEventListener('pagehide', forgetTab);
    forgetTab();
    signedIn().remove();
    location.assign(address);
  }
}

interface Tokens {
  /** The person at the provider; null when a renewal does not tell. */
  readonly subject: string | null;
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

  async #buildRequest(prompt?: Prompt): Promise<AuthorizationRequest> {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const nonce = oauth.generateRandomNonce();
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
      ...(prompt === undefined ? {} : { prompt }),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return { url: url.href, state, verifier, nonce };
  }

  /** Goes to the provider; the page comes back to its present address. */
  async begin({ prompt }: { readonly prompt?: Prompt } = {}): Promise<void> {
    const { url, state, verifier, nonce } = await this.#buildRequest(prompt);
    const returnTo = safeReturn(location.pathname + location.search, location.origin);
    const begun: StartedSignIn = { verifier, nonce, returnTo, isSilent: prompt === 'none' };
    begunSignIn(state).write(JSON.stringify(begun));
    location.assign(url);
  }

  /** Completes a sign-in with the address that the provider sent its user back to. */
  async finish(): Promise<SignInState> {
    const given = new URL(location.href);
    const state = given.searchParams.get('state') ?? '';
    const kept = begunSignIn(state).read();
    begunSignIn(state).remove();
    if (kept === null) {
      history.replaceState(null, '', `${BASE}/`);
      return { kind: 'signed_out', problem: null };
    }
    const { returnTo, isSilent, ...secrets } = JSON.parse(kept) as StartedSignIn;
    history.replaceState(null, '', returnTo);
    try {
      const tokens = await this.#exchange(given, { ...secrets, state });
      signedIn().write('1');
      return { kind: 'signed_in', session: new UserSession(this, tokens) };
    } catch (error) {
      return { kind: 'signed_out', problem: isSilent ? null : describeProblem(error) };
    }
  }

  /** @throws Error when the window is blocked or the provider refuses; the signal's reason */
  async signInByWindow(signal: AbortSignal): Promise<Tokens> {
    const shown = window.open('about:blank', '_blank', WINDOW);
    if (shown === null) throw new WindowBlocked();
    try {
      const request = await this.#buildRequest();
      shown.location.href = request.url;
      const { search } = await awaitResponse(request.state, signal);
      return await this.#exchange(new URL(location.origin + CALLBACK + search), request);
    } catch (error) {
      shown.close();
      throw error;
    }
  }

  async #exchange(returned: URL, { state, verifier, nonce }: Secrets): Promise<Tokens> {
    const parameters = oauth.validateAuthResponse(this.#server, this.#client, returned, state);
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
    return readTokens(grant, null);
  }

  async renew(before: Tokens, refresh: string): Promise<Tokens> {
    const answer = await oauth.refreshTokenGrantRequest(
      this.#server,
      this.#client,
      oauth.None(),
      refresh,
      this.#http,
    );
    const grant = await oauth.processRefreshTokenResponse(this.#server, this.#client, answer);
    return readTokens(grant, before);
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

function readTokens(grant: oauth.TokenEndpointResponse, before: Tokens | null): Tokens {
  return {
    subject: oauth.getValidatedIdTokenClaims(grant)?.sub ?? before?.subject ?? null,
    access: grant.access_token,
    refresh: grant.refresh_token ?? before?.refresh ?? null,
    id: grant.id_token ?? before?.id ?? null,
    expiresAtMs: systemClock.now() + (grant.expires_in ?? 300) * 1_000,
  };
}

const describeProblem = (error: unknown): string =>
  error instanceof oauth.AuthorizationResponseError
    ? (error.error_description ?? error.error)
    : String(error);

/** True in a window that another page has opened to sign in: this page has begun no sign-in of that state. */
export const isSignInWindow = (): boolean =>
  location.pathname === CALLBACK &&
  begunSignIn(new URL(location.href).searchParams.get('state') ?? '').read() === null;

/** Finishes a sign-in that comes back, or tries one without a form where somebody was signed in. */
export async function start(provider: Provider): Promise<SignInState> {
  if (location.pathname === CALLBACK) return provider.finish();
  if (signedIn().read() !== null) {
    await provider.begin({ prompt: 'none' });
    return new Promise<SignInState>(() => undefined);
  }
  return { kind: 'signed_out', problem: null };
}
