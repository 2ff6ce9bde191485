/** How the command ends: exit codes, and errors that are shown as a line instead of a stack. */
import { WorkflowApiError } from '../client/client.ts';

export const EXIT = {
  completed: 0,
  failed: 1,
  usage: 2,
  interrupted: 3,
  cancelled: 4,
  stopped: 130,
} as const;

/** A failure that its message explains. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** @returns what stderr says of an error: findings each on a line of their own */
export function explain(error: unknown): string {
  if (error instanceof WorkflowApiError) {
    const status =
      error.status === 0 ? '' : ` (${error.status}${error.code === null ? '' : ` ${error.code}`})`;
    const problems = error.problems.map(({ loc, msg }) => `  ${loc.join('.')}: ${msg}`);
    const head = problems.length > 0 ? 'The service refuses the request' : error.detail;
    const request = error.requestId === null ? [] : [`  request ${error.requestId}`];
    const hint = error.status === 401 ? ['  log in with: workflow login'] : [];
    return [`${head}${status}`, ...problems, ...hint, ...request].join('\n');
  }
  return error instanceof Error ? error.message : String(error);
}
