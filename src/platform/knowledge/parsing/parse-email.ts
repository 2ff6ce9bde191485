/** Reads a message as it is sent (RFC 5322, MIME): `.eml`. */
import PostalMime from 'postal-mime';
import type { Json, JsonObject } from '../../../language/graph/values/value.ts';
import { ExtractionFailed } from '../extraction-port.ts';

/** Parts in parts, and messages in messages: more than programs make. */
const MAX_NESTING = 32;
const MAX_HEADER_BYTES = 512 * 1024;
const MAX_ATTACHMENTS = 1_000;

type Email = Awaited<ReturnType<typeof PostalMime.parse>>;
type Address = NonNullable<Email['from']>;

/** People, those of a group among them. */
const listPeople = (addresses: readonly Address[] = []): Json[] =>
  addresses
    .flatMap((one): { name: string; address: string }[] => one.group ?? [one])
    .map(({ name, address }) => ({ name: name === '' ? null : name, address }));

const strip = (id: string | undefined): string | null => id?.replaceAll(/^<|>$/g, '') ?? null;

function describeAttachment({
  filename,
  mimeType,
  disposition,
  contentId,
  content,
}: Email['attachments'][number]): JsonObject {
  const base64 = typeof content === 'string' ? content : '';
  return {
    filename,
    media_type: mimeType,
    size: Buffer.byteLength(base64, 'base64'),
    content_id: strip(contentId),
    is_inline: disposition === 'inline',
    base64,
  };
}

/** @throws ExtractionFailed `damaged` for what is no message, or one whose parts nest too deep; `too_many_items` */
export async function parseEmail(bytes: Buffer): Promise<JsonObject> {
  const email = await PostalMime.parse(bytes, {
    attachmentEncoding: 'base64',
    maxNestingDepth: MAX_NESTING,
    maxHeadersSize: MAX_HEADER_BYTES,
    maxRfc822NestingDepth: MAX_NESTING,
    forceRfc822Attachments: true,
  }).catch((error: unknown) => {
    throw new ExtractionFailed('invalid_email', `The message cannot be read: ${String(error).slice(0, 300)}`);
  });
  if (email.headers.length === 0)
    throw new ExtractionFailed('invalid_email', 'The source is no message: it has no headers');
  if (email.attachments.length > MAX_ATTACHMENTS)
    throw new ExtractionFailed('too_many_items', `The message has more than ${MAX_ATTACHMENTS} attachments`);
  const { from, to, cc, replyTo, subject, date, messageId, inReplyTo, references, text, html } = email;
  return {
    from: listPeople(from === undefined ? [] : [from])[0] ?? null,
    to: listPeople(to),
    cc: listPeople(cc),
    reply_to: listPeople(replyTo),
    subject: subject ?? null,
    date: date ?? null,
    message_id: strip(messageId),
    in_reply_to: strip(inReplyTo),
    references: (references ?? '').split(/\s+/).flatMap((id) => (id === '' ? [] : [strip(id)])),
    text: text ?? null,
    html: html ?? null,
    attachments: email.attachments.map(describeAttachment),
  };
}
