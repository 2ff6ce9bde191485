/** The HTTP port with accounts: puts a credential's headers into a request, for its allowed hosts alone. */
import { NothingSentError } from '../nodes/failure.ts';
import type { HttpPort } from '../nodes/tools.ts';
import type { Accounts } from './node-credentials.ts';

/**
 * The port over a guarded one. Which of the headers follow a redirect is the guarded port's decision: none to another
 * origin.
 */
export function accountHttp(http: HttpPort, accounts: Accounts): HttpPort {
  return {
    async send({ credential, ...request }) {
      if (credential === undefined) return http.send(request);
      const account = await accounts.open(credential);
      if (!URL.canParse(request.url)) throw new NothingSentError('invalid_url', 'The URL is not valid');
      account.requireHost(request.url);
      const headers = { ...request.headers, ...account.headers };
      const response = await http.send({ ...request, headers });
      const { bytes } = response;
      return bytes === undefined ? response : { ...response, bytes: account.strikeFrom(bytes) };
    },
  };
}
