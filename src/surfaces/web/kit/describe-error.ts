/** Errors in words for people. */
import { WorkflowApiError } from '../../client/error.ts';
import { words } from '../words.ts';
import { describeProblems } from './field-problem.ts';

const REFUSALS: ReadonlyMap<string, string> = new Map(Object.entries(words.refusals));

/** An error in words for people. A refusal says itself what is wrong; any other error is a fault that people cannot mend. */
export function describeError(error: Error): string {
  if (!(error instanceof WorkflowApiError)) return `${words.failed} ${error.message}`;
  // Without a response the message is for programs: a method, a path and a host.
  if (error.status === 0) return words.waits.service;
  const text = REFUSALS.get(error.code ?? '') ?? describeProblems(error) ?? error.message;
  return error.status >= 400 && error.status < 500 ? text : `${words.failed} ${text}`;
}
