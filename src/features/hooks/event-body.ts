/**
 * Reads the body of an event. Its sender cannot mend it, and repeats nothing that was refused: so it is read as the answer of
 * a server is (SPEC API-events), and refused only where nothing can be made of it.
 */
import { ApiError, invalid } from '../../base/errors.ts';
import { toStorable } from '../../language/graph/values/storable.ts';
import {
  isForbiddenKey,
  isObject,
  ownValue,
  readText,
  type Json,
  type JsonObject,
} from '../../language/graph/values/value.ts';
import { readJsonText } from '../../platform/http/body.ts';
import { parseForm, requireFewFields } from '../../platform/http/form.ts';
import { MAX_DEPTH } from '../../platform/http/json-reader.ts';
import { parseMultipartFields } from '../../platform/http/multipart.ts';
import { parseCharset, readContent } from '../../platform/outbound/answer-content.ts';
import type { Verification } from '../../language/nodes/triggers/choices.ts';

/** An event as it came: its media type is what its Content-Type says. */
interface SentBody {
  readonly contentType: string;
  readonly bytes: Buffer;
  /** How its sender proves itself, which tells of what kind the sender is. */
  readonly verification: Verification;
}

const JSON_TYPE = /^(?:application\/(?:[\w.-]+\+)?|text\/)json\b/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;
const MULTIPART_TYPE = /^multipart\/form-data\b/i;

/** Senders whose forms hold an event as JSON in the field `payload`: GitHub's default format, Slack's interactive messages. */
const SENDS_PAYLOAD: ReadonlySet<Verification> = new Set(['github', 'slack']);

/** @returns the refusal of a body, shape C */
const refuseBody = (type: string, msg: string): ApiError => invalid([{ loc: ['body'], msg, type }]);

/** Groups pairs by name; a name that is given several times becomes a list. */
export function toFields(pairs: Iterable<readonly [string, Json]>): JsonObject {
  const fields = new Map<string, Json[]>();
  for (const [name, value] of pairs) {
    const values = fields.get(name);
    if (values === undefined) fields.set(name, [value]);
    else values.push(value);
  }
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  ) as JsonObject;
}

/** Makes fields storable. @throws ApiError 422 for a field `__proto__` */
export function checkFields(fields: JsonObject): JsonObject {
  const forbidden = Object.keys(fields).find(isForbiddenKey);
  if (forbidden !== undefined) throw refuseBody('key_forbidden', `The key ${forbidden} is not allowed`);
  return toStorable(fields);
}

/** The request around a body is a level, too. */
const EVENT_RULES = { maxDepth: MAX_DEPTH - 1, isLenient: true };

const isSyntaxRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.failure.shape === 'C' &&
  error.failure.issues[0]?.type === 'json_invalid';

/**
 * Reads JSON; null for blanks, the text itself when it is no JSON.
 * @throws ApiError 422 for JSON that nests too deep, and for the key `__proto__`
 */
async function readJsonBody(text: string): Promise<Json> {
  if (text.trim() === '') return null;
  try {
    return (await readJsonText(text, EVENT_RULES)).value;
  } catch (error) {
    if (isSyntaxRefusal(error)) return text;
    throw error;
  }
}

/** Decodes one name or value of a form, whose escapes stand for bytes of the form's charset. */
function decodeFormText(encoded: string, decoder: InstanceType<typeof TextDecoder>): string {
  const bytes = encoded
    .replaceAll('+', ' ')
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decoder.decode(Buffer.from(bytes, 'latin1'));
}

function createFormDecoder(contentType: string): InstanceType<typeof TextDecoder> | null {
  try {
    const decoder = new TextDecoder(parseCharset(contentType) ?? 'utf-8');
    return decoder.encoding === 'utf-8' ? null : decoder;
  } catch {
    return null;
  }
}

/** Reads a form, also one in another charset than UTF-8, as older payment services send it. */
function readForm({ contentType, bytes }: SentBody): JsonObject {
  const decoder = createFormDecoder(contentType);
  if (decoder === null) return checkFields(toFields(parseForm(bytes.toString())));
  const form = bytes.toString('latin1');
  requireFewFields(form);
  const pairs = form.split('&').filter((pair) => pair !== '');
  const decoded = pairs.map((pair): [string, string] => {
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2);
    return [decodeFormText(name, decoder), decodeFormText(value, decoder)];
  });
  return checkFields(toFields(decoded));
}

/** The event of a form: its `payload` where the sender has put it there, else the fields. */
async function readFormEvent(sent: SentBody): Promise<Json> {
  const fields = readForm(sent);
  const payload = SENDS_PAYLOAD.has(sent.verification) ? readText(ownValue(fields, 'payload')) : undefined;
  if (payload === undefined) return fields;
  const event = await readJsonBody(payload);
  return isObject(event) ? event : fields;
}

/**
 * Reads a body: JSON, a form, multipart fields, or text; `{base64, media_type, size}` of bytes that are no text, and null for none.
 * Text that is said to be JSON and is not stays text.
 * @throws ApiError 422 for JSON that nests too deep, for the key `__proto__`, for a form of too many fields, and for multipart that
 *   cannot be read
 */
export async function readEventBody(sent: SentBody): Promise<Json> {
  const { contentType, bytes } = sent;
  if (bytes.length === 0) return null;
  if (MULTIPART_TYPE.test(contentType))
    return checkFields(toFields(await parseMultipartFields(contentType, bytes)));
  if (FORM_TYPE.test(contentType)) return readFormEvent(sent);
  const content = readContent(bytes, contentType);
  if (!('text' in content)) {
    const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    return {
      base64: Buffer.from(content.bytes).toString('base64'),
      media_type: mediaType === '' ? 'application/octet-stream' : mediaType,
      size: content.bytes.length,
    };
  }
  return JSON_TYPE.test(contentType) ? readJsonBody(content.text) : content.text;
}
