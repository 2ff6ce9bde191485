/** Sending a request whose effect has a class: what may be tried again, and what is known when it fails. */
import type { EffectClass } from '../../graph/plan.ts';
import { readForeignJson } from '../../graph/storable.ts';
import type { Json } from '../../graph/value.ts';
import type { NodeCall } from '../kind.ts';
import { NodeError } from '../kind.ts';
import { NothingSentError, retryAfterMs, retryableStatus } from '../failure.ts';
import type { HttpRequest, HttpResponse } from '../tools.ts';

/** The body of an answer: parsed when it is JSON of at most 64 levels, else its text; null when there is none. */
export function dataOf(response: HttpResponse): Json {
  if (response.text === '') return null;
  const type = (response.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json' && type !== 'text/json' && !type.endsWith('+json')) return response.text;
  try {
    return readForeignJson(response.text);
  } catch {
    return response.text;
  }
}

/** Calls that nothing came back from: what the other side did with them is not known. */
const UNANSWERED: ReadonlySet<string> = new Set([
  'network_error',
  'timeout',
  'response_too_large',
  'redirect_refused',
]);

/** The failure of a call that must not be repeated: without an answer its outcome is unknown. */
export function unanswered(error: unknown): unknown {
  if (!(error instanceof NodeError) || !UNANSWERED.has(error.code)) return error;
  const message = 'The request was sent, but its outcome is not known: it is not sent again';
  return new NodeError('outcome_unknown', message, { cause: error });
}

function refuseStatus(response: HttpResponse, more: { mayRepeat: boolean }): NodeError {
  const wait = retryAfterMs(response.headers);
  // An answer that says "later" did nothing; any other failure of an effect that may not be repeated might have.
  const declined = (response.status === 429 || response.status === 503) && wait !== null;
  return new NodeError('http_error', `The server answered ${response.status}`, {
    status: response.status,
    retryable: retryableStatus(response.status) && (more.mayRepeat || declined),
    ...(wait === null ? {} : { retryAfterMs: wait }),
  });
}

/**
 * Sends a request as its effect class allows.
 * @param failOn statuses, from and to, that count as failures
 * @throws NodeError `http_error` with the status, `outcome_unknown`, and what the HTTP port throws
 */
export async function sendRequest(
  call: NodeCall<unknown>,
  request: HttpRequest,
  more: { readonly effect: EffectClass; readonly failOn: readonly [number, number] },
): Promise<HttpResponse> {
  const once = more.effect === 'at_most_once';
  if (once) await call.emit.sending();
  const { organizationId } = call.identity;
  const connection = more.effect === 'pure' ? { connectionsOf: organizationId } : {};
  let response: HttpResponse;
  try {
    response = await call.tools.http.send({ ...request, ...connection, mayRepeat: !once });
  } catch (error) {
    if (!once) throw error;
    if (!(error instanceof NothingSentError)) throw unanswered(error);
    await call.emit.notSent();
    throw error;
  }
  const [from, to] = more.failOn;
  if (response.status < from || response.status > to) return response;
  const failure = refuseStatus(response, { mayRepeat: !once });
  if (once && failure.retryable) await call.emit.notSent();
  throw failure;
}
