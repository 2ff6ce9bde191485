/** Gives the values of discriminators names of their own, for generators that try the alternatives of a union one by one. */
import { isObject, type JsonObject } from '../../../language/graph/values/value.ts';

const PREFIX = '#/components/schemas/';

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Writes `NodeSkippedFrameType` as `NODE_SKIPPED_FRAME_TYPE`. */
const toConstant = (name: string): string => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toUpperCase();

interface Discriminator {
  readonly propertyName: string;
  readonly mapping: Readonly<Record<string, string>>;
}

/** Lists the alternatives of all unions with a discriminator, each with the name of its property. */
const listAlternatives = (schemas: Readonly<Record<string, JsonObject>>): (readonly [string, string])[] =>
  Object.values(schemas).flatMap((schema) => {
    if (!isObject(schema['discriminator'])) return [];
    const { propertyName, mapping } = schema['discriminator'] as unknown as Discriminator;
    return Object.values(mapping).map((ref) => [ref.slice(PREFIX.length), propertyName] as const);
  });

/**
 * Moves the value of each discriminator to a schema of its own: the Go client of OpenAPI Generator checks the values of named
 * enumerations alone, and refuses a frame that two alternatives with the same fields accept.
 * @returns new schemas
 */
export function nameDiscriminators(
  schemas: Readonly<Record<string, JsonObject>>,
): Readonly<Record<string, JsonObject>> {
  const named: Record<string, JsonObject> = { ...schemas };
  for (const [alternative, property] of listAlternatives(schemas)) {
    const { properties, ...rest } = named[alternative] ?? {};
    const value = isObject(properties) ? properties[property] : undefined;
    if (!isObject(properties) || !isObject(value) || value['enum'] === undefined) continue;
    const name = alternative + capitalize(property);
    // Go's constants share a scope: without names of their own, equal values of two enumerations do not compile.
    named[name] = { ...value, 'x-enum-varnames': [toConstant(name)] };
    named[alternative] = {
      ...rest,
      properties: { ...properties, [property]: { $ref: `${PREFIX}${name}` } },
    };
  }
  return named;
}
