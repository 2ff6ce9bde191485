/** Evaluates the filter, the input mapping and the response of a hook with the rules and templates of definitions. */
import { RenderBudget, RenderTooLarge } from '../../language/graph/template/render-budget.ts';
import { evaluateRules, readRules } from '../../language/graph/template/rules.ts';
import { FilterError } from '../../language/graph/filters/filter.ts';
import { createScope } from '../../language/graph/template/given-values.ts';
import { render } from '../../language/graph/template/template.ts';
import { TemplateError } from '../../language/graph/template/template-scanner.ts';
import { isObject, type Json, type JsonObject } from '../../language/graph/values/value.ts';
import { REQUEST_WORK, WorkBudget, WorkLimitExceeded } from '../../language/graph/values/work-budget.ts';
import { Patterns, PatternSearch } from '../../language/nodes/pattern.ts';
import { MAX_THREAD_ID } from '../../language/nodes/triggers/webhook.ts';
import type { HookRequest } from './hook-request.ts';

/** The filter, the mapping or the answer cannot be rendered for this request. */
export class HookTemplateError extends Error {
  override readonly name = 'HookTemplateError';
}

const isTemplateFailure = (error: unknown): error is Error =>
  error instanceof TemplateError ||
  error instanceof FilterError ||
  error instanceof RenderTooLarge ||
  error instanceof WorkLimitExceeded;

/** Turns failures of templates into HookTemplateError. */
function guard<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isTemplateFailure(error)) throw new HookTemplateError(error.message, { cause: error });
    throw error;
  }
}

/** Renders the templates in a value, with `values` as their roots. @throws HookTemplateError */
export function renderTemplates(value: Json, values: JsonObject): Json {
  return guard(() => render(value, createScope(values, new RenderBudget(new WorkBudget(REQUEST_WORK)))));
}

/** Tests the request; without a filter every request passes. @throws HookTemplateError */
export function passesFilter(filter: Json, request: HookRequest): boolean {
  if (filter === null) return true;
  const read = readRules(filter);
  if (!('rules' in read)) throw new HookTemplateError('The filter is not a valid rule');
  const work = new WorkBudget(REQUEST_WORK);
  const scope = createScope({ ...request }, new RenderBudget(work));
  return guard(() =>
    evaluateRules(read.rules, (side) => render(side, scope), new PatternSearch(new Patterns(), work)),
  );
}

/**
 * Builds the input of the run from the mapping. Without a mapping, the input is the body when it is an object, `{"body": …}`
 * for another body, and the query when there is no body.
 * @throws HookTemplateError
 */
export function mapToInput(mapping: Json, request: HookRequest): JsonObject {
  if (isObject(mapping)) return renderTemplates(mapping, { ...request }) as JsonObject;
  if (isObject(request.body)) return request.body;
  return request.body === null ? request.query : { body: request.body };
}

/**
 * Renders the id of the thread that the run goes on with. A number is its text, so that the id of a chat need not be one.
 * @returns null without a template
 * @throws HookTemplateError for what is no text, is empty or longer than the id of a thread
 */
export function renderThreadId(template: string | null, request: HookRequest): string | null {
  if (template === null) return null;
  const made = renderTemplates(template, { ...request });
  const threadId = typeof made === 'number' ? String(made) : made;
  if (typeof threadId === 'string' && threadId !== '' && threadId.length <= MAX_THREAD_ID) return threadId;
  throw new HookTemplateError(
    `thread_id makes no text of 1 to ${MAX_THREAD_ID} characters of this request, so the run has no thread`,
  );
}
