/** The form of a question on its page: fields from a JSON Schema, and the values that a browser sends for them. */
import { readDecimal } from '../../language/graph/values/decimal.ts';
import { readFixedValue } from '../../language/graph/schema/fixed-value.ts';
import { isLongInteger } from '../../language/graph/values/exact-json.ts';
import { parseUntrustedJson } from '../../language/graph/values/storable.ts';
import { isObject, ownValue, setOwn, type Json, type JsonObject } from '../../language/graph/values/value.ts';

export interface FormField {
  readonly name: string;
  readonly title: string;
  /** `fixed`: the only value that the form takes, which is sent unseen. */
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'json' | 'fixed';
  readonly options: readonly string[];
  readonly isRequired: boolean;
  /** The value that the field begins with. */
  readonly initial: string;
}

/** The names of the fields in the request: an own prefix, so that none is taken for the action. */
export const FIELD_PREFIX = 'data.';

function readKind(schema: Json, options: readonly string[]): FormField['kind'] {
  if (readFixedValue(schema) !== undefined) return 'fixed';
  if (options.length > 0) return 'choice';
  const type = ownValue(schema, 'type');
  if (type === 'boolean') return 'boolean';
  if (type === 'number' || type === 'integer') return 'number';
  return type === 'object' || type === 'array' ? 'json' : 'text';
}

const writeInitial = (value: Json | undefined): string =>
  value === undefined || value === false || value === null
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

/** Lists the fields of a form. */
export function listFormFields(form: JsonObject | null): readonly FormField[] {
  const properties = form === null ? null : ownValue(form, 'properties');
  const names = form === null ? null : ownValue(form, 'required');
  const required = new Set(Array.isArray(names) ? names : []);
  return Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => {
    const title = ownValue(schema, 'title');
    const choices = ownValue(schema, 'enum');
    const options = Array.isArray(choices)
      ? choices.filter((choice): choice is string => typeof choice === 'string')
      : [];
    return {
      name,
      title: typeof title === 'string' && title !== '' ? title : name,
      kind: readKind(schema, options),
      options,
      isRequired: required.has(name),
      initial: writeInitial(ownValue(schema, 'default')),
    };
  });
}

function parseJson(text: string): Json {
  try {
    return parseUntrustedJson(text);
  } catch {
    return text;
  }
}

function readValue(kind: FormField['kind'], text: string): Json {
  if (kind === 'number') {
    const number = readDecimal(text);
    // A long integer is kept by its digits, as in JSON.
    if (isLongInteger(text.trim())) return text.trim();
    return number === null ? text : number.rounded;
  }
  return kind === 'json' ? parseJson(text) : text;
}

/** A browser writes the ends of lines in its own way. */
const toLines = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

/** Reads the data of an answer. An empty field is left out; what does not fit stays text, and the schema refuses it. */
export function readFormData(fields: readonly FormField[], sent: ReadonlyMap<string, string>): JsonObject {
  const data: JsonObject = {};
  for (const { name, kind, initial } of fields) {
    const text = sent.get(`${FIELD_PREFIX}${name}`);
    // A checkbox that is not ticked is not sent.
    if (kind === 'boolean') setOwn(data, name, text !== undefined);
    else if (text !== undefined && text !== '') {
      const isUntouched = kind === 'text' && toLines(text) === toLines(initial);
      setOwn(data, name, isUntouched ? initial : readValue(kind, text));
    }
  }
  return data;
}
