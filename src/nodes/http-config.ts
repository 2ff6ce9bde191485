/** The config of an HTTP tool: what it may say, and what is refused when it is saved (SPEC DEF-2.2, SEC-F). */
import { z } from 'zod';
import { parseTemplate } from '../graph/template.ts';
import { addProblem, anyJson, orNull } from './read-config.ts';

/** True if the text is nothing but one template, so that its value keeps its type. Malformed templates are not. */
export function isOneTemplate(text: string): boolean {
  try {
    return parseTemplate(text).single !== null;
  } catch {
    return false;
  }
}

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** Headers that belong to the connection: the client sets them. */
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
]);
/** Scheme and authority, written out: a template may not choose where a partly literal URL leads. */
const LITERAL_ORIGIN = /^[A-Za-z][A-Za-z0-9+.-]*:\/*[^/?#{}\\]+($|[/?#])/;

const url = z
  .string()
  .min(1)
  .max(8_192)
  .superRefine((text, ctx) => {
    if (isOneTemplate(text)) return;
    if (!LITERAL_ORIGIN.test(text.trim())) {
      addProblem(ctx, 'invalid_url', 'must be one template, or begin with a literal scheme and host', []);
    } else if (/^[^/?#]*:\/*[^/?#]*@/.test(text.trim())) {
      addProblem(ctx, 'credentials_in_url', 'must not contain a user or a password', []);
    }
  });

const headers = z
  .record(z.string(), anyJson)
  .nullish()
  .superRefine((given, ctx) => {
    for (const name of Object.keys(given ?? {})) {
      if (!HEADER_NAME.test(name)) addProblem(ctx, 'invalid_header', 'is not a header name', [name]);
      else if (RESERVED_HEADERS.has(name.toLowerCase())) {
        addProblem(ctx, 'reserved_header', 'is set by the service', [name]);
      }
    }
  });

export const httpTool = z
  .object({
    kind: z.literal('http'),
    method: z
      .string()
      .transform((method) => method.toUpperCase())
      .pipe(z.enum(METHODS))
      .default('GET'),
    url,
    headers,
    query: z.record(z.string(), anyJson).nullish(),
    body: orNull(anyJson),
    credential_id: orNull(z.uuid()),
    fail_on_status: z
      .tuple([z.int(), z.int()])
      .nullish()
      .transform((range): readonly [number, number] => range ?? [400, 599]),
    effect: z.enum(['at_least_once', 'at_most_once']).nullish(),
    idempotent: z.boolean().nullish(),
  })
  .superRefine((given, ctx) => {
    if ((given.method === 'GET' || given.method === 'HEAD') && given.body !== null) {
      addProblem(ctx, 'body_not_allowed', `a ${given.method} request has no body`, ['body']);
    }
  });
export type HttpTool = z.output<typeof httpTool>;
