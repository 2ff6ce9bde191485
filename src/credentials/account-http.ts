/** The HTTP port with accounts: puts a credential's headers into a request, for its allowed hosts alone. */
import { NothingSentError } from '../nodes/failure.ts';
import type { HttpPort, HttpResponse } from '../nodes/tools.ts';
import type { Account, Accounts } from './node-credentials.ts';

/**
 * Whether a 401 was given in place of the effect: it says that a token is what it wants (RFC 9110, 15.5.2; RFC 6750, 3.1).
 * A service that only passes on the 401 of another may have done something before.
 */
function isChallenge({ headers }: HttpResponse): boolean {
  const challenge = headers['www-authenticate'] ?? '';
  const error = /\berror\s*=\s*"?([\w-]+)/i.exec(challenge)?.[1];
  return /\bbearer\b/i.test(challenge) && (error === undefined || error === 'invalid_token');
}

/**
 * The port over a guarded one. Which of the headers follow a redirect is the guarded port's decision: none to another
 * origin. A token that is refused before its end is renewed once, and the request sent again where that repeats nothing.
 */
export function accountHttp(http: HttpPort, accounts: Accounts): HttpPort {
  return {
    async send({ credential, mayRepeat = false, ...request }) {
      if (credential === undefined) return http.send(request);
      const sendAs = async (as: Account): Promise<HttpResponse> => {
        const response = await http.send({ ...request, headers: { ...request.headers, ...as.headers } });
        const { bytes } = response;
        return bytes === undefined ? response : { ...response, bytes: as.strikeFrom(bytes) };
      };
      const account = await accounts.open(credential);
      if (!URL.canParse(request.url)) throw new NothingSentError('invalid_url', 'The URL is not valid');
      account.requireHost(request.url);
      const response = await sendAs(account);
      if (response.status !== 401) return response;
      // Also where it is not sent again: the next request has the new token.
      const renewed = await accounts.renew(credential, account);
      return renewed !== null && (mayRepeat || isChallenge(response)) ? sendAs(renewed) : response;
    },
  };
}
