/** The HTTP port with credentials: adds a credential's secrets to requests, to its allowed hosts only. */
import { systemClock } from '../../base/clock.ts';
import { NothingSentError } from '../../language/nodes/failure.ts';
import type { HttpPort, HttpResponse } from '../../language/nodes/tools.ts';
import type { Account, Accounts } from './node-credentials.ts';
import { placeSecrets } from './place-secrets.ts';
import { signAws } from './sign-aws.ts';

/**
 * Whether a 401 rejects the token before any effect (RFC 9110, 15.5.2; RFC 6750, 3.1). A service that forwards the 401 of
 * another may have acted before.
 */
function isChallenge({ headers }: HttpResponse): boolean {
  const challenge = headers['www-authenticate'] ?? '';
  const error = /\berror\s*=\s*"?([\w-]+)/i.exec(challenge)?.[1];
  return /\bbearer\b/i.test(challenge) && (error === undefined || error === 'invalid_token');
}

/**
 * Creates the port over a guarded one, which drops the headers on a redirect to another origin. A token that is rejected
 * before it expires is renewed once, and the request is repeated if that repeats no effect.
 */
export function accountHttp(http: HttpPort, accounts: Accounts): HttpPort {
  return {
    async send({ credential, mayRepeat = false, ...request }) {
      if (credential === undefined) return http.send(request);
      const sendAs = async (as: Account): Promise<HttpResponse> => {
        const { admitHop } = request;
        const placed = placeSecrets(request, as);
        const [shownHost, sentHost] = [new URL(request.url).host, new URL(placed.url).host];
        const { signing } = as;
        const headers =
          signing === null
            ? placed.headers
            : await signAws({ ...request, ...placed }, signing, systemClock.now());
        const response = await http.send({
          ...request,
          ...placed,
          headers,
          // A redirect within a host that has a secret in its name is admitted under the name that is shown.
          ...(admitHop !== undefined && {
            admitHop: (hop) => admitHop({ ...hop, host: hop.host === sentHost ? shownHost : hop.host }),
          }),
        });
        const { bytes } = response;
        return bytes === undefined ? response : { ...response, bytes: as.redactBytes(bytes) };
      };
      const account = await accounts.open(credential);
      if (!URL.canParse(request.url)) throw new NothingSentError('invalid_url', 'The URL is not valid');
      account.requireHost(request.url);
      const response = await sendAs(account);
      if (response.status !== 401) return response;
      // Renewed even if the request is not repeated, so that the next one has the new token.
      const renewed = await accounts.renew(credential, account);
      return renewed !== null && (mayRepeat || isChallenge(response)) ? sendAs(renewed) : response;
    },
  };
}
