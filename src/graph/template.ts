/**
 * Templates in values: finding references and rendering them with their types kept (SPEC DEF-2.14).
 * Nothing is evaluated and an inserted value is never read as a template again. The grammar is template-scanner.ts.
 */
import {
  scanTemplate,
  TemplateError,
  type Expression,
  type Path,
  type Reference,
  type Template,
} from './template-scanner.ts';
import { RenderTooLarge, STEPS_PER_VALUE, measureJson, type RenderBudget } from './render-budget.ts';
import { STEPS_PER_KEY, isObject, ownValue, setOwn, type Json, type JsonObject } from './value.ts';

/** What a template may see. Asked by root name; `state.x` is asked as `x`, a bare `state` as `state`. */
export interface TemplateScope {
  /** `empty`: known but without a value yet (not executed, skipped): null or '' without a warning. */
  root(name: string): { readonly state: 'value'; readonly value: Json } | { readonly state: 'empty' };
  /** The root has a value but the path leads nowhere; the caller warns (`missing_path`) or throws (strict). */
  missing(reference: string, available: string[]): void;
  /** What is rendered counts here, and the work of rendering it. */
  readonly budget: RenderBudget;
}

/** SPEC SEC-M08: output above 1 MB fails the node. */
export const MAX_RENDERED_CHARS = 1_048_576;
/** `missing_path` warnings name at most this many keys. */
const MAX_AVAILABLE = 20;
/** Steps of work, by measurement: to read and look up one template, and to set a member. */
const STEPS_PER_TEMPLATE = 24;
const STEPS_PER_MEMBER = 12;
/** A character of a template is read in 2 to 5 ns, written as JSON in 3. */
const CHARS_PER_STEP = 4;
/** A value with this many malformed strings is not read further. */
const MAX_ERRORS = 100;

export interface FoundReferences {
  readonly references: readonly (Reference & { readonly at: Path })[];
  readonly errors: readonly { readonly message: string; readonly at: Path }[];
}

/**
 * Every reference in the strings of a value, and every string that is not a valid template; `at` is the path to it.
 * `skipKeys` names top-level keys that hold no templates. The value's depth must be bounded by the caller.
 */
export function referencesIn(value: Json, skipKeys: readonly string[] = []): FoundReferences {
  const references: (Reference & { at: Path })[] = [];
  const errors: { message: string; at: Path }[] = [];
  const visit = (item: Json, at: Path): void => {
    if (errors.length >= MAX_ERRORS) return;
    if (typeof item === 'string') {
      if (!item.includes('{{')) return;
      try {
        for (const part of scanTemplate(item).parts) {
          if (typeof part !== 'string')
            references.push({ root: part.root, path: part.path, text: part.text, at });
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

/**
 * Renders every template in a value; a string that is exactly one template becomes the referenced value with its
 * type. The result shares structure with the scope: treat it as read-only.
 * @throws TemplateError @throws RenderTooLarge @throws WorkLimitExceeded
 */
export function render(value: Json, scope: TemplateScope): Json {
  if (typeof value === 'string') {
    const template = value.includes('{{') ? scan(value, scope) : null;
    if (template !== null && template.single === null) return join(template, scope, asIs);
    const rendered = template?.single ? valueOf(template.single, scope) : value;
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
 * Renders to text; `encode` is applied to each inserted value, never to the literal parts (URL paths, headers).
 * @throws TemplateError @throws RenderTooLarge @throws WorkLimitExceeded
 */
export function renderText(
  text: string,
  scope: TemplateScope,
  encode: (inserted: string) => string = asIs,
): string {
  return text.includes('{{') ? join(scan(text, scope), scope, encode) : text;
}

function scan(text: string, { budget }: TemplateScope): Template {
  const template = scanTemplate(text);
  budget.work.spend(template.parts.length * STEPS_PER_TEMPLATE + text.length / CHARS_PER_STEP);
  return template;
}

const asIs = (inserted: string): string => inserted;

function join(template: Template, scope: TemplateScope, encode: (inserted: string) => string): string {
  let text = '';
  for (const part of template.parts) {
    text += typeof part === 'string' ? part : encode(textOf(valueOf(part, scope), scope));
    if (text.length > MAX_RENDERED_CHARS)
      throw new RenderTooLarge(`Rendered text is longer than ${MAX_RENDERED_CHARS} characters`);
  }
  scope.budget.spend(text);
  return text;
}

function valueOf(expression: Expression, scope: TemplateScope): Json {
  const { filter } = expression;
  const value = lookUp(expression, scope) ?? null;
  if (filter === null) return value;
  if (filter.name === 'default') return value ?? filter.value;
  return filter.name === 'json' ? compact(value, scope) : lengthOf(value, scope);
}

function lookUp(expression: Expression, scope: TemplateScope): Json | undefined {
  const [first, ...rest] = expression.path;
  const inState = expression.root === 'state' && first !== undefined;
  const root = scope.root(inState ? String(first) : expression.root);
  if (root.state === 'empty') return undefined;
  let value = root.value;
  for (const key of inState ? rest : expression.path) {
    const next = step(value, key);
    if (next === undefined) {
      // A default says that the author expects the gap.
      if (expression.filter?.name !== 'default') scope.missing(expression.text, availableIn(value, scope));
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

function availableIn(value: Json, scope: TemplateScope): string[] {
  return isObject(value) ? listKeys(value, scope).slice(0, MAX_AVAILABLE) : [];
}

function listKeys(value: JsonObject, { budget }: TemplateScope): string[] {
  const keys = Object.keys(value);
  budget.work.spend(keys.length * STEPS_PER_KEY);
  return keys;
}

function textOf(value: Json, scope: TemplateScope): string {
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
    // Only a value too deep for the stack cannot be written.
    throw new RenderTooLarge('Value is too deeply nested to be written as text', { cause });
  }
  if (text.length > MAX_RENDERED_CHARS) throw tooLong();
  return text;
}

/** Characters, items or keys; anything else has length 0. */
function lengthOf(value: Json, scope: TemplateScope): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return isObject(value) ? listKeys(value, scope).length : 0;
}
