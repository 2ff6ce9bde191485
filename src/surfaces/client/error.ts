/** The client's only error class: error responses in their four shapes, and calls without a response. */

/** One problem of a 422: its location in the request and its message. */
export interface Problem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

interface ErrorFields {
  /** HTTP status; 0 when there was no response. */
  readonly status: number;
  readonly code: string | null;
  readonly detail: string;
  readonly problems?: readonly Problem[];
  readonly requestId?: string | null;
  readonly retryAfterMs?: number | null;
  readonly body?: unknown;
}

/** An error response, or a call without a response (`status` 0, `code` `network` or `timeout`). */
export class WorkflowApiError extends Error {
  override readonly name = 'WorkflowApiError';
  readonly status: number;
  /** Stable code of the error; null when a proxy responded. */
  readonly code: string | null;
  readonly detail: string;
  /** Problems of shape C; empty for other shapes. */
  readonly problems: readonly Problem[];
  /** Also in the service's log. */
  readonly requestId: string | null;
  /** From `Retry-After`; null without it. */
  readonly retryAfterMs: number | null;
  /** The unchanged body; shape D has `layer`, `key`, `current` and `limit`. */
  readonly body: unknown;

  constructor(fields: ErrorFields, cause?: unknown) {
    super(fields.detail, cause === undefined ? undefined : { cause });
    this.status = fields.status;
    this.code = fields.code;
    this.detail = fields.detail;
    this.problems = fields.problems ?? [];
    this.requestId = fields.requestId ?? null;
    this.retryAfterMs = fields.retryAfterMs ?? null;
    this.body = fields.body ?? null;
  }
}

interface Fields {
  readonly [name: string]: unknown;
}
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const readString = (value: unknown): string | null => (typeof value === 'string' ? value : null);

type ParsedBody = Pick<ErrorFields, 'code' | 'detail' | 'problems'>;

const parseObject = (fields: Fields, otherwise: string): ParsedBody => {
  const reason = readString(fields['reason']);
  const code = readString(fields['code']) ?? reason;
  return { code, detail: readString(fields['message']) ?? reason ?? code ?? otherwise };
};

/** Parses a body by its shape (SPEC API-errors). @param otherwise the detail when the body is a proxy's page */
function parseBody(body: unknown, otherwise: string): ParsedBody {
  if (!isFields(body)) return { code: null, detail: otherwise };
  const { detail } = body;
  if (typeof detail === 'string') return { code: readString(body['code']), detail };
  if (Array.isArray(detail)) {
    const problems = detail as readonly Problem[];
    const lines = problems.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
    return { code: null, detail: lines.join('; '), problems };
  }
  return parseObject(isFields(detail) ? detail : body, readString(body['error']) ?? otherwise);
}

/** @returns milliseconds, from a `Retry-After` in seconds or as a date; null without it */
function parseRetryAfter(headers: Headers): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const seconds = Number(value);
  const waitMs = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}

/** Reads an error response to its end. */
export async function readError(response: Response): Promise<WorkflowApiError> {
  const text = await response.text();
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // A proxy responds with a page.
  }
  const parsed = parseBody(body, `${response.status} ${response.statusText}`.trim());
  return new WorkflowApiError({
    status: response.status,
    ...parsed,
    code: response.headers.get('x-error-code') ?? parsed.code,
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: parseRetryAfter(response.headers),
    body,
  });
}
