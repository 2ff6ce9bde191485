/**
 * Tool, kind `http`: its config, the problems found when it is saved, and one request to an address that the tenant
 * chose (SPEC DEF-2.2, SEC-M, SEC-F).
 */
import { z } from 'zod';
import type { EffectClass } from '../../graph/schedule/plan.ts';
import type { JsonObject } from '../../graph/values/value.ts';
import { isOneTemplate } from '../../graph/template/template-scanner.ts';
import { findBodyProblem } from './body-format.ts';
import { defineSender, toPattern, type PatternOf } from '../effect.ts';
import { prepareHttp } from './http-request.ts';
import { discriminator, addProblem, anyJson, orNull } from '../read-config.ts';
import { answerForm, answerRules } from './answer-rules.ts';
import { readAnswer } from './read-answer.ts';
import { sendRequest } from './send-request.ts';

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** Headers that the service sets: those of the connection, and its own. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  // The service's own header (access/run-depth.ts).
  'x-run-depth',
]);
/** Literal scheme and authority: a template may not choose the host of a partly literal URL. */
const LITERAL_ORIGIN = /^[A-Za-z][A-Za-z0-9+.-]*:\/*[^/?#{}\\]+($|[/?#])/;

const url = z
  .string()
  .min(1)
  .max(8_192)
  .superRefine((text, ctx) => {
    if (isOneTemplate(text)) return;
    if (!LITERAL_ORIGIN.test(text.trim())) {
      addProblem(ctx, {
        code: 'invalid_url',
        message: 'must be one template, or begin with a literal scheme and host',
        path: [],
      });
    } else if (/^[^/?#]*:\/*[^/?#]*@/.test(text.trim())) {
      addProblem(ctx, {
        code: 'credentials_in_url',
        message: 'must not contain a username or password',
        path: [],
      });
    }
  });

const headers = z
  .record(z.string(), anyJson)
  .nullish()
  .superRefine((given, ctx) => {
    for (const name of Object.keys(given ?? {})) {
      if (!HEADER_NAME.test(name))
        addProblem(ctx, { code: 'invalid_header', message: 'is not a header name', path: [name] });
      else if (RESERVED_HEADERS.has(name.toLowerCase())) {
        addProblem(ctx, { code: 'reserved_header', message: 'is set by the service', path: [name] });
      }
    }
  });

/** The literal content type; '' when there is none, or it is a template. */
function literalContentType(given: JsonObject | null | undefined): string {
  const [, type] = Object.entries(given ?? {}).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  return typeof type === 'string' && !type.includes('{{') ? type : '';
}

export const httpTool = z
  .object({
    kind: discriminator('http'),
    method: z
      .string()
      .meta({ enum: [...METHODS], description: '`GET` by default' })
      .transform((method) => method.toUpperCase())
      .pipe(z.enum(METHODS))
      .default('GET'),
    url: url.meta({
      description: 'URL with templates in its path and query; each value is encoded as one component',
    }),
    headers: headers.meta({ description: 'Request headers by name; values may be templates' }),
    query: z
      .record(z.string(), anyJson)
      .nullish()
      .meta({ description: 'Query parameters by name; values may be templates' }),
    body: orNull(anyJson).meta({
      description:
        'Request body, encoded by the `content-type` header: JSON, JSON lines, form, multipart, XML or text. Without the header an object is sent as JSON; null: none',
    }),
    credential_id: orNull(z.uuid()).meta({
      description: 'Id of the credential to send with the request; null: none',
    }),
    fail_on_status: z
      .tuple([z.int(), z.int()])
      .nullish()
      .transform((range): readonly [number, number] => range ?? [400, 599])
      .meta({ description: 'Range of statuses that count as failures; null: 400 to 599' }),
    effect: z.enum(['at_least_once', 'at_most_once']).nullish().meta({
      description:
        'For POST and PATCH: whether the request may be repeated when its outcome is unknown; null: no',
    }),
    idempotent: z.boolean().nullish().meta({
      description: 'The server deduplicates requests by `Idempotency-Key`, so the request may be repeated',
    }),
    as: answerForm,
    ...answerRules,
  })
  .superRefine((given, ctx) => {
    if ((given.method === 'GET' || given.method === 'HEAD') && given.body !== null) {
      addProblem(ctx, {
        code: 'body_not_allowed',
        message: `a ${given.method} request has no body`,
        path: ['body'],
      });
    }
    const problem = findBodyProblem(given.body, literalContentType(given.headers));
    if (problem !== null) addProblem(ctx, { code: 'invalid_body', message: problem, path: ['body'] });
  });
export type HttpTool = z.output<typeof httpTool>;

/** The effect class of a request (SPEC REL-effect-classes). */
function classifyHttpEffect(given: HttpTool): EffectClass {
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

/** The host of an address whose scheme and host are literal. */
function readHost(address: string): string {
  const [origin = ''] = /^[^/?#]*:\/*[^/?#]*/.exec(address) ?? [];
  return URL.canParse(origin) ? new URL(origin).host : origin;
}

function describeHttp(given: HttpTool): PatternOf<'http'> {
  const { method, credential_id } = given;
  const address = given.url.trim();
  const host = isOneTemplate(address) ? toPattern(address) : readHost(address);
  return { door: 'http', target: { method, host }, effect: classifyHttpEffect(given), credential_id };
}

/**
 * Sends the request.
 * @throws NodeError `http_error` with the status, `outcome_unknown`, and the errors of rendering and of the HTTP port
 */
export const httpSender = defineSender<HttpTool, 'http'>({
  describe: describeHttp,
  prepare: (call) => prepareHttp(call, describeHttp(call.config)),
  async perform(call, effect) {
    const { fail_on_status: failOn } = call.config;
    const response = await sendRequest(call, effect, { failOn, rules: call.config });
    const { data, warnings } = readAnswer(response);
    const { cookies = [] } = response;
    const headers = { ...response.headers, ...(cookies.length === 0 ? {} : { 'set-cookie': [...cookies] }) };
    return {
      outcome: 'completed',
      output: { data, status: response.status, headers },
      warnings,
    };
  },
});
