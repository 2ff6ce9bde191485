/** Renders a template with the values that this page knows, by the engine's own renderer. */
import { findElement, type CanvasDocument } from '../../canvas/room/document.ts';
import { RenderBudget } from '../../graph/render-budget.ts';
import { findReferences, render, type TemplateScope } from '../../graph/template.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import { REQUEST_WORK, WorkBudget } from '../../graph/work-budget.ts';
import { readText } from '../canvas/binding.ts';
import { readNodeId, type Entity } from '../forms/entity.ts';
import type { KnownValues } from './known-values.ts';

/** A value, or why there is none: a path that the output lacks, a node that has not run, a template with an error. */
export type Rendered =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'missing'; readonly reference: string; readonly available: readonly string[] }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'invalid' };

/** Roots that a node binds while it works: nobody knows their values outside of it. */
const BOUND_LATER: ReadonlySet<string> = new Set(['item', 'index', 'loop', 'run', 'state']);

type Roots = ReadonlyMap<string, Json>;

function renderWith(template: Json, findRoot: (name: string) => Json | undefined): Rendered {
  const missing: { readonly reference: string; readonly available: readonly string[] }[] = [];
  const { references, errors } = findReferences(template);
  if (errors.length > 0) return { kind: 'invalid' };
  // A bare `state` is the whole state, which only a run knows.
  const names = references.map(({ root, path }) => (root === 'state' ? String(path[0] ?? root) : root));
  if (names.some((name) => BOUND_LATER.has(name) && findRoot(name) === undefined)) return { kind: 'invalid' };
  if (names.some((name) => findRoot(name) === undefined)) return { kind: 'unknown' };
  const scope: TemplateScope = {
    root: (name) => ({ state: 'value', value: findRoot(name) ?? null }),
    missing: (reference, available) => {
      missing.push({ reference, available });
    },
    budget: new RenderBudget(new WorkBudget(REQUEST_WORK)),
  };
  try {
    const value = render(template, scope);
    const [first] = missing;
    return first === undefined ? { kind: 'value', value } : { kind: 'missing', ...first };
  } catch {
    return { kind: 'invalid' };
  }
}

/** Renders the list of a node that runs once for each item; undefined when it is not known. */
export function renderItems(forEach: JsonObject, known: KnownValues): readonly Json[] | undefined {
  const rendered = renderWith(ownValue(forEach, 'items') ?? null, (name) => findRoot(known, name));
  return rendered.kind === 'value' && Array.isArray(rendered.value) ? rendered.value : undefined;
}

const findRoot = (known: KnownValues, name: string): Json | undefined =>
  name === 'input' ? known.input : known.findOutput(name);

/** Binds the first item for a node that runs once for each item of a list. */
function bindItem(document: CanvasDocument, entity: Entity, known: KnownValues): Roots {
  const node = findElement(document.nodes, readNodeId(entity) ?? '');
  const forEach = ownValue(node, 'for_each');
  if (!isObject(forEach)) return new Map();
  const first = renderItems(forEach, known)?.[0];
  return first === undefined
    ? new Map()
    : new Map<string, Json>([
        [readText(forEach, 'as') || 'item', first],
        ['index', 0],
      ]);
}

/** Renders a template of an entity's field. */
export function renderTemplate(
  document: CanvasDocument,
  { entity, template }: { readonly entity: Entity; readonly template: Json },
  known: KnownValues,
): Rendered {
  const bound = bindItem(document, entity, known);
  return renderWith(template, (name) => bound.get(name) ?? findRoot(known, name));
}
