/** Templates over given values in place of the state of a run: those of a webhook over its request, of effect rules over an effect. */
import { ownValue, type Json, type JsonObject } from '../values/value.ts';
import type { RenderBudget } from './render-budget.ts';
import { findReferences, type TemplateScope } from './template.ts';

/** Returns the first problem of the templates in a value, in words; null without one. @param roots the names of the values */
export function findTemplateProblem(value: Json, roots: readonly string[]): string | null {
  const { references, errors } = findReferences(value);
  const [error] = errors;
  if (error !== undefined) return error.message;
  const unknown = references.find(({ root }) => !roots.includes(root));
  return unknown === undefined
    ? null
    : `{{${unknown.text}}} is unknown here; templates read ${roots.join(', ')}`;
}

/** Creates a scope in which missing paths are null, as in a node. */
export function createScope(values: JsonObject, budget: RenderBudget): TemplateScope {
  return {
    root: (name) => {
      const value = ownValue(values, name);
      return value === undefined ? { state: 'empty' } : { state: 'value', value };
    },
    missing: () => undefined,
    budget,
  };
}
