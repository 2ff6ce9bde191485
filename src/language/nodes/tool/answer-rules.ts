/** Rules of a tool over the answers of its service: which of them fail the node, and which may be sent again (SPEC DEF-2.13). */
import { z } from 'zod';
import type { RuleGroup } from '../../graph/definition/definition.ts';
import { isObject, type Json } from '../../graph/values/value.ts';
import { isRetryableStatus, retryAfterMs } from '../failure.ts';
import type { NodeCall } from '../kind.ts';
import { addIssues, addProblem, orNull, ruleGroup } from '../read-config.ts';
import type { ServiceRules } from '../integrations/service-rules.ts';
import type { HttpResponse } from '../tools.ts';
import { asText } from './http-body.ts';
import type { RESPONSE_KEYS } from './face.ts';
import { readAnswer } from './read-answer.ts';

/** A list of rules and groups, which `ruleGroup` reads. */
export const ruleList = z.custom<Json[]>(Array.isArray, 'must be a list of rules');

/** Not an interface: the declarations of the client's package write it out where a config has it. */
type FailWhen = {
  readonly when: RuleGroup;
  readonly code: string | null;
  readonly message: string | null;
};

const CODE = /^[a-z][a-z0-9_]{0,63}$/;
/** The code where the rules name none, or one that they cannot give. */
const DEFAULT_CODE = 'service_error';
/** Codes whose messages quote nothing of an answer (SPEC SEC-F20), and that of a bug. */
const RESERVED: ReadonlySet<string> = new Set(['http_error', 'run_too_deep', 'internal_error']);

const failWhen = z
  .object({
    match: z.enum(['all', 'any']).default('all').meta({ description: 'Whether all rules must hold, or any' }),
    rules: ruleList.meta({
      description: 'Rules over `{{response}}`, which has `status`, `headers` and `data`',
    }),
    code: orNull(
      z
        .string()
        .refine((code) => code.includes('{{') || CODE.test(code), 'must be lower-case letters, digits and _'),
    ).meta({ description: 'Code of the error, or a template of it; null: `service_error`' }),
    message: orNull(z.string().max(2_000)).meta({
      description: 'Message of the error; may be a template, such as `{{response.data.error}}`',
    }),
  })
  .transform(({ match, rules, code, message }, ctx): FailWhen => {
    const read = ruleGroup.safeParse({ match, rules });
    if (read.success) return { when: read.data, code, message };
    addIssues(ctx, read.error);
    return z.NEVER;
  });

/** A wait in seconds, or a template of it. */
const wait = z.union([z.number().min(0).max(3_600), z.string()]).superRefine((given, ctx) => {
  if (typeof given === 'string' && !given.includes('{{') && readWait(given) === null)
    addProblem(ctx, { code: 'invalid_config', message: 'must be seconds, or a template', path: [] });
});

/** The forms in which a node may have an answer, whatever its media type says. */
const ANSWER_FORMS = ['json', 'text', 'file'] as const;
export type AnswerForm = (typeof ANSWER_FORMS)[number];

/** The field of a config that names the form of an answer. */
export const answerForm = orNull(z.enum(ANSWER_FORMS)).meta({
  description:
    'How the body of a success is read: `file` keeps it as a file of the run, and `data` is its reference; null: by its media type',
});

/** The fields of a config with these rules. */
export const answerRules = {
  fail_when: orNull(failWhen).meta({
    description: 'Answers that fail the node, whatever their status; null: none',
  }),
  retry_when: orNull(ruleGroup).meta({
    description:
      'Answers after which the request may be sent again, because the service has done nothing; null: by status',
  }),
  retry_after: orNull(wait).meta({
    description:
      'Seconds before the next attempt, such as `{{response.data.retry_after}}`, in place of `Retry-After`; null: as the service asks',
  }),
} satisfies Readonly<Record<(typeof RESPONSE_KEYS)[number], z.ZodType>>;
export type AnswerRules = {
  readonly [Key in keyof typeof answerRules]: z.output<(typeof answerRules)[Key]>;
};

/** Reads a wait as `Retry-After` is read, in milliseconds; null for anything else. */
const readWait = (given: Json): number | null =>
  typeof given === 'number' || typeof given === 'string'
    ? retryAfterMs({ 'retry-after': String(given) })
    : null;

/** A failure that the rules declare. */
interface DeclaredFailure {
  readonly code: string;
  readonly message: string;
}

/** The meaning of an answer: a failure that the rules declare, and whether and when the request may be sent again. */
export interface Verdict {
  readonly failure: DeclaredFailure | null;
  /** The failure may pass. */
  readonly mayPass: boolean;
  /** The service has done nothing, so that even an effect may be repeated. */
  readonly isDeclined: boolean;
  readonly waitMs: number | null;
}

/**
 * Judges an answer by the rules of its config, then by those that the catalog has for its service. Missing paths in it are no
 * mistake: services answer in many shapes.
 * @throws WorkLimitExceeded, and NodeError for templates that cannot be rendered
 */
export function judgeAnswer(
  call: NodeCall<unknown>,
  response: HttpResponse,
  rules: AnswerRules,
  { failures = [], declines = [] }: ServiceRules = {},
): Verdict {
  const { fail_when: fail, retry_when: retry, retry_after: after } = rules;
  const { status, headers } = response;
  const hasRules = fail !== null || retry !== null || after !== null;
  const roots =
    hasRules || failures.length > 0 || declines.length > 0
      ? { response: { status, headers: { ...headers }, data: readAnswer(response).data } }
      : {};
  const render = (template: Json): Json => call.render(template, roots, true);
  const holds = (when: RuleGroup): boolean => call.evaluate(when, roots, true);
  // The rules of a person replace those of the catalog about the same answer.
  const known = retry === null ? declines.find(({ when }) => holds(when)) : undefined;
  const isOffered = known !== undefined || (retry !== null && holds(retry));
  const waitMs =
    (after === null ? null : readWait(render(after))) ??
    retryAfterMs(headers) ??
    (known?.after === undefined ? null : readWait(render(known.after)));
  const failed = [...(fail === null ? [] : [fail]), ...failures].find(({ when }) => holds(when));
  return {
    failure: failed === undefined ? null : describeFailure(failed, render),
    mayPass: isOffered || isRetryableStatus(status),
    // A 429 or 503 that names a wait guarantees no effect; any other failure may have had one.
    isDeclined: isOffered || ((status === 429 || status === 503) && waitMs !== null),
    waitMs,
  };
}

function describeFailure({ code, message }: FailWhen, render: (template: Json) => Json): DeclaredFailure {
  const rendered = code === null ? DEFAULT_CODE : asText(render(code)).toLowerCase();
  const words = message === null ? null : render(message);
  const said = words === null ? '' : isObject(words) ? JSON.stringify(words) : asText(words);
  return {
    code: CODE.test(rendered) && !RESERVED.has(rendered) ? rendered : DEFAULT_CODE,
    message: said.trim() === '' ? 'The service returned an error' : said,
  };
}
