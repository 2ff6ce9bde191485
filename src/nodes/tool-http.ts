/** Tool, kind `http`: one request to an address that the tenant chose (SPEC DEF-2.2, SEC-M, SEC-F). */
import type { EffectClass } from '../graph/plan.ts';
import type { HttpTool } from './http-config.ts';
import { renderHttpRequest } from './http-request.ts';
import type { NodeCall, NodeResult } from './kind.ts';
import { dataOf, sendRequest } from './send-request.ts';

/** What a repetition of the request may do (SPEC REL-effect-classes). */
export function effectOf(given: HttpTool): EffectClass {
  switch (given.method) {
    case 'GET':
    case 'HEAD':
    case 'OPTIONS':
      return 'pure';
    case 'PUT':
    case 'DELETE':
      return 'idempotent';
    case 'POST':
    case 'PATCH':
      if (given.idempotent === true) return 'idempotent';
      return given.effect ?? 'at_most_once';
  }
}

/**
 * Sends the request.
 * @throws NodeError `http_error` with the status, `outcome_unknown`, and what rendering and the HTTP port throw
 */
export async function callHttp(call: NodeCall<HttpTool>): Promise<NodeResult> {
  const { credential_id: credentialId, fail_on_status: failOn } = call.config;
  const { organizationId } = call.identity;
  const effect = effectOf(call.config);
  const { request, shown } = renderHttpRequest(call, effect === 'idempotent');
  const account = credentialId === null ? {} : { credential: { organizationId, credentialId } };
  const response = await sendRequest(call, { ...request, ...account }, { effect, failOn });
  const { 'set-cookie': _cookie, ...headers } = response.headers;
  return {
    outcome: 'completed',
    output: { data: dataOf(response), status: response.status, headers },
    input: shown,
  };
}
