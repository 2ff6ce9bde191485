/** Shows the field of a problem: the parts around it are opened, and its control gets the focus. */
import { whenShown } from '../canvas/when-shown.ts';
import type { Entity } from '../forms/entity.ts';

const CONTROL = 'input, textarea, select, [contenteditable="true"]';

/** Finds the innermost field at a pointer of an entity, or around it; null while its form is not shown. */
function findField(entity: Entity, ptr: string): HTMLElement | null {
  const fields = document.querySelectorAll<HTMLElement>(`.wc-panel [data-entity="${CSS.escape(entity)}"]`);
  const [field] = [...fields]
    .filter(({ dataset }) => `${ptr}/`.startsWith(`${dataset['field'] ?? ''}/`))
    .toSorted((a, b) => (b.dataset['field']?.length ?? 0) - (a.dataset['field']?.length ?? 0));
  return field ?? null;
}

/** Opens the parts around a field and scrolls to it. */
function bringIntoView(field: HTMLElement): void {
  let part = field.closest('details');
  for (; part !== null; part = part.parentElement?.closest('details') ?? null) part.open = true;
  field.scrollIntoView({ block: 'center' });
}

/** @param entity of the form that the panel is about to show @param ptr of the problem inside of it */
export function revealField(entity: Entity, ptr: string): void {
  whenShown(() => findField(entity, ptr), bringIntoView);
  // Controls are loaded on first use, and a field inside of another with them.
  const findControl = (): HTMLElement | null => {
    const field = findField(entity, ptr);
    if (field === null || field.querySelector('pre.wc-code-editor') !== null) return null;
    return field.querySelector<HTMLElement>(CONTROL) ?? field.querySelector('button');
  };
  whenShown(findControl, (control) => {
    bringIntoView(control);
    control.focus({ preventScroll: true });
  });
}
