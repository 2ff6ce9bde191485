/** Exit codes, and errors that print as a message without a stack. */
import { WorkflowApiError } from '../client/client.ts';

export const EXIT = {
  completed: 0,
  failed: 1,
  usage: 2,
  interrupted: 3,
  cancelled: 4,
  stopped: 130,
} as const;

/** An error whose message explains it to the user. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** @returns the text of an error for stderr, with one line per problem */
export function formatError(error: unknown): string {
  if (error instanceof WorkflowApiError) {
    const status =
      error.status === 0 ? '' : ` (${error.status}${error.code === null ? '' : ` ${error.code}`})`;
    const problems = error.problems.map(({ loc, msg }) => `  ${loc.join('.')}: ${msg}`);
    const head = problems.length > 0 ? 'The request is invalid' : error.detail;
    const request = error.requestId === null ? [] : [`  request ${error.requestId}`];
    const hint = error.status === 401 ? ['  To log in, run: workflow login'] : [];
    return [`${head}${status}`, ...problems, ...hint, ...request].join('\n');
  }
  return error instanceof Error ? error.message : String(error);
}
