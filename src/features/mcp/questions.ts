/** Questions of a run as elicitations: a form of the client, whose content becomes the answer. */
import { isObject, ownValue, setOwn, type Json, type JsonObject } from '../../language/graph/values/value.ts';
import { readFixedValue } from '../../language/graph/schema/fixed-value.ts';
import type { Question } from '../../language/nodes/kind.ts';

/** The field of the form that chooses the action; a form of the question with this field cannot be shown. */
const ACTION = 'action';
const FIELD_TYPES: readonly (Json | undefined)[] = ['string', 'number', 'integer', 'boolean'];

export interface QuestionForm {
  readonly message: string;
  readonly requestedSchema: {
    readonly type: 'object';
    readonly properties: JsonObject;
    readonly required: string[];
  };
}

/** Reads the fields of a form; null when one of them is no plain value, which clients cannot show. */
function readFields(form: JsonObject | null): JsonObject | null {
  const properties = ownValue(form ?? {}, 'properties');
  if (!isObject(properties)) return form === null ? {} : null;
  const isPlain = (field: Json): boolean => FIELD_TYPES.includes(ownValue(field, 'type'));
  return Object.hasOwn(properties, ACTION) || !Object.values(properties).every(isPlain) ? null : properties;
}

/** Elicited fields have no constants: a choice of one says the same. */
function toElicited(field: Json): Json {
  const value = readFixedValue(field);
  if (!isObject(field) || value === undefined) return field;
  const { const: _const, ...others } = field;
  return { ...others, enum: [value] };
}

/** Describes a request that waits for approval, for a client that shows a text alone. */
const describePayload = ({ kind, payload }: Question): string =>
  kind === 'effect_approval' ? JSON.stringify(payload, null, 2) : '';

/** Builds the form of a question; null when a client cannot show it: for another service, or with nested fields. */
export function buildForm(question: Question): QuestionForm | null {
  const { kind, title, message, actions, form } = question;
  const fields = readFields(form);
  if (kind === 'callback' || fields === null) return null;
  const required = ownValue(form ?? {}, 'required');
  const fixed = Object.keys(fields).filter((name) => readFixedValue(fields[name]) !== undefined);
  const names = [
    ...(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []),
    ...fixed,
  ];
  const properties: JsonObject = {};
  if (actions.length > 0) {
    const choices = actions.map(({ id, label }) => ({ const: id, title: label }));
    setOwn(properties, ACTION, { type: 'string', title: 'Action', oneOf: choices });
  }
  for (const [name, field] of Object.entries(fields)) setOwn(properties, name, toElicited(field));
  // A form has a field: without one of its own, the question takes any text.
  if (Object.keys(properties).length === 0) setOwn(properties, 'answer', { type: 'string', title: 'Answer' });
  return {
    message:
      [title, message, describePayload(question)].filter((text) => text !== '').join('\n\n') ||
      'The workflow asks a question',
    requestedSchema: {
      type: 'object',
      properties,
      required: actions.length > 0 ? [ACTION, ...names] : names,
    },
  };
}

/** Reads the content of a filled form as an answer. */
export function readContent(
  { actions }: Pick<Question, 'actions'>,
  content: JsonObject,
): { readonly action: string | null; readonly data: JsonObject } {
  const { [ACTION]: action, ...data } = content;
  if (actions.length === 0) return { action: null, data: content };
  return { action: typeof action === 'string' ? action : null, data };
}
