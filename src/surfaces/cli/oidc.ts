/** Login at an OpenID Connect provider: authorization code with PKCE and a loopback redirect (RFC 8252), or device code (RFC 8628). */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as oauth from 'oauth4webapi';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../base/clock.ts';
import { CommandError } from './exit.ts';
import type { Login } from './profiles.ts';

export type OidcLogin = Extract<Login, { kind: 'oidc' }>;

interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  /** Shows the page to open, and the code to enter there in the device flow. */
  readonly show: (page: string, code: string | null) => void;
}

/** A token is renewed this long before it expires, so that it outlasts the call. */
const EARLY_MS = 30_000;
/** Other commands wait for a renewal; they break its lock after three times as long (file-lock.ts). */
const RENEWAL_TIMEOUT_MS = 20_000;
const LOGIN_TIMEOUT_MS = 300_000;
/** Lifetime of a token whose provider does not state one. */
const DEFAULT_LIFETIME_S = 300;

interface DiscoveredProvider {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly options: {
    readonly [oauth.allowInsecureRequests]: boolean;
    readonly [oauth.customFetch]: typeof fetchFromProvider;
  };
}

/** @throws CommandError when the provider does not answer: `fetch` tells neither its host nor why */
async function fetchFromProvider(url: string, options: object): Promise<Response> {
  try {
    return await fetch(url, options);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const { code, message } = (error.cause ?? error) as Error & { readonly code?: string };
    const reason = code ?? message;
    throw new CommandError(`The identity provider ${new URL(url).host} cannot be reached (${reason})`);
  }
}

async function discover(issuer: string, clientId: string, signal?: AbortSignal): Promise<DiscoveredProvider> {
  const url = new URL(issuer);
  const isLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  const options = { [oauth.allowInsecureRequests]: isLoopback, [oauth.customFetch]: fetchFromProvider };
  const response = await oauth.discoveryRequest(url, {
    algorithm: 'oidc',
    ...options,
    ...(signal === undefined ? {} : { signal }),
  });
  const server = await oauth.processDiscoveryResponse(url, response);
  return { server, client: { client_id: clientId }, options };
}

const toLogin = (
  { issuer, clientId }: Pick<Provider, 'issuer' | 'clientId'>,
  reply: oauth.TokenEndpointResponse,
  refreshToken: string | null,
): OidcLogin => ({
  kind: 'oidc',
  issuer,
  clientId,
  accessToken: reply.access_token,
  refreshToken: reply.refresh_token ?? refreshToken,
  expiresAtMs: systemClock.now() + (reply.expires_in ?? DEFAULT_LIFETIME_S) * 1000,
});

/** @throws CommandError when the user does not log in within five minutes */
export async function loginWithBrowser(provider: Provider): Promise<OidcLogin> {
  const { server, client, options } = await discover(provider.issuer, provider.clientId);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const redirectUri = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`;
  const page = new URL(server.authorization_endpoint ?? '');
  const query = {
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: provider.scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(query)) page.searchParams.set(name, value);
  const signal = AbortSignal.timeout(LOGIN_TIMEOUT_MS);
  try {
    const returned = new Promise<URL>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new CommandError('Login timed out after 5 minutes')), {
        once: true,
      });
      listener.on('request', (request, response) => {
        const url = new URL(request.url ?? '/', redirectUri);
        const isCallback = url.pathname === '/callback' && url.searchParams.get('state') === state;
        response.writeHead(isCallback ? 200 : 404, { 'Content-Type': 'text/plain', Connection: 'close' });
        response.end(
          isCallback ? 'Logged in. You may close this page and return to the terminal.\n' : 'Not found\n',
        );
        if (isCallback) resolve(url);
      });
    });
    provider.show(page.href, null);
    const parameters = oauth.validateAuthResponse(server, client, await returned, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      redirectUri,
      verifier,
      options,
    );
    return toLogin(provider, await oauth.processAuthorizationCodeResponse(server, client, response), null);
  } finally {
    listener.close();
  }
}

/** @throws CommandError when the code expires */
export async function loginWithDevice(provider: Provider): Promise<OidcLogin> {
  const { server, client, options } = await discover(provider.issuer, provider.clientId);
  const response = await oauth.deviceAuthorizationRequest(
    server,
    client,
    oauth.None(),
    { scope: provider.scope },
    options,
  );
  const device = await oauth.processDeviceAuthorizationResponse(server, client, response);
  provider.show(device.verification_uri_complete ?? device.verification_uri, device.user_code);
  let intervalS = device.interval ?? 5;
  const untilMs = systemClock.now() + device.expires_in * 1000;
  while (systemClock.now() < untilMs) {
    await wait(intervalS * 1000);
    try {
      const reply = await oauth.deviceCodeGrantRequest(
        server,
        client,
        oauth.None(),
        device.device_code,
        options,
      );
      return toLogin(provider, await oauth.processDeviceCodeResponse(server, client, reply), null);
    } catch (error) {
      if (!(error instanceof oauth.ResponseBodyError)) throw error;
      if (error.error === 'slow_down') intervalS += 5;
      else if (error.error !== 'authorization_pending')
        throw new CommandError(`Login failed: ${error.error}`);
    }
  }
  throw new CommandError('Login timed out: the device code expired');
}

export const isFresh = ({ expiresAtMs }: OidcLogin): boolean => expiresAtMs - EARLY_MS > systemClock.now();

/**
 * Renews a login with its refresh token. Most providers accept a refresh token once and end the login when it is reused.
 * @throws CommandError without a refresh token, and when the provider has ended the login
 */
export async function renewLogin(login: OidcLogin): Promise<OidcLogin> {
  const { issuer, clientId, refreshToken } = login;
  const ended = new CommandError('The login has expired. To log in again, run: workflow login');
  if (refreshToken === null) throw ended;
  const signal = AbortSignal.timeout(RENEWAL_TIMEOUT_MS);
  const { server, client, options } = await discover(issuer, clientId, signal);
  const more = { ...options, signal };
  const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, more);
  try {
    const reply = await oauth.processRefreshTokenResponse(server, client, response);
    return toLogin(login, reply, refreshToken);
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') throw ended;
    throw error;
  }
}
