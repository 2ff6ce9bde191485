/** Fills the input of a run from the parameters of its definition, at every door that takes one (SPEC RUN-input-parameters). */
import { invalid } from '../../../base/errors.ts';
import {
  fillInput,
  type InputParameter,
  type RunInputs,
} from '../../../language/graph/definition/input-parameters.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';

/**
 * Fills defaults into an input that a client sends.
 * @param loc where the input is in the request
 * @throws ApiError 422 for each required parameter that is missing
 */
export function requireInput(
  parameters: readonly InputParameter[],
  inputs: RunInputs,
  loc: readonly (string | number)[],
): JsonObject {
  const { input, missing } = fillInput(parameters, inputs);
  if (missing.length > 0)
    throw invalid(missing.map((name) => ({ loc: [...loc, name], msg: 'Field required', type: 'missing' })));
  return input;
}

/** Says in words which required parameters are missing, for doors without a request; null when none is. */
export const describeMissing = (missing: readonly string[]): string | null =>
  missing.length === 0 ? null : `The input lacks required parameters: ${missing.join(', ')}`;
