/** Sends requests according to their effect class, and decides which failures may be retried. */
import { isObject } from '../../graph/values/value.ts';
import type { PreparedEffect } from '../effect.ts';
import { toErrorResponse } from '../error-response.ts';
import type { NodeCall } from '../kind.ts';
import { NodeError } from '../kind.ts';
import { NothingSentError, toOutcomeUnknown } from '../failure.ts';
import type { ServiceRules } from '../integrations/service-rules.ts';
import type { HttpResponse } from '../tools.ts';
import { judgeAnswer, type AnswerForm, type AnswerRules, type Verdict } from './answer-rules.ts';
import { isComposed, openComposed } from './composed-body.ts';
import { openKeeper } from './kept-answer.ts';
import { isJsonAnswer, readAnswer } from './read-answer.ts';

/** The issue type of a start that this service refuses because of its depth. */
const TOO_DEEP = 'run_too_deep';

/** Recognizes this service's own refusal of a too deep run, by its type; no message quotes a body (SPEC SEC-F20). */
function findTooDeep(response: HttpResponse): NodeError | null {
  if (response.status !== 422 || !response.text.includes(TOO_DEEP)) return null;
  const { data } = readAnswer(response);
  const [issue] = isObject(data) && Array.isArray(data['detail']) ? data['detail'] : [];
  if (!isObject(issue) || issue['type'] !== TOO_DEEP) return null;
  const message = 'The run was not started: too many runs start one another';
  return new NodeError(TOO_DEEP, message, { status: response.status, response: toErrorResponse(response) });
}

/** Builds the failure of an answer: the one that the rules of the tool declare, else that of its status. */
function toAnswerError(
  response: HttpResponse,
  { failure, mayPass, isDeclined, waitMs }: Verdict,
  more: { readonly mayRepeat: boolean },
): NodeError {
  const tooDeep = findTooDeep(response);
  if (tooDeep !== null) return tooDeep;
  const { status } = response;
  const code = failure?.code ?? 'http_error';
  return new NodeError(code, failure?.message ?? `The server responded with HTTP ${status}`, {
    status,
    retryable: mayPass && (more.mayRepeat || isDeclined),
    retryAfterMs: waitMs,
    response: toErrorResponse(response),
  });
}

/**
 * Sends a prepared request according to its effect class.
 * @param more `failOn`: first and last status that count as failures
 * @throws NothingSentError `files_not_configured`, `file_storage_full`; NodeError the declared one, `http_error` with the status, `run_too_deep` of this service, `outcome_unknown`, and the errors of the HTTP
 *   port
 */
export async function sendRequest(
  call: NodeCall<unknown>,
  { request, effect, credential_id: credentialId }: PreparedEffect<'http'>,
  more: {
    readonly failOn: readonly [number, number];
    readonly rules: AnswerRules & { readonly as: AnswerForm | null };
    /** Rules of the catalog for the service. */
    readonly service?: ServiceRules;
  },
): Promise<HttpResponse> {
  const [from, to] = more.failOn;
  const isRefused = (status: number): boolean => status >= from && status <= to;
  const form = more.rules.as;
  // A service that reports failures with status 200 does it in JSON.
  const isRead = (answer: Pick<HttpResponse, 'status' | 'headers'>): boolean =>
    isRefused(answer.status) || (more.service?.failures !== undefined && isJsonAnswer(answer));
  const keeping = form === 'file' ? { keep: await openKeeper(call, isRead) } : {};
  const body = isComposed(request.body) ? await openComposed(call, request.body) : request.body;
  const once = effect === 'at_most_once';
  if (once) await call.emit.sending();
  const { signal } = call;
  const { organizationId } = call.identity;
  const account = credentialId === null ? {} : { credential: { organizationId, credentialId } };
  const connection = effect === 'pure' ? { connectionsOf: organizationId } : {};
  let response: HttpResponse;
  try {
    response = await call.tools.http.send({
      ...request,
      body,
      ...account,
      ...connection,
      ...keeping,
      signal,
      mayRepeat: !once,
      admitHop: (target) => call.admit({ door: 'http', target, effect, credential_id: credentialId }),
    });
  } catch (error) {
    if (!once) throw error;
    if (!(error instanceof NothingSentError)) throw toOutcomeUnknown(error);
    await call.emit.notSent();
    throw error;
  }
  const isFailing = isRefused(response.status);
  // The body of a failure is read by its media type.
  if (!isFailing && (form === 'json' || form === 'text')) response = { ...response, readAs: form };
  const verdict = judgeAnswer(call, response, more.rules, more.service);
  if (!isFailing && verdict.failure === null) return response;
  const failure = toAnswerError(response, verdict, { mayRepeat: !once });
  // It says that it has done nothing.
  if (failure.retryable && verdict.isDeclined) await call.emit.notSent();
  throw failure;
}
