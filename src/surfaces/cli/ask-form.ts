/** Prompts for the values of a form, one field after the other, each checked before the next. */
import { readFixedValue } from '../../language/graph/schema/fixed-value.ts';
import { parseExactJson } from '../../language/graph/values/exact-json.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../language/graph/values/value.ts';
import { jsonText, type Screen } from './screen.ts';

type FindIssues = (
  value: JsonObject,
) => readonly { readonly path: readonly (string | number)[]; readonly message: string }[];

interface Field {
  readonly name: string;
  readonly schema: Json;
  readonly isRequired: boolean;
}

/** The value of the choice to leave a field out. */
const NONE = '';
/** Keywords that a prompt names, with their words. */
const BOUNDS = [
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['exclusiveMinimum', 'above'],
  ['exclusiveMaximum', 'below'],
  ['multipleOf', 'a multiple of'],
  ['minLength', 'characters, at least'],
  ['maxLength', 'characters, at most'],
  ['minItems', 'items, at least'],
  ['maxItems', 'items, at most'],
  ['pattern', 'pattern'],
] as const;

const listTypes = (schema: Json): readonly Json[] => [ownValue(schema, 'type') ?? []].flat();

/** Whether the text of a field is its value, and not JSON. */
const isText = (schema: Json): boolean => {
  const types = listTypes(schema);
  return types.length === 0 || types.includes('string');
};

/** Parses the text of a field. Other text than JSON stays as it is, and the check says what is expected. */
function parseField(schema: Json, entered: string): Json {
  if (isText(schema)) return entered;
  try {
    return parseExactJson(entered) as Json;
  } catch {
    return entered;
  }
}

const showValue = (value: Json): string => (typeof value === 'string' ? value : jsonText(value));

/** The question of a field: its title, its description, and what holds for its value. */
function describeField({ name, schema, isRequired }: Field): string {
  const title = ownValue(schema, 'title');
  const description = ownValue(schema, 'description');
  const types = listTypes(schema).filter((type) => type !== 'string');
  const bounds = BOUNDS.flatMap(([key, words]) => {
    const bound = ownValue(schema, key);
    return bound === undefined ? [] : [`${words} ${showValue(bound)}`];
  });
  const facts = [...types.map(showValue), ...bounds, ...(isRequired ? [] : ['optional'])];
  const label = typeof title === 'string' ? title : name;
  const more = typeof description === 'string' ? `: ${description}` : '';
  return `${label}${more}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

/** The only values of a field; null when there are too many to list. */
function listValues(schema: Json): readonly Json[] | null {
  const constant = ownValue(schema, 'const');
  if (constant !== undefined) return [constant];
  const allowed = ownValue(schema, 'enum');
  if (Array.isArray(allowed)) return allowed;
  const types = listTypes(schema);
  return types.length === 1 && types.includes('boolean') ? [true, false] : null;
}

/** @returns undefined for a field that is left out; null after Ctrl-C */
async function askField(
  screen: Screen,
  field: Field,
  {
    before,
    findProblem,
  }: { before: Json | undefined; findProblem: (value: Json | undefined) => string | null },
): Promise<{ readonly value: Json | undefined } | null> {
  const { schema, isRequired } = field;
  const message = describeField(field);
  const values = listValues(schema);
  const first = before ?? ownValue(schema, 'default');
  if (values !== null) {
    const options = values.map((value) => ({ value: jsonText(value), label: showValue(value) }));
    const all = isRequired ? options : [...options, { value: NONE, label: '(none)' }];
    const chosen = await screen.choose(message, all, first === undefined ? undefined : jsonText(first));
    if (chosen === null) return null;
    return { value: values.find((value) => jsonText(value) === chosen) };
  }
  const read = (entered: string): Json | undefined =>
    entered === '' ? undefined : parseField(schema, entered);
  const entered = await screen.text(message, first === undefined ? '' : showValue(first), (text) =>
    findProblem(read(text)),
  );
  return entered === null ? null : { value: read(entered) };
}

/** The schema of a field; a reference into the form is followed once. */
function readFieldSchema(form: JsonObject, given: Json): Json {
  const reference = ownValue(given, '$ref');
  if (typeof reference !== 'string') return given;
  const [, group = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
  return ownValue(ownValue(form, group), name) ?? given;
}

/**
 * Prompts for the values of a form until they fit it together.
 * @param before values that are offered: those of an answer that was refused
 * @returns null after Ctrl-C
 */
export async function askForm(
  screen: Screen,
  form: JsonObject,
  before: JsonObject,
): Promise<JsonObject | null> {
  // Loaded only here, because most commands check no values.
  const { RequestChecks } = await import('../../language/nodes/schema-issues.ts');
  const findIssues: FindIssues = (value) => new RequestChecks().findIssues(form, value);
  const properties = ownValue(form, 'properties');
  const required = [ownValue(form, 'required') ?? []].flat();
  const fields = Object.entries(isObject(properties) ? properties : {}).map(([name, given]): Field => ({
    name,
    schema: readFieldSchema(form, given),
    isRequired: required.includes(name),
  }));
  // A value that is the only one needs no question.
  const fixed = fields.filter(({ schema }) => readFixedValue(schema) !== undefined);
  let data: JsonObject = {
    ...before,
    ...Object.fromEntries(fixed.map(({ name, schema }) => [name, readFixedValue(schema) ?? null])),
  };
  let asked = fields.filter((field) => !fixed.includes(field));
  for (;;) {
    for (const field of asked) {
      const { name } = field;
      const { [name]: offered, ...others } = data;
      const findProblem = (value: Json | undefined): string | null => {
        if (value === undefined) return field.isRequired ? 'A value is required' : null;
        const found = findIssues({ ...others, [name]: value }).find(({ path }) => path[0] === name);
        return found === undefined ? null : [...found.path.slice(1).map(String), found.message].join(': ');
      };
      const answer = await askField(screen, field, { before: offered, findProblem });
      if (answer === null) return null;
      data = answer.value === undefined ? others : { ...others, [name]: answer.value };
    }
    const issues = findIssues(data);
    const wrong = fields.filter(({ name }) => issues.some(({ path }) => path[0] === name));
    // A problem of no single field cannot be mended here: the service reports it.
    if (wrong.length === 0) return data;
    for (const { path, message } of issues) screen.note(`${path.join('.')}: ${message}`);
    asked = wrong;
  }
}
