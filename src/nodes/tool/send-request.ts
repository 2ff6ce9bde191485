/** Sending a request whose effect has a class: what may be tried again, and what is known when it fails. */
import type { EffectClass } from '../../graph/plan.ts';
import { readExactJson } from '../../graph/storable.ts';
import { isObject, type Json } from '../../graph/value.ts';
import type { NodeCall, NodeWarning } from '../kind.ts';
import { NodeError } from '../kind.ts';
import { warnOfNumbers } from '../number-warning.ts';
import { NothingSentError, retryAfterMs, retryableStatus } from '../failure.ts';
import type { HttpRequest, HttpResponse } from '../tools.ts';

/** The data of an answer, and warnings about how it was read. */
interface Answer {
  readonly data: Json;
  readonly warnings: readonly NodeWarning[];
}

function mediaTypeOf({ headers }: HttpResponse): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

const isJson = (type: string): boolean =>
  type === 'application/json' || type === 'text/json' || type.endsWith('+json');

function readJson(text: string): Answer {
  try {
    const { value, texts } = readExactJson(text);
    return { data: value, warnings: warnOfNumbers('data', texts) };
  } catch {
    // The request has had its effect: whoever needs JSON fails where it is read.
    const message = 'The answer is called JSON and is none, or nests deeper than 64 levels: data is its text';
    return { data: text, warnings: [{ code: 'invalid_json', message }] };
  }
}

/**
 * The body of an answer: JSON when it is called so, else its text; bytes that are no text as
 * `{base64, media_type, size}`; null when there is none.
 */
export function readAnswer(response: HttpResponse): Answer {
  const { bytes, text, isDamaged } = response;
  const type = mediaTypeOf(response);
  if (bytes !== undefined) {
    const base64 = Buffer.from(bytes).toString('base64');
    const media = type === '' ? 'application/octet-stream' : type;
    return { data: { base64, media_type: media, size: bytes.length }, warnings: [] };
  }
  if (text === '') return { data: null, warnings: [] };
  const answer = isJson(type) ? readJson(text) : { data: text, warnings: [] };
  if (isDamaged !== true) return answer;
  const message = 'The answer has bytes that its charset does not have: U+FFFD stands for them';
  return { ...answer, warnings: [...answer.warnings, { code: 'damaged_text', message }] };
}

/** Calls that nothing came back from: what the other side did with them is not known. */
const UNANSWERED: ReadonlySet<string> = new Set([
  'network_error',
  'timeout',
  'response_too_large',
  'response_not_decodable',
  'redirect_refused',
]);

/** The failure of a call that must not be repeated: without an answer its outcome is unknown. */
export function unanswered(error: unknown): unknown {
  if (!(error instanceof NodeError) || !UNANSWERED.has(error.code)) return error;
  const message = 'The request was sent, but its outcome is not known: it is not sent again';
  return new NodeError('outcome_unknown', `${message} (${error.message})`, { cause: error });
}

/** The service's own word for a start that it refused because of its depth (runs/accept/limits.ts). */
const TOO_DEEP = 'run_too_deep';

/** The service's own refusal of a run that would be too deep, by its type alone: nothing of a body is told (SPEC SEC-F20). */
function findTooDeep(response: HttpResponse): NodeError | null {
  if (response.status !== 422 || !response.text.includes(TOO_DEEP)) return null;
  const { data } = readAnswer(response);
  const [issue] = isObject(data) && Array.isArray(data['detail']) ? data['detail'] : [];
  if (!isObject(issue) || issue['type'] !== TOO_DEEP) return null;
  const message = 'The service did not start the run: too many runs that start each other stand above it';
  return new NodeError(TOO_DEEP, message, { status: response.status });
}

function refuseStatus(response: HttpResponse, more: { mayRepeat: boolean }): NodeError {
  const tooDeep = findTooDeep(response);
  if (tooDeep !== null) return tooDeep;
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
 * @throws NodeError `http_error` with the status, `run_too_deep` from this service itself, `outcome_unknown`, and what the HTTP
 *   port throws
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
