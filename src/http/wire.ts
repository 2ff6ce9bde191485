/** Schemas that several resources share: identifiers, moments, JSON objects. */
import { z } from 'zod';
import type { JsonObject } from '../graph/value.ts';

/** A UUID of any version, in the spelling that the database answers with. */
export const uuid = z.guid().toLowerCase();

/** Path parameters that are all UUIDs. */
export function uuidParams<Name extends string>(...names: readonly Name[]): z.ZodType<Record<Name, string>> {
  const shape = Object.fromEntries(names.map((name) => [name, uuid]));
  return z.object(shape) as unknown as z.ZodType<Record<Name, string>>;
}

/** Free-form JSON object: kept as it was sent, in its own order of keys. */
export const jsonObject = z.record(z.string(), z.unknown()) as unknown as z.ZodType<JsonObject>;

/** SPEC API-conventions: ISO 8601 strings, UTC. */
export const moment = z.iso.datetime();

/** `{success, message}` and whatever a route adds. */
export const success = z.looseObject({ success: z.literal(true), message: z.string() });

/** A refusal of shape A, for rows that document one which their guards do not make. */
export const refusal = z.looseObject({ detail: z.string() });
