/** The parameters of a tool: a field for each that its schema has, and for each that the config has beside them. */
import type { ReactNode } from 'react';
import { formatPointer, getAt, parsePointer } from '../../../language/graph/values/pointer.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { readText } from '../canvas/binding.ts';
import { fieldWords } from '../words-fields.ts';
import type { Field, Widget } from '../../../language/nodes/form-field.ts';
import { JsonToggle } from './json-toggle.tsx';
import { nameOption } from './option-names.ts';
import { listProperties } from './schema-edits.ts';
import { useInputSchema } from './use-input-schema.ts';
import { placeInside, type FieldProps } from './field-place.ts';

const WIDGETS: Readonly<Record<string, Widget>> = {
  string: 'optional',
  number: 'scalar',
  integer: 'scalar',
  boolean: 'switch',
};

/** The type of a schema; empty where it has several besides null. */
function readType(schema: JsonObject): string {
  const type = ownValue(schema, 'type');
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== 'null');
  return types.length === 1 && typeof types[0] === 'string' ? types[0] : '';
}

/** Whether a value is a list of texts, which are written one in a line. */
const isTextList = (schema: JsonObject, value: Json | undefined): boolean =>
  readType(schema) === 'array' &&
  ownValue(ownValue(schema, 'items') ?? null, 'type') === 'string' &&
  (value === undefined || (Array.isArray(value) && value.every((one) => typeof one === 'string')));

/** Describes the field of a parameter. A choice or a switch that holds a template is a text. */
function describeParameter(name: string, given: Json, value: Json | undefined): Field {
  const schema = isObject(given) ? given : {};
  const choices = ownValue(schema, 'enum');
  const options = (Array.isArray(choices) ? choices : []).filter((one) => typeof one === 'string');
  const isChoice =
    options.length > 0 && (value === undefined || (typeof value === 'string' && options.includes(value)));
  const isText = typeof value === 'string' && (options.length > 0 || readType(schema) === 'boolean');
  const isLines = isTextList(schema, value);
  const control = isText ? 'optional' : isLines ? 'lines' : (WIDGETS[readType(schema)] ?? 'json');
  const description = readText(schema, 'description');
  const fallback = ownValue(schema, 'default');
  return {
    ptr: formatPointer([name]),
    label: readText(schema, 'title') || nameOption(name),
    widget: isChoice ? 'select' : control,
    ...(description === '' ? {} : { description }),
    ...(isLines ? { hint: fieldWords.oneInLine } : {}),
    ...(isChoice ? { options: ['', ...options], labels: { '': fieldWords.notSet } } : {}),
    ...(fallback === undefined ? {} : { fallback }),
  };
}

interface InputsProps extends FieldProps {
  /** One parameter: the form that shows this builder shows its fields, too. */
  readonly showField: (props: FieldProps) => ReactNode;
}

export function Inputs({ showField, ...props }: InputsProps) {
  const { config, field } = props;
  const schema = useInputSchema(config);
  const stored = getAt(config, parsePointer(field.ptr)) ?? {};
  const value: JsonObject = isObject(stored) ? stored : {};
  const declared = listProperties(schema ?? undefined);
  const others = Object.keys(value).filter((name) => declared.every((one) => one.name !== name));
  const parameters = [
    ...declared,
    ...others.map((name) => {
      const schema = typeof value[name] === 'string' ? { type: 'string' } : {};
      return { name, isRequired: false, schema };
    }),
  ];
  return (
    <JsonToggle {...props} canBuild={schema !== null && isObject(stored)} action={<span />}>
      <div className="wc-card">
        {parameters.length === 0 && <p className="wc-empty">{fieldWords.noParameters}</p>}
        {parameters.map(({ name, schema: one, isRequired }) => {
          const inner = { ...describeParameter(name, one, ownValue(value, name)), isRequired };
          const place = { path: parsePointer(field.ptr), config: value, field: inner };
          return <div key={`${name} ${inner.widget}`}>{showField(placeInside(props, place))}</div>;
        })}
      </div>
    </JsonToggle>
  );
}
