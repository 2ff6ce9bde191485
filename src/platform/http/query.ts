/** Reads query strings strictly: each key once, no brackets, no characters that the database refuses. Values stay strings. */
import type { Context } from 'koa';
import { invalid, type Issue } from '../../base/errors.ts';
import { findTextProblem } from './json-reader.ts';

/**
 * Reads the query parameters of a request.
 * @throws ApiError 422 shape C for repeated or bracketed keys (SPEC SEC-P18), and for characters that cannot be stored
 */
export function readQuery(ctx: Context): Record<string, string> {
  const seen = new Map<string, string>();
  const refuse = (key: string, type: string, msg: string): never => {
    const issue: Issue = { loc: ['query', key], msg, type };
    throw invalid([issue]);
  };
  for (const [key, value] of new URLSearchParams(ctx.querystring)) {
    if (/[[\]]/.test(key)) refuse(key, 'query_key', 'Must not have brackets in its name');
    if (seen.has(key)) refuse(key, 'query_repeated', 'Must not be repeated');
    const problem = findTextProblem(key) ?? findTextProblem(value);
    if (problem !== null) refuse(key, problem.type, problem.msg);
    seen.set(key, value);
  }
  return Object.fromEntries(seen);
}
