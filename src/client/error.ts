/** The one error of the client: the four body shapes of refusals, and calls that got no answer. */

/** One finding of a 422: where it was found, and what is wrong. */
export interface Problem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

export interface ErrorFacts {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly code: string | null;
  readonly detail: string;
  readonly problems?: readonly Problem[];
  readonly requestId?: string | null;
  readonly retryAfterMs?: number | null;
  readonly body?: unknown;
}

/** A refusal of the service, or a call without an answer (`status` 0, `code` `network`, `timeout` or `stream`). */
export class WorkflowApiError extends Error {
  override readonly name = 'WorkflowApiError';
  readonly status: number;
  /** The stable word of a refusal; null where something between gave the answer. */
  readonly code: string | null;
  readonly detail: string;
  /** The findings of shape C; empty for others. */
  readonly problems: readonly Problem[];
  /** Stands in the log of the service, too. */
  readonly requestId: string | null;
  /** From `Retry-After`; null without one. */
  readonly retryAfterMs: number | null;
  /** The body as it came: `layer`, `key`, `current` and `limit` of shape D are in it. */
  readonly body: unknown;

  constructor(facts: ErrorFacts, cause?: unknown) {
    super(facts.detail, cause === undefined ? undefined : { cause });
    this.status = facts.status;
    this.code = facts.code;
    this.detail = facts.detail;
    this.problems = facts.problems ?? [];
    this.requestId = facts.requestId ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.body = facts.body ?? null;
  }
}

interface Fields {
  readonly [name: string]: unknown;
}
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const word = (value: unknown): string | null => (typeof value === 'string' ? value : null);

type Told = Pick<ErrorFacts, 'code' | 'detail' | 'problems'>;

const objectTold = (fields: Fields, otherwise: string): Told => {
  const reason = word(fields['reason']);
  const code = word(fields['code']) ?? reason;
  return { code, detail: word(fields['message']) ?? reason ?? code ?? otherwise };
};

/** What a body says, by its shape (SPEC API-errors); a proxy's page says no more than its status. */
function told(body: unknown, otherwise: string): Told {
  if (!isFields(body)) return { code: null, detail: otherwise };
  const { detail } = body;
  if (typeof detail === 'string') return { code: word(body['code']), detail };
  if (Array.isArray(detail)) {
    const problems = detail as readonly Problem[];
    const lines = problems.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
    return { code: null, detail: lines.join('; '), problems };
  }
  return objectTold(isFields(detail) ? detail : body, word(body['error']) ?? otherwise);
}

/** @returns milliseconds of `Retry-After`, in seconds or as a date; null without one */
export function retryAfterOf(headers: Headers, nowMs: number): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const seconds = Number(value);
  const waitMs = Number.isNaN(seconds) ? Date.parse(value) - nowMs : seconds * 1000;
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}

/** Reads the body of a refusal to its end. */
export async function errorOf(response: Response): Promise<WorkflowApiError> {
  const text = await response.text();
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // A proxy in between answers with a page.
  }
  const said = told(body, `${response.status} ${response.statusText}`.trim());
  return new WorkflowApiError({
    status: response.status,
    ...said,
    code: response.headers.get('x-error-code') ?? said.code,
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: retryAfterOf(response.headers, Date.now()),
    body,
  });
}
