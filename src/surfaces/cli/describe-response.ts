/** Says in one line what the service said that made a node fail. */
import { shortenText } from '../../language/graph/values/cut-text.ts';
import type { Failure } from '../client/openapi.ts';

/** Characters of a body; `--json` has the whole. */
const MAX_SHOWN = 500;

/** Describes the response in an error, such as `HTTP 422 {"error":"unknown channel"}`; null when no service has answered. */
export function describeResponse(error: Failure | null): string | null {
  if (error?.response === undefined) return null;
  const { status, data } = error.response;
  const body = typeof data === 'string' ? data : data === null ? '' : JSON.stringify(data);
  const line = shortenText(body.replaceAll(/\s+/g, ' ').trim(), MAX_SHOWN);
  return `HTTP ${status} ${line}`.trimEnd();
}
