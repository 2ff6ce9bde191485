/**
 * Renders the templates of a value and finds their references (SPEC DEF-2.14). Inserted values are never parsed as
 * templates again. template-scanner.ts has the grammar.
 */
import {
  scanTemplate,
  TemplateError,
  type Expression,
  type Filter,
  type FilterArgument,
  type Path,
  type Reference,
  type Template,
} from './template-scanner.ts';
import { STEPS_PER_FILTER } from '../filters/filter.ts';
import { checkFilterArguments, FILTERS } from '../filters/filters.ts';
import {
  MAX_RENDERED_CHARS,
  RenderTooLarge,
  STEPS_PER_VALUE,
  measureJson,
  type RenderBudget,
} from './render-budget.ts';
import { STEPS_PER_KEY, isObject, ownValue, setOwn, type Json, type JsonObject } from '../values/value.ts';

/** The values that templates can read, by root name: `x` for `state.x`, `state` for a bare `state`. */
export interface TemplateScope {
  /**
   * `empty`: the root exists but has no value yet (not executed, skipped); renders as null or '' without a warning.
   * @param key the first key of the path below the root, for keys that exist before the value does
   * @param isField the template reads `state.name`: a state field of this name comes before a root such as `item`
   */
  root(
    name: string,
    key: string | number | undefined,
    isField: boolean,
  ): { readonly state: 'value'; readonly value: Json } | { readonly state: 'empty' };
  /** Called when the root has a value but not the path; the caller warns (`missing_path`) or throws (strict). */
  missing(reference: string, available: string[]): void;
  /** Counts the rendered characters and the work of rendering. */
  readonly budget: RenderBudget;
}

/** `missing_path` warnings name at most this many keys. */
const MAX_AVAILABLE = 20;
/** Measured steps: to parse and look up one template, and to set a member. */
const STEPS_PER_TEMPLATE = 24;
const STEPS_PER_MEMBER = 12;
/** Parsing a character of a template takes 2 to 5 ns, writing it as JSON 3 ns. */
const CHARS_PER_STEP = 4;
/** The search stops at this many malformed strings. */
const MAX_ERRORS = 100;

interface FoundReferences {
  readonly references: readonly (Reference & { readonly at: Path })[];
  readonly errors: readonly { readonly message: string; readonly at: Path }[];
}

/**
 * Finds every reference in the strings of a value, and every malformed template; `at` is the path of the string.
 * @param value of bounded depth @param skipKeys top-level keys without templates
 */
export function findReferences(value: Json, skipKeys: readonly string[] = []): FoundReferences {
  const references: (Reference & { at: Path })[] = [];
  const errors: { message: string; at: Path }[] = [];
  const visit = (item: Json, at: Path): void => {
    if (errors.length >= MAX_ERRORS) return;
    if (typeof item === 'string') {
      if (!item.includes('{{')) return;
      try {
        for (const part of scanTemplate(item, checkFilterArguments).parts) {
          if (typeof part !== 'string')
            for (const { root, path, text } of listOwnReferences(part))
              references.push({ root, path, text, at });
        }
      } catch (error) {
        if (!(error instanceof TemplateError)) throw error;
        errors.push({ message: error.message, at });
      }
    } else if (Array.isArray(item)) item.forEach((child, index) => visit(child, [...at, index]));
    else if (isObject(item)) {
      for (const [key, child] of Object.entries(item)) {
        if (at.length > 0 || !skipKeys.includes(key)) visit(child, [...at, key]);
      }
    }
  };
  visit(value, []);
  return { references, errors };
}

/** The reference of an expression, and those of the arguments of its filters. */
function listOwnReferences(expression: Expression): Reference[] {
  const args = expression.filters.flatMap(({ args: given }) => given);
  return [expression, ...args.flatMap((arg) => ('reference' in arg ? [arg.reference] : []))];
}

/**
 * Renders every template in a value; a string that is exactly one template becomes the referenced value with its type.
 * The result shares structure with the scope, so it must not be changed.
 * @throws TemplateError @throws FilterError @throws RenderTooLarge @throws WorkLimitExceeded
 */
export function render(value: Json, scope: TemplateScope): Json {
  if (typeof value === 'string') {
    const template = value.includes('{{') ? scan(value, scope) : null;
    if (template !== null && template.single === null) return join(template, scope, keepText);
    const rendered = template?.single ? resolveExpression(template.single, scope) : value;
    scope.budget.spend(rendered);
    return rendered;
  }
  if (Array.isArray(value)) return value.map((item) => render(item, scope));
  if (!isObject(value)) return value;
  const rendered: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    scope.budget.spend(key);
    scope.budget.work.spend(STEPS_PER_MEMBER);
    setOwn(rendered, key, render(item, scope));
  }
  return rendered;
}

/**
 * Renders to text. @param encode applied to each inserted value, never to the literal parts
 * @throws TemplateError @throws RenderTooLarge @throws WorkLimitExceeded
 */
export function renderText(
  text: string,
  scope: TemplateScope,
  encode: (inserted: string) => string = keepText,
): string {
  return text.includes('{{') ? join(scan(text, scope), scope, encode) : text;
}

function scan(text: string, { budget }: TemplateScope): Template {
  const template = scanTemplate(text, checkFilterArguments);
  budget.work.spend(template.parts.length * STEPS_PER_TEMPLATE + text.length / CHARS_PER_STEP);
  return template;
}

const keepText = (inserted: string): string => inserted;

function join(template: Template, scope: TemplateScope, encode: (inserted: string) => string): string {
  let text = '';
  for (const part of template.parts) {
    text += typeof part === 'string' ? part : encode(toText(resolveExpression(part, scope), scope));
    if (text.length > MAX_RENDERED_CHARS)
      throw new RenderTooLarge(`Rendered text is longer than ${MAX_RENDERED_CHARS} characters`);
  }
  scope.budget.spend(text);
  return text;
}

function resolveExpression(expression: Expression, scope: TemplateScope): Json {
  const { filters } = expression;
  // With a default, the author expects that the path may be missing.
  const hasDefault = filters.some(({ name }) => name === 'default');
  let value = lookUp(expression, scope, hasDefault) ?? null;
  for (const filter of filters) value = applyFilter(filter, value, scope);
  return value;
}

/** Applies a filter. Those that compute leave null as it is, so that a `default` may follow. */
function applyFilter({ name, args }: Filter, value: Json, scope: TemplateScope): Json {
  const resolve = (arg: FilterArgument): Json =>
    'value' in arg ? arg.value : (lookUp(arg.reference, scope, false) ?? null);
  if (name === 'default') return value ?? args.map(resolve)[0] ?? null;
  if (name === 'json') return compact(value, scope);
  if (name === 'length') return countLength(value, scope);
  const rule = FILTERS.get(name);
  if (rule === undefined || value === null) return value;
  scope.budget.work.spend(STEPS_PER_FILTER);
  const context = { budget: scope.budget, toText: (part: Json) => toText(part, scope) };
  return rule.apply(value, args.map(resolve), context);
}

function lookUp(expression: Reference, scope: TemplateScope, mayMiss: boolean): Json | undefined {
  const [first, ...rest] = expression.path;
  const inState = expression.root === 'state' && first !== undefined;
  const root = inState ? scope.root(String(first), rest[0], true) : scope.root(expression.root, first, false);
  if (root.state === 'empty') return undefined;
  let value = root.value;
  for (const key of inState ? rest : expression.path) {
    const next = step(value, key);
    if (next === undefined) {
      if (!mayMiss) scope.missing(expression.text, listAvailableKeys(value, scope));
      return undefined;
    }
    value = next;
  }
  return value;
}

/** `.0` and `[0]` mean the same: an index on arrays, a key on objects. */
function step(value: Json, key: string | number): Json | undefined {
  if (!Array.isArray(value) || typeof key === 'number') return ownValue(value, key);
  const index = Number(key);
  return Number.isInteger(index) && String(index) === key ? ownValue(value, index) : undefined;
}

function listAvailableKeys(value: Json, scope: TemplateScope): string[] {
  return isObject(value) ? listKeys(value, scope).slice(0, MAX_AVAILABLE) : [];
}

function listKeys(value: JsonObject, { budget }: TemplateScope): string[] {
  const keys = Object.keys(value);
  budget.work.spend(keys.length * STEPS_PER_KEY);
  return keys;
}

function toText(value: Json, scope: TemplateScope): string {
  if (value === null) return '';
  if (typeof value === 'object') return compact(value, scope);
  return String(value);
}

function compact(value: Json, { budget }: TemplateScope): string {
  const tooLong = (): RenderTooLarge =>
    new RenderTooLarge(`Rendered text is longer than ${MAX_RENDERED_CHARS} characters`);
  const { chars, values } = measureJson(value, MAX_RENDERED_CHARS);
  budget.work.spend(values * STEPS_PER_VALUE + chars / CHARS_PER_STEP);
  if (chars > MAX_RENDERED_CHARS) throw tooLong();
  let text: string;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    // JSON.stringify only fails on values that are too deep for the stack.
    throw new RenderTooLarge('Value is too deeply nested to be written as text', { cause });
  }
  if (text.length > MAX_RENDERED_CHARS) throw tooLong();
  return text;
}

/** Characters, items or keys; anything else has length 0. */
function countLength(value: Json, scope: TemplateScope): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return isObject(value) ? listKeys(value, scope).length : 0;
}
