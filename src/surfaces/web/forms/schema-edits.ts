/** Reads the fields of a JSON Schema of an object, and makes the edits of its builder. */
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';

interface Property {
  readonly name: string;
  readonly schema: Json;
  readonly isRequired: boolean;
}

type Schema = Json | undefined;

const readProperties = (schema: Schema): JsonObject => {
  const properties = isObject(schema) ? ownValue(schema, 'properties') : undefined;
  return isObject(properties) ? properties : {};
};

const readRequired = (schema: Schema): readonly Json[] => {
  const required = isObject(schema) ? ownValue(schema, 'required') : undefined;
  return Array.isArray(required) ? required : [];
};

export const listProperties = (schema: Schema): Property[] => {
  const required = readRequired(schema);
  return Object.entries(readProperties(schema)).map(([name, property]) => ({
    name,
    schema: property,
    isRequired: required.includes(name),
  }));
};

/** Keywords that the builder has no controls for, and that change what its controls mean. */
const COMPOSED = ['$ref', 'anyOf', 'oneOf', 'allOf', 'not', 'const', 'prefixItems'];

const isComposed = (schema: JsonObject): boolean =>
  COMPOSED.some((keyword) => Object.hasOwn(schema, keyword));

/** Whether the builder can show a schema: it is one of an object, or not there yet. */
export function canBuildSchema(schema: Schema): boolean {
  if (schema === undefined || schema === null) return true;
  if (!isObject(schema) || isComposed(schema)) return false;
  return (ownValue(schema, 'type') ?? 'object') === 'object';
}

/** Whether a card can show a property: it is of one of the types, and its choices are texts. */
export function canBuildProperty(schema: Json, types: readonly string[]): boolean {
  if (!isObject(schema) || isComposed(schema)) return false;
  const type = ownValue(schema, 'type') ?? 'string';
  const choices = ownValue(schema, 'enum') ?? [];
  const areTexts = Array.isArray(choices) && choices.every((choice) => typeof choice === 'string');
  return typeof type === 'string' && types.includes(type) && areTexts;
}

/** Whether a schema says nothing but that it is of an object. */
export const isEmptySchema = (schema: JsonObject): boolean =>
  Object.keys(readProperties(schema)).length === 0 &&
  Object.keys(schema).every((key) => key === 'type' || key === 'properties');

function write(schema: Schema, properties: JsonObject, required: readonly Json[]): JsonObject {
  const { properties: _before, required: _names, ...rest } = isObject(schema) ? schema : {};
  return {
    type: 'object',
    ...rest,
    properties,
    ...(required.length === 0 ? {} : { required: [...required] }),
  };
}

export const addProperty = (schema: Schema, name: string): JsonObject =>
  write(schema, { ...readProperties(schema), [name]: { type: 'string' } }, [...readRequired(schema), name]);

export const removeProperty = (schema: Schema, name: string): JsonObject => {
  const { [name]: _removed, ...properties } = readProperties(schema);
  const required = readRequired(schema).filter((one) => one !== name);
  return write(schema, properties, required);
};

export const renameProperty = (schema: Schema, from: string, to: string): JsonObject => {
  const rename = (name: Json): Json => (name === from ? to : name);
  const properties = Object.entries(readProperties(schema)).map(
    ([name, one]) => [rename(name), one] as const,
  );
  return write(schema, Object.fromEntries(properties), readRequired(schema).map(rename));
};

export const requireProperty = (schema: Schema, name: string, isRequired: boolean): JsonObject => {
  const others = readRequired(schema).filter((one) => one !== name);
  return write(schema, readProperties(schema), isRequired ? [...others, name] : others);
};
