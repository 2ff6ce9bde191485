/** The conversation of a request as the input of a run. */
import { invalid } from '../../base/errors.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../language/graph/values/value.ts';
import type { Model } from './models.ts';

const TEXT_PARTS: readonly (Json | undefined)[] = ['text', 'input_text', 'output_text'];

/** Joins the parts of a content that is all text; other contents are kept as they came. */
function readContent(content: Json | undefined): Json {
  if (!Array.isArray(content)) return content ?? null;
  const texts = content.map((part) =>
    TEXT_PARTS.includes(ownValue(part, 'type')) ? ownValue(part, 'text') : undefined,
  );
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : content;
}

/** Reads a message; the role `developer` is that of `system` under its newer name. */
function readMessage(message: JsonObject): JsonObject {
  const { type: _, ...fields } = message;
  const role = ownValue(message, 'role');
  return {
    ...fields,
    role: role === 'developer' ? 'system' : (role ?? 'user'),
    content: readContent(ownValue(message, 'content')),
  };
}

/** Reads the messages of a chat completion. */
export const readMessages = (messages: readonly JsonObject[]): JsonObject[] => messages.map(readMessage);

/** Reads the input of a response: a text of the user, or items; items that are no messages are kept as they came. */
export function readItems(input: string | readonly JsonObject[], instructions: string | null): JsonObject[] {
  const system = instructions === null ? [] : [{ role: 'system', content: instructions }];
  if (typeof input === 'string') return [...system, { role: 'user', content: input }];
  const items = input.map((item) =>
    (ownValue(item, 'type') ?? 'message') === 'message' ? readMessage(item) : item,
  );
  return [...system, ...items];
}

/** Finds the last text of the user; null without one. */
function findLastText(messages: readonly JsonObject[]): string | null {
  const last = messages.findLast((message) => isObject(message) && ownValue(message, 'role') === 'user');
  const content = ownValue(last, 'content');
  return typeof content === 'string' ? content : null;
}

/**
 * Builds the input of the run of a model.
 * @param field of the request that has the conversation, for the error
 * @throws ApiError 422 when the model takes a text, and the last message of the user has none
 */
export function buildInput(
  { takes }: Pick<Model, 'takes'>,
  messages: readonly JsonObject[],
  field: string,
): JsonObject {
  const input: JsonObject = takes.messages ? { messages: [...messages] } : {};
  if (takes.text === null) return input;
  const text = findLastText(messages);
  if (text === null) {
    const msg = 'The last message of the role user must have text';
    throw invalid([{ loc: ['body', field], msg, type: 'text_missing' }]);
  }
  return { ...input, [takes.text]: text };
}
