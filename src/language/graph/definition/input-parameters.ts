/** The declared parameters of a run's input (`input_parameters`): which are required, and the values of those that are not given. */
import { isObject, ownValue, readText, setOwn, type Json, type JsonObject } from '../values/value.ts';

export interface InputParameter {
  readonly name: string;
  readonly isRequired: boolean;
  /** Null: none. */
  readonly fallback: Json;
}

/** Reads the parameters of a definition; entries without a name are left out. */
export function readInputParameters(declared: Json | undefined): InputParameter[] {
  return (Array.isArray(declared) ? declared : []).flatMap((given) => {
    const name = readText(ownValue(given, 'name'));
    if (!isObject(given) || name === undefined || name === '') return [];
    const isRequired = ownValue(given, 'required') === true;
    return [{ name, isRequired, fallback: ownValue(given, 'default') ?? null }];
  });
}

export interface RunInputs {
  /** The input of the deployment. */
  readonly workflowInput: JsonObject;
  readonly runInput: JsonObject;
}

/**
 * Fills the defaults of the parameters into the input of a run. A parameter is not given when it is null or missing.
 * @returns the input, and the names of the required parameters that it lacks
 */
export function fillInput(
  parameters: readonly InputParameter[],
  { workflowInput, runInput }: RunInputs,
): { readonly input: JsonObject; readonly missing: readonly string[] } {
  const all = { ...workflowInput, ...runInput };
  const absent = parameters.filter(({ name }) => (ownValue(all, name) ?? null) === null);
  const input = { ...runInput };
  for (const { name, fallback } of absent) if (fallback !== null) setOwn(input, name, fallback);
  const missing = absent.filter(({ isRequired, fallback }) => isRequired && fallback === null);
  return { input, missing: missing.map(({ name }) => name) };
}
