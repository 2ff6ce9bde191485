/** Errors as OpenAI's API writes them: `{"error": {"message", "type", "param", "code"}}`. */
import { z } from 'zod';
import type { ErrorDialect, ErrorFacts } from '../../platform/http/error-dialect.ts';
import { readableMessage } from '../../platform/http/fields.ts';

export const openAiError = z
  .looseObject({
    error: z
      .looseObject({
        message: readableMessage,
        type: z.string().meta({ description: 'Discriminator of the alternatives' }),
        param: z
          .string()
          .nullable()
          .meta({ description: 'The field of the request that is wrong; null when no single one is' }),
        code: z.string().nullable().meta({ description: 'Stable code for programs' }),
      })
      .meta({ id: 'OpenAiErrorFields' })
      .meta({ description: 'Reason of the failure; null without one' }),
  })
  .meta({ id: 'OpenAiError' });

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  429: 'rate_limit_error',
};

/** Errors of a run: a retry of the request would start another run. */
const RUN_CODES: readonly string[] = ['input_required', 'run_cancelled', 'run_failed', 'run_not_ended'];

function toType({ status, code }: ErrorFacts): string {
  if (code === 'quota_exceeded') return 'insufficient_quota';
  if (RUN_CODES.includes(code)) return 'run_error';
  return TYPES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
}

/** The issue types that OpenAI has as codes of its own. */
const OPENAI_CODES: readonly (string | null)[] = ['unsupported_parameter'];

/** The official clients repeat a 409, a 429 and every 5xx; a repetition would not add credits, or would start another run. */
const NO_RETRY = { 'x-should-retry': 'false' };

export const openAiErrors: ErrorDialect = {
  schema: openAiError,
  example: {
    error: {
      message: 'Invalid API key',
      type: 'authentication_error',
      param: null,
      code: 'api_key_invalid',
    },
  },
  // Used-up credits are 429 there, and a body that does not validate is 400.
  toStatus: (status, code) =>
    status === 402 ? 429 : status === 422 && !RUN_CODES.includes(code) ? 400 : status,
  write: (error) => ({
    body: {
      error: {
        message: error.message,
        type: toType(error),
        param: error.field,
        code: OPENAI_CODES.includes(error.issue) ? error.issue : error.code,
      },
    },
    headers: error.status === 402 || RUN_CODES.includes(error.code) ? NO_RETRY : {},
  }),
};
