/**
 * The setting `respond` of a node: status, headers and body for the sender whose webhook waits for them. A run that no such webhook
 * has started renders it as well, so that a test run shows its mistakes.
 */
import { z } from 'zod';
import type { Json, JsonObject } from '../../graph/values/value.ts';
import type { NodeCall, WebhookResponse } from '../kind.ts';
import { NodeError } from '../kind.ts';
import { anyJson } from '../read-config.ts';

/** Only headers that mean nothing to a browser: the response comes from the origin that serves the page. */
const HEADER = /^(?:x-[a-z0-9-]{1,60}|retry-after)$/i;
const HEADER_VALUE = /^[\x20-\x7e]{0,500}$/;
/** HTML is not among them: it would act as the service (see HEADER). */
const CONTENT_TYPES = ['application/json', 'text/plain', 'text/csv', 'application/xml', 'text/xml'] as const;
const MAX_HEADERS = 20;
/** As the output that a webhook waits for: a response is held in memory as a whole. */
const MAX_BODY_BYTES = 1024 * 1024;

/** The name of a header that a response may have. */
export const responseHeader = z.string().regex(HEADER);
/** Its value. */
export const responseHeaderValue = z.string().regex(HEADER_VALUE);

/** Redirects are left out: their Location would send a browser from this origin anywhere. */
const isStatus = (status: number): boolean =>
  Number.isInteger(status) && ((status >= 200 && status <= 299) || (status >= 400 && status <= 599));

const respond = z.object({
  status: z
    .union([
      z.int().refine(isStatus, 'must be 200 to 299 or 400 to 599'),
      z.string().refine((text) => text.includes('{{'), 'must be a number or a template'),
    ])
    .default(200)
    .meta({ description: 'Status, 200 to 299 or 400 to 599, or a template of it; 200 by default' }),
  content_type: z
    .enum(CONTENT_TYPES)
    .default('application/json')
    .meta({ description: 'Content-Type of the body; a body that is no text is JSON' }),
  headers: z
    .record(responseHeader, z.string().max(2_000))
    .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, `has at most ${MAX_HEADERS} headers`)
    .default({})
    .meta({ description: 'Headers: names that begin with `X-`, and `Retry-After`; values may be templates' }),
  /** Undefined: the output of the node. */
  body: anyJson
    .optional()
    .meta({ description: 'Body, a value with templates; the output of the node by default' }),
});

/** The setting in the config of a node. */
export const respondField = {
  respond: respond.nullish().meta({
    description: 'Response for the sender of a webhook with `"response": {"mode": "respond"}`; null: none',
  }),
};

const refuse = (message: string): NodeError => new NodeError('invalid_respond', message);

/**
 * Renders the response of a node.
 * @param output of the node
 * @throws NodeError `invalid_respond` when the rendered values are no response
 */
export function renderRespond(
  call: Pick<NodeCall<unknown>, 'render' | 'renderText'>,
  { status, content_type: contentType, headers, body }: z.output<typeof respond>,
  output: Json,
): WebhookResponse {
  const code = typeof status === 'number' ? status : Number(call.renderText(status).trim() || Number.NaN);
  if (!isStatus(code)) throw refuse('respond.status must be 200 to 299 or 400 to 599');
  const rendered = Object.entries(headers).map(
    ([name, template]) => [name, call.renderText(template)] as const,
  );
  const invalid = rendered.find(([, value]) => !HEADER_VALUE.test(value));
  if (invalid !== undefined)
    throw refuse(`respond.headers.${invalid[0]} must be up to 500 printable characters`);
  const content = body === undefined ? output : call.render(body);
  if (Buffer.byteLength(JSON.stringify(content)) > MAX_BODY_BYTES)
    throw refuse('respond.body has more than 1 MiB');
  return { status: code, contentType, headers: Object.fromEntries(rendered), body: content };
}

/** Presents a response as the record of its step has it. */
export const presentResponse = ({ contentType, ...response }: WebhookResponse): JsonObject => ({
  ...response,
  content_type: contentType,
});
