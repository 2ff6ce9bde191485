/** The filter, the mapping and the answer of a hook: rules and templates of the definition language over a request. */
import { RenderBudget, RenderTooLarge } from '../graph/render-budget.ts';
import { evaluateRules, readRules } from '../graph/rules.ts';
import { findReferences, render, type TemplateScope } from '../graph/template.ts';
import { TemplateError } from '../graph/template-scanner.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../graph/value.ts';
import { REQUEST_WORK, WorkBudget, WorkLimitExceeded } from '../graph/work-budget.ts';
import { Patterns, PatternSearch } from '../nodes/pattern.ts';
import type { HookRequest } from './hook-request.ts';

/** The names that the templates of a filter and of a mapping may read. */
export const REQUEST_ROOTS = ['method', 'headers', 'query', 'body'] as const;
/** The names that the template of an answer may read. */
export const RESPONSE_ROOTS = ['output', 'run_id'] as const;

/** The filter, the mapping or the answer cannot be rendered for this request. */
export class HookTemplateError extends Error {
  override readonly name = 'HookTemplateError';
}

/** Returns the first problem of the templates in a value, in words; null without one. */
export function findTemplateProblem(value: Json, roots: readonly string[]): string | null {
  const { references, errors } = findReferences(value);
  const [error] = errors;
  if (error !== undefined) return error.message;
  const unknown = references.find(({ root }) => !roots.includes(root));
  return unknown === undefined
    ? null
    : `{{${unknown.text}}} is unknown here; templates read ${roots.join(', ')}`;
}

/** A path that a request does not have is null, as in a node. */
function scopeOver(values: JsonObject, budget: RenderBudget): TemplateScope {
  return {
    root: (name) => {
      const value = ownValue(values, name);
      return value === undefined ? { state: 'empty' } : { state: 'value', value };
    },
    missing: () => undefined,
    budget,
  };
}

const isUserError = (error: unknown): error is Error =>
  error instanceof TemplateError || error instanceof RenderTooLarge || error instanceof WorkLimitExceeded;

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isUserError(error)) throw new HookTemplateError(error.message, { cause: error });
    throw error;
  }
}

/** Renders a value over these roots. @throws HookTemplateError */
export function renderOver(value: Json, values: JsonObject): Json {
  return attempt(() => render(value, scopeOver(values, new RenderBudget(new WorkBudget(REQUEST_WORK)))));
}

/** True when the request passes the filter; null as filter lets all pass. @throws HookTemplateError */
export function passesFilter(filter: Json, request: HookRequest): boolean {
  if (filter === null) return true;
  const read = readRules(filter);
  if (!('rules' in read)) throw new HookTemplateError('The filter is not a rule of the definition language');
  const work = new WorkBudget(REQUEST_WORK);
  const scope = scopeOver({ ...request }, new RenderBudget(work));
  return attempt(() =>
    evaluateRules(read.rules, (side) => render(side, scope), new PatternSearch(new Patterns(), work)),
  );
}

/**
 * Makes the input of the run: the rendered mapping. Without a mapping, the body when it is an object; else the query of a
 * request without a body, or `{"body": …}`.
 * @throws HookTemplateError
 */
export function mapToInput(mapping: Json, request: HookRequest): JsonObject {
  if (isObject(mapping)) return renderOver(mapping, { ...request }) as JsonObject;
  if (isObject(request.body)) return request.body;
  return request.body === null ? request.query : { body: request.body };
}
