/** Renders a template with the values that this page knows, by the engine's own renderer. */
import { findElement, type CanvasDocument } from '../../../features/canvas/room/document.ts';
import { RenderBudget } from '../../../language/graph/template/render-budget.ts';
import { findReferences, render, type TemplateScope } from '../../../language/graph/template/template.ts';
import { readList } from '../../../language/graph/values/list-value.ts';
import { ownValue, type Json } from '../../../language/graph/values/value.ts';
import { REQUEST_WORK, WorkBudget } from '../../../language/graph/values/work-budget.ts';
import { readNodeId, type Entity } from '../forms/entity.ts';
import { findItemList, type ItemList } from './item-list.ts';
import type { KnownValues } from './known-values.ts';

/** A value, or why there is none: a path that the output lacks, a node that has not run, a template with an error. */
export type RenderResult =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'missing'; readonly reference: string; readonly available: readonly string[] }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'invalid' };

/** Roots that a node binds while it works: nobody knows their values outside of it. */
const BOUND_LATER: ReadonlySet<string> = new Set(['item', 'index', 'loop', 'response', 'run', 'state']);

type Roots = ReadonlyMap<string, Json>;

function renderWith(template: Json, findRoot: (name: string) => Json | undefined): RenderResult {
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

/** Finds the first item that a template sees; undefined when it is not known. */
export function renderFirstItem({ items, isJoin }: ItemList, known: KnownValues): Json | undefined {
  const rendered = renderWith(items, (name) => findRoot(known, name));
  if (rendered.kind !== 'value') return undefined;
  if (!isJoin) return readList(rendered.value)?.[0];
  const [left, right] = ['left', 'right'].map(
    (side) => readList(ownValue(rendered.value, side) ?? null)?.[0],
  );
  return left === undefined || right === undefined ? undefined : { left, right };
}

const findRoot = (known: KnownValues, name: string): Json | undefined =>
  name === 'input' ? known.input : known.findOutput(name);

interface TemplateField {
  readonly entity: Entity;
  /** Of the field, inside of its entity. */
  readonly ptr: string;
  readonly template: Json;
}

/** Binds the first item of the list whose items a field sees. */
function bindItem(document: CanvasDocument, { entity, ptr }: TemplateField, known: KnownValues): Roots {
  const list = findItemList(findElement(document.nodes, readNodeId(entity) ?? ''), ptr);
  const first = list === null ? undefined : renderFirstItem(list, known);
  return list === null || first === undefined
    ? new Map()
    : new Map<string, Json>([
        [list.name, first],
        ['index', 0],
      ]);
}

/** Renders a template of an entity's field. */
export function renderTemplate(
  document: CanvasDocument,
  part: TemplateField,
  known: KnownValues,
): RenderResult {
  const bound = bindItem(document, part, known);
  return renderWith(part.template, (name) => bound.get(name) ?? findRoot(known, name));
}
