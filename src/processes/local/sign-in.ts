/**
 * The local OpenID provider, built on oidc-provider: a page lets anyone sign in as anyone. Its access tokens are JWTs signed
 * with the local issuer's key, which the service verifies like those of any provider.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { DEMO_USER, toEmail, toSubject } from './demo-user.ts';
import Provider, { interactionPolicy, type JWK } from 'oidc-provider';

const INTERACTION = /^\/sign-in\/([\w-]+)$/;
const AN_HOUR_SECONDS = 3_600;
const A_MONTH_SECONDS = 30 * 24 * 3_600;

interface SignInOptions {
  readonly issuer: string;
  readonly keySetPath: string;
  /** The private key of its tokens. */
  readonly key: JWK;
  /** `azp` of its tokens: the web application's origin. */
  readonly authorizedParty: string;
}

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

/** Static, so that nothing of a request is reflected. */
const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Who are you?</title>
<style>body{font:16px/1.5 system-ui;max-width:26rem;margin:12vh auto;padding:0 1rem;color:#1a1b1e}
button,input{font:inherit;padding:.6rem .9rem;width:100%;box-sizing:border-box;margin:.3rem 0;border-radius:6px;border:1px solid #868e96}
button{background:#3b5bdb;color:#fff;border:0;cursor:pointer}@media(prefers-color-scheme:dark){body{background:#1a1b1e;color:#e9ecef}}</style>
<main><h1>Who are you?</h1><p>This page signs in anyone as anyone. It exists only on a developer's machine.</p>
<form method="post"><button name="email" value="${DEMO_USER.email}" autofocus>Continue as ${DEMO_USER.email}</button></form>
<form method="post"><label for="email">or as somebody else</label><input id="email" name="email" type="email" required maxlength="254"
placeholder="ada@example.com"><button>Continue</button></form></main></html>`;

const loopback = (path: string): string[] => [`http://127.0.0.1${path}`, `http://localhost${path}`];

function createProvider({ issuer, keySetPath, key, authorizedParty }: SignInOptions): Provider {
  const client = (client_id: string, path: string) => ({
    client_id,
    // RFC 8252, section 7.3: the port of a loopback address is ignored.
    application_type: 'native' as const,
    token_endpoint_auth_method: 'none' as const,
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    redirect_uris: loopback(path),
    post_logout_redirect_uris: loopback('/app/'),
  });
  const policy = interactionPolicy.base();
  // A local program needs no consent; loadExistingGrant grants it.
  policy.remove('consent');
  const provider = new Provider(issuer, {
    clients: [client('workflow-web', '/app/callback'), client('workflow-cli', '/callback')],
    jwks: { keys: [key] },
    cookies: { keys: [createHash('sha256').update(JSON.stringify(key)).digest('hex')] },
    routes: { jwks: keySetPath },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    scopes: ['openid', 'email', 'profile', 'offline_access'],
    clientBasedCORS: () => true,
    pkce: { required: () => true },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    ttl: { AccessToken: AN_HOUR_SECONDS, Session: A_MONTH_SECONDS, Grant: A_MONTH_SECONDS },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'urn:workflow-automation-service',
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'openid email profile offline_access',
          audience: 'workflow-automation-service',
          accessTokenFormat: 'jwt' as const,
          jwt: { sign: { alg: 'RS256' as const } },
        }),
      },
    },
    interactions: {
      policy,
      url: (_ctx, interaction) => `/sign-in/${interaction.uid}`,
    },
    findAccount: (_ctx, subject) => ({
      accountId: subject,
      claims: () => ({ sub: subject, email: toEmail(subject), email_verified: true }),
    }),
    extraTokenClaims: (_ctx, token) => {
      const subject = 'accountId' in token ? String(token.accountId) : '';
      return { email: toEmail(subject), email_verified: true, azp: authorizedParty };
    },
    async loadExistingGrant(ctx) {
      const { client: requester, session, params } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({
        clientId: requester?.clientId ?? '',
        accountId: session?.accountId ?? '',
      });
      const requested = params?.['scope'];
      const scope = typeof requested === 'string' ? requested : 'openid';
      grant.addOIDCScope(scope);
      grant.addResourceScope('urn:workflow-automation-service', scope);
      await grant.save();
      return grant;
    },
  });
  return provider;
}

async function answerInteraction(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(200, PAGE_HEADERS).end(PAGE);
    return;
  }
  const email = new URLSearchParams(await text(request)).get('email') ?? '';
  if (!/^[^@\s]{1,64}@[^@\s]{1,189}$/.test(email)) {
    response.writeHead(400, PAGE_HEADERS).end(PAGE);
    return;
  }
  const login = { login: { accountId: toSubject(email) } };
  await provider.interactionFinished(request, response, login, { mergeWithLastSubmission: false });
}

/**
 * Creates the listener of the issuer: discovery, key set, authorization, tokens and the sign-in page.
 * @param options `key`: a private JWK, RS256
 */
export function createSignIn(
  options: SignInOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const provider = createProvider(options);
  const answer = provider.callback();
  return (request, response) => {
    const path = new URL(request.url ?? '/', options.issuer).pathname;
    if (!INTERACTION.test(path)) {
      void answer(request, response);
      return;
    }
    answerInteraction(provider, request, response).catch(() => {
      if (!response.headersSent) response.writeHead(400, PAGE_HEADERS);
      response.end('This sign-in has expired. Go back and start again.');
    });
  };
}
